// The base class of everything that is kept in a realm.

/// A subclass's `@Persisted` properties are the columns of its class. An object is *unmanaged* until it is added to a
/// realm; from then on it is a view of a row, confined as the realm's instance is.
///
/// One is made for each row that is found, so that what it knows of its row is in itself: another object for that would
/// double what finding costs. Its fields are changed by their own methods only, none of which calls what could change them.
open class Object {
  /// In no realm, and no tracer: the object's values are its own.
  @usableFromInline @exclusivity(unchecked) final var isPlain = true
  /// The ticket after those of the object's wrappers.
  final let nextTicket: UInt32
  /// Of the realm that the object is in.
  @exclusivity(unchecked) private final var instance: Unmanaged<OpenRealm>?
  /// Kept by the instance.
  @exclusivity(unchecked) private final var info: Unmanaged<ClassInfo>?
  @exclusivity(unchecked) private final var key = RowKey.int(0)
  /// The instance's when the row was met.
  @exclusivity(unchecked) private final var generation = 0
  @exclusivity(unchecked) private final var seen = CachedRow()
  /// Set in objects that are made to find out which property a key path leads to.
  @exclusivity(unchecked) private final var tracer: KeyPathTracer?

  public required init() { nextTicket = ThreadLocalState.current.nextTicket }

  deinit { instance?.release() }

  /// Where the values are, once the object is in a realm.
  final var row: ManagedRow? {
    guard let instance, let info else { return nil }
    return ManagedRow(instance.takeUnretainedValue(), info.takeUnretainedValue(), key, generation)
  }

  /// From here on the object is a view of a row that the instance has.
  @inline(__always)
  final func manage(_ instance: OpenRealm, _ info: ClassInfo, _ key: RowKey) {
    let before = self.instance
    self.instance = .passRetained(instance)
    before?.release()
    self.info = .passUnretained(info)
    self.key = key
    generation = instance.generation
    seen.stamp = -1
    isPlain = false
  }

  /// From here on reading a property tells the tracer which it is.
  final func trace(_ tracer: KeyPathTracer) {
    self.tracer = tracer
    isPlain = false
  }

  /// Where the row's bytes are, as long as the instance sees the same.
  @inline(__always)
  final func note(_ seen: CachedRow) { self.seen = seen }

  /// The property's bytes, where they were seen and nothing has changed since, and the caller may look.
  @usableFromInline
  final func cachedColumn(_ ticket: UInt32) -> CachedColumn {
    guard let instance, let info else { return CachedColumn() }
    return instance._withUnsafeGuaranteedRef { instance in
      guard seen.stamp == instance.stamp, instance.isHere else { return CachedColumn() }
      let ordinal = Int(nextTicket &- ticket)
      return info._withUnsafeGuaranteedRef { seen.column($0.position(ordinal: ordinal)) }
    }
  }

  /// Gives the property's bytes to `body`, nil for null, which answers whether it could read them; does not call it after
  /// misuse.
  @usableFromInline
  final func readColumn(_ ticket: UInt32, _ body: (UnsafeRawBufferPointer?) -> Bool) {
    let ordinal = Int(nextTicket &- ticket)
    if let row {
      row.read(self, ordinal, body)
    } else {
      tracer?.ordinal = ordinal
    }
  }

  @usableFromInline
  final func writeColumn(_ ticket: UInt32, _ value: ColumnValue) {
    guard let row else { return }
    row.write(column: row.info.schema.column(ordinal: Int(nextTicket &- ticket)), value)
  }
}

/// Where a row's bytes were when it was looked at last.
struct CachedRow {
  /// Rows of more bytes are not copied.
  private static let maxCopyLength = 1024

  /// That of the instance when the row was looked at.
  var stamp = -1
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var copy: RowCopy?

  init() {}

  /// Where the instance found them, if they stay there; a copy of short ones else.
  @inline(__always)
  init(_ found: UnsafeRawBufferPointer, _ instance: OpenRealm) {
    if instance.hasStableBytes {
      bytes = found
      stamp = instance.stamp
    } else if found.count <= Self.maxCopyLength {
      let copy = RowCopy(found)
      self.copy = copy
      bytes = copy.bytes
      stamp = instance.stamp
    }
  }

  @inline(__always)
  func column(_ position: Int) -> CachedColumn {
    guard let record = ObjectRecord(bytes) else { return CachedColumn() }
    do throws(CorruptRecord) {
      guard let column = try record.column(position) else {
        return CachedColumn(start: nil, count: CachedColumn.null)
      }
      return CachedColumn(start: column.baseAddress, count: column.count)
    } catch { return CachedColumn() }
  }
}

/// The bytes of a column: where they are not known, or damaged, there is no start.
@usableFromInline
struct CachedColumn {
  /// The count of a column that is null.
  @usableFromInline static var null: Int { -1 }

  @usableFromInline var start: UnsafeRawPointer?
  @usableFromInline var count = 0
}

/// The bytes of a row whose own do not stay.
final class RowCopy {
  let bytes: UnsafeRawBufferPointer

  init(_ other: UnsafeRawBufferPointer) {
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: other.count, alignment: 8)
    own.copyMemory(from: other)
    bytes = UnsafeRawBufferPointer(own)
  }

  deinit { bytes.deallocate() }
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
    return row.key == otherRow.key && row.info.schema === otherRow.info.schema
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
    let schema = ObjectSchema.of(type(of: self))
    let lines = schema.columns.map { column in
      "  \(column.name) = \(value(of: column).anyValue.map { "\($0)" } ?? "nil");"
    }
    return "\(schema.name) {\n\(lines.joined(separator: "\n"))\n}"
  }

  func value(of column: Column) -> ColumnValue {
    row?.value(column.index) ?? unmanagedValues()[column.index]
  }

  /// The values of an object that is in no realm, by column.
  func unmanagedValues() -> [ColumnValue] { unmanagedValues(ObjectSchema.of(type(of: self))) }

  func unmanagedValues(_ schema: ObjectSchema) -> [ColumnValue] {
    if let wrappers = schema.wrappers { return wrappers.map { $0.value(in: self) } }
    var values: [ColumnValue] = []
    ObjectSchema.visitProperties(of: self) { _, property in values.append(property.unmanagedValue) }
    return values
  }

  func unmanagedValue(_ column: Int, _ schema: ObjectSchema) -> ColumnValue {
    schema.wrappers.map { $0[column].value(in: self) } ?? unmanagedValues(schema)[column]
  }

  /// Gives the columns that `values` has nothing for what an object in no realm has.
  @inline(__always)
  func fill(_ values: inout [ColumnValue?], _ schema: ObjectSchema) {
    guard let wrappers = schema.wrappers else { return fillSlowly(&values, schema) }
    for index in values.indices where values[index] == nil {
      values[index] = wrappers[index].value(in: self)
    }
  }

  @inline(never)
  private func fillSlowly(_ values: inout [ColumnValue?], _ schema: ObjectSchema) {
    let own = unmanagedValues(schema)
    for index in values.indices where values[index] == nil { values[index] = own[index] }
  }
}

/// Notes which property was read last.
final class KeyPathTracer {
  var ordinal = 0
}
