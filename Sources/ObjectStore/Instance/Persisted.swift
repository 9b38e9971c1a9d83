// The property wrapper. An object of a realm has no values of its own: its properties read their column of the row, in
// the version that the realm sees, and write it in the realm's transaction.

/// Marks a property of an `Object` subclass as a column of its class.
///
/// The wrapper finds its column by the order in which the properties of an object are initialised, which is the same for
/// every object of a class: each wrapper draws a ticket, and the object, initialised last, notes the next one.
@propertyWrapper
public struct Persisted<Value: PersistedValue> {
  /// What the property has as long as the object is in no realm.
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

  // Inlined into the class, where the compiler knows the types and makes of the key paths what they lead to.
  @inlinable
  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner,
    wrapped _: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Persisted<Value>>
  ) -> Value {
    @inline(__always)
    get {
      if owner.isPlain { return owner[keyPath: storage].value }
      let ticket = owner[keyPath: storage].ticket
      // What was found before and is still so needs no look into the file.
      let seen = owner.cachedColumn(ticket)
      if let start = seen.start,
        let value = Value.decode(UnsafeRawBufferPointer(start: start, count: seen.count))
      {
        return value
      }
      if seen.count < 0 { return Value(.null) ?? Value.unset }
      var found: Value?
      owner.readColumn(ticket) { bytes in
        found = if let bytes { Value.decode(bytes) } else { Value(.null) }
        return found != nil || bytes == nil
      }
      return found ?? Value.unset
    }
    @inline(__always)
    set {
      if owner.isPlain {
        owner[keyPath: storage].value = newValue
      } else {
        owner.writeColumn(owner[keyPath: storage].ticket, newValue.columnValue)
      }
    }
  }
}

/// A wrapper as its class's description sees it.
protocol PersistedProperty: SendableMetatype {
  var ticket: UInt32 { get }
  var isPrimaryKey: Bool { get }
  var isIndexed: Bool { get }
  var kind: ColumnKind { get }
  var isOptional: Bool { get }
  var unmanagedValue: ColumnValue { get }
  /// Those of a wrapper in an object's memory.
  static func ticket(at place: UnsafeRawPointer) -> UInt32
  static func value(at place: UnsafeRawPointer) -> ColumnValue
}

extension Persisted: PersistedProperty {
  var kind: ColumnKind { Value.columnKind }
  var isOptional: Bool { Value.isOptionalColumn }
  var unmanagedValue: ColumnValue { value.columnValue }

  static func ticket(at place: UnsafeRawPointer) -> UInt32 {
    place.assumingMemoryBound(to: Self.self).pointee.ticket
  }

  @inline(__always)
  static func value(at place: UnsafeRawPointer) -> ColumnValue {
    place.assumingMemoryBound(to: Self.self).pointee.value.columnValue
  }
}
