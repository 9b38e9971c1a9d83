// The property wrapper. A managed object holds no values: its properties read their column of the row, in the version
// that the realm sees, and write it in the realm's transaction.

/// Marks a property of an `Object` subclass as a column of its class.
///
/// A wrapper finds its column by the order in which the properties of an object are initialized, which is the same for
/// every object of a class: each wrapper draws a ticket, and the object, initialized last, stores the next one.
@propertyWrapper
public struct Persisted<Value: PersistedValue> {
  /// The property's value while the object is unmanaged.
  @usableFromInline var value: Value
  @usableFromInline let ticket: UInt32
  @usableFromInline let isPrimaryKey: Bool
  @usableFromInline let isIndexed: Bool

  @available(*, unavailable, message: "@Persisted is for the properties of Object subclasses")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  @inlinable public init() { self.init(Value.unset, false, false) }
  @inlinable public init(wrappedValue: Value) { self.init(wrappedValue, false, false) }
  @inlinable public init(indexed: Bool) { self.init(Value.unset, false, indexed) }
  @inlinable public init(wrappedValue: Value, indexed: Bool) {
    self.init(wrappedValue, false, indexed)
  }
  @inlinable public init(primaryKey: Bool) { self.init(Value.unset, primaryKey, false) }
  @inlinable public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(wrappedValue, primaryKey, false)
  }

  @inlinable
  init(_ value: Value, _ isPrimaryKey: Bool, _ isIndexed: Bool) {
    self.value = value
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    ticket = drawTicket()
  }

  // Inlined into the class, where the compiler knows the types and replaces key paths by direct accesses.
  @inlinable
  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner,
    wrapped _: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Persisted<Value>>
  ) -> Value {
    @inline(__always)
    get {
      if owner.hasOwnValues { return owner[keyPath: storage].value }
      let ticket = owner[keyPath: storage].ticket
      // A cached row that is still current needs no search in the file.
      let cached = owner.cachedColumn(ticket)
      if let start = cached.start,
        let value = Value.decode(UnsafeRawBufferPointer(start: start, count: cached.count))
      {
        return value
      }
      if cached.count < 0 { return Value(.null) ?? Value.unset }
      var found: Value?
      owner.readColumn(ticket) { bytes in
        found = if let bytes { Value.decode(bytes) } else { Value(.null) }
        return found != nil || bytes == nil
      }
      return found ?? Value.unset
    }
    @inline(__always)
    set {
      if owner.hasOwnValues {
        owner[keyPath: storage].value = newValue
      } else {
        owner.writeColumn(owner[keyPath: storage].ticket, newValue.columnValue)
      }
    }
  }
}

/// A wrapper without its generic type, for reflection.
protocol PersistedProperty: SendableMetatype {
  var ticket: UInt32 { get }
  var isPrimaryKey: Bool { get }
  var isIndexed: Bool { get }
  var kind: ColumnKind { get }
  var isOptional: Bool { get }
  var unmanagedValue: ColumnValue { get }
  /// The ticket and the value of a wrapper in an object's memory.
  static func ticket(at wrapper: UnsafeRawPointer) -> UInt32
  static func value(at wrapper: UnsafeRawPointer) -> ColumnValue
}

extension Persisted: PersistedProperty {
  var kind: ColumnKind { Value.columnKind }
  var isOptional: Bool { Value.isOptionalColumn }
  var unmanagedValue: ColumnValue { value.columnValue }

  static func ticket(at wrapper: UnsafeRawPointer) -> UInt32 {
    wrapper.assumingMemoryBound(to: Self.self).pointee.ticket
  }

  @inline(__always)
  static func value(at wrapper: UnsafeRawPointer) -> ColumnValue {
    wrapper.assumingMemoryBound(to: Self.self).pointee.value.columnValue
  }
}
