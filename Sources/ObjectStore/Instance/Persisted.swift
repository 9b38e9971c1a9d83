// The property wrapper. A managed object holds no values: its properties read their column of the row, in the version
// that the realm sees, and write it in the realm's transaction.

/// Marks a property of an `Object` subclass as a column of its class.
///
/// A wrapper finds its column by the order in which the properties of an object are initialized, which is the same for
/// every object of a class: each wrapper draws a ticket, and the object, initialized last, stores the next one.
@propertyWrapper
public struct Persisted<Value: Persistable> {
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

  @inlinable public init() { self.init(Value.unsetPersisted, false, false) }
  @inlinable public init(wrappedValue: Value) { self.init(wrappedValue, false, false) }
  @inlinable public init(indexed: Bool) { self.init(Value.unsetPersisted, false, indexed) }
  @inlinable public init(wrappedValue: Value, indexed: Bool) {
    self.init(wrappedValue, false, indexed)
  }
  @inlinable public init(primaryKey: Bool) { self.init(Value.unsetPersisted, primaryKey, false) }
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
      return Value.readPersisted(
        owner, owner[keyPath: storage].ticket, owner[keyPath: storage].value)
    }
    @inline(__always)
    set {
      if owner.hasOwnValues {
        owner[keyPath: storage].value = newValue
      } else {
        Value.writePersisted(newValue, owner, owner[keyPath: storage].ticket)
      }
    }
  }
}

extension Persisted where Value: BacklinkCollection {
  /// Marks a property as the objects whose property `originProperty` links to this object.
  public init(originProperty: String) {
    self.init(Value(originProperty: originProperty), false, false)
  }
}

/// A wrapper without its generic type, for reflection.
protocol PersistedProperty: SendableMetatype {
  var ticket: UInt32 { get }
  var isPrimaryKey: Bool { get }
  var isIndexed: Bool { get }
  /// nil for a property without a column.
  static var shape: PropertyShape? { get }
  var unmanagedValue: ColumnValue { get }
  var unmanagedContent: PropertyContent { get }
  /// Collections become those of the managed object. Links of this copy of the wrapper stay as they are.
  func ownerDidBecomeManaged(_ property: ManagedProperty)
  /// The ticket and the value of a wrapper in an object's memory.
  static func ticket(at wrapper: UnsafeRawPointer) -> UInt32
  static func value(at wrapper: UnsafeRawPointer) -> ColumnValue
  static func content(at wrapper: UnsafeRawPointer) -> PropertyContent
  static func ownerDidBecomeManaged(
    at wrapper: UnsafeMutableRawPointer, _ property: ManagedProperty)
}

extension Persisted: PersistedProperty {
  static var shape: PropertyShape? { Value.persistedShape }
  var unmanagedValue: ColumnValue { value.persistedColumnValue }
  var unmanagedContent: PropertyContent { value.persistedContent }

  func ownerDidBecomeManaged(_ property: ManagedProperty) {
    var copy = value
    copy.ownerDidBecomeManaged(property)
  }

  static func ticket(at wrapper: UnsafeRawPointer) -> UInt32 {
    wrapper.assumingMemoryBound(to: Self.self).pointee.ticket
  }

  @inline(__always)
  static func value(at wrapper: UnsafeRawPointer) -> ColumnValue {
    wrapper.assumingMemoryBound(to: Self.self).pointee.value.persistedColumnValue
  }

  static func content(at wrapper: UnsafeRawPointer) -> PropertyContent {
    wrapper.assumingMemoryBound(to: Self.self).pointee.value.persistedContent
  }

  static func ownerDidBecomeManaged(
    at wrapper: UnsafeMutableRawPointer, _ property: ManagedProperty
  ) {
    wrapper.assumingMemoryBound(to: Self.self).pointee.value.ownerDidBecomeManaged(property)
  }
}
