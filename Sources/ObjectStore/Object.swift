// The base class of everything that is kept in a realm.

/// A subclass's `@Persisted` properties are the columns of its class. An object is *unmanaged* until it is added to a
/// realm; from then on it is a view of a row, confined as the realm's instance is.
open class Object {
  var standing = Standing.unmanaged
  /// The row's bytes as they were seen last.
  var seen = SeenRecord()
  /// The ticket after those of the object's wrappers.
  let nextTicket: UInt32

  public required init() { nextTicket = ThreadSeat.current.nextTicket }

  enum Standing {
    case unmanaged
    case managed(ManagedRow)
    /// Made to find out which property a key path leads to.
    case tracing(KeyPathTracer)
  }
}

/// A copy of a row, so that reading several properties, or one again, looks for the row once.
struct SeenRecord {
  /// Rows of more bytes are not copied.
  static let mostBytes = 1024

  /// That of the instance when the row was looked at.
  var stamp = -1
  var bytes: [UInt8] = []
}

/// What configurations name classes by.
public typealias ObjectBase = Object

extension Object {
  var row: ManagedRow? {
    guard case .managed(let row) = standing else { return nil }
    return row
  }

  /// The realm that the object is in; nil while it is in none, and after it was invalidated.
  public var realm: Realm? { row.flatMap { $0.isUsable ? Realm($0.instance) : nil } }

  /// The object was deleted, or its realm's instance invalidated: it can no longer be used.
  public var isInvalidated: Bool { row.map { !$0.isUsable || !$0.exists } ?? false }

  public var isFrozen: Bool { row?.instance.isFrozen ?? false }

  /// Whether both are views of one row of one file; unmanaged ones are the same only as themselves.
  public func isSameObject(as other: Object?) -> Bool {
    guard let other else { return false }
    guard let row, let otherRow = other.row else { return self === other }
    return row.key == otherRow.key && row.bound.schema === otherRow.bound.schema
      && row.instance.file === otherRow.instance.file
  }
}

extension Object: Hashable {
  public static func == (a: Object, b: Object) -> Bool { a.isSameObject(as: b) }

  public func hash(into hasher: inout Hasher) {
    if let row { hasher.combine(row.key) } else { hasher.combine(ObjectIdentifier(self)) }
  }
}

extension Object: CustomStringConvertible {
  public var description: String {
    let schema = ClassSchema.of(type(of: self))
    let lines = schema.columns.map { column in
      "  \(column.name) = \(value(of: column).anyValue.map { "\($0)" } ?? "nil");"
    }
    return "\(schema.name) {\n\(lines.joined(separator: "\n"))\n}"
  }

  func value(of column: Column) -> ColumnValue {
    row?.value(column.index) ?? unmanagedValues()[column.index]
  }

  /// The values of an object that is in no realm, by column.
  func unmanagedValues() -> [ColumnValue] {
    var values: [ColumnValue] = []
    ClassSchema.visitProperties(of: self) { _, property in values.append(property.unmanagedValue) }
    return values
  }
}

/// Notes which property was read last.
final class KeyPathTracer {
  var ordinal = 0
}
