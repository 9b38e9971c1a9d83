// The base class of everything that is kept in a realm.

/// A subclass's `@Persisted` properties are the columns of its class. An object is *unmanaged* until it is added to a
/// realm; from then on it is a view of a row, confined as the realm's instance is.
open class Object {
  /// In no realm, and no tracer: the object's values are its own.
  @usableFromInline final var isPlain = true
  /// Where the values are, once the object is in a realm.
  final var row: ManagedRow? { didSet { settle() } }
  /// Set in objects that are made to find out which property a key path leads to.
  final var tracer: KeyPathTracer? { didSet { settle() } }
  /// The row's bytes as they were seen last.
  final var seen = SeenRecord()
  /// The values that were set while the object was in no realm, by their wrappers' ordinals: they are written without a
  /// look at the wrappers, which takes long.
  final var given: [ColumnValue?] = []
  /// The ticket after those of the object's wrappers.
  final let nextTicket: UInt32

  public required init() { nextTicket = ThreadSeat.current.nextTicket }

  private func settle() {
    isPlain = row == nil && tracer == nil
    if !isPlain { given = [] }
  }

  @usableFromInline
  final func noteGiven(_ ticket: UInt32, _ value: ColumnValue) {
    let ordinal = Int(nextTicket &- ticket)
    while given.count <= ordinal { given.append(nil) }
    given[ordinal] = value
  }

  /// Gives the property's bytes to `body`, nil for null, which answers whether it could read them; does not call it after
  /// misuse.
  @usableFromInline
  final func readColumn(_ ticket: UInt32, _ body: (UnsafeRawBufferPointer?) -> Bool) {
    let ordinal = Int(nextTicket &- ticket)
    if let row { row.read(self, ordinal, body) } else { tracer?.ordinal = ordinal }
  }

  @usableFromInline
  final func writeColumn(_ ticket: UInt32, _ value: ColumnValue) {
    guard let row else { return }
    row.write(column: row.bound.schema.column(ordinal: Int(nextTicket &- ticket)), value)
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
  func unmanagedValues() -> [ColumnValue] { unmanagedValues(ClassSchema.of(type(of: self))) }

  func unmanagedValues(_ schema: ClassSchema) -> [ColumnValue] {
    if let all = givenValues(schema) { return all }
    var values: [ColumnValue] = []
    ClassSchema.visitProperties(of: self) { _, property in values.append(property.unmanagedValue) }
    return values
  }

  /// nil where not all were set.
  private func givenValues(_ schema: ClassSchema) -> [ColumnValue]? {
    var values: [ColumnValue] = []
    values.reserveCapacity(schema.ordinals.count)
    for ordinal in schema.ordinals {
      guard ordinal < given.count, let value = given[ordinal] else { return nil }
      values.append(value)
    }
    return values
  }
}

/// Notes which property was read last.
final class KeyPathTracer {
  var ordinal = 0
}
