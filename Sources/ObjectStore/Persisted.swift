// The property wrapper. An object of a realm has no values of its own: its properties read their column of the row, in
// the version that the realm sees, and write it in the realm's transaction.

/// Marks a property of an `Object` subclass as a column of its class.
///
/// The wrapper finds its column by the order in which the properties of an object are initialised, which is the same for
/// every object of a class: each wrapper draws a ticket, and the object, initialised last, notes the next one.
@propertyWrapper
public struct Persisted<Value: PersistedValue> {
  /// What the property has as long as the object is in no realm.
  var value: Value
  let ticket: UInt32
  let isPrimaryKey: Bool
  let isIndexed: Bool

  @available(*, unavailable, message: "@Persisted is for the properties of Object subclasses")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  public init() { self.init(Value.unset, false, false) }
  public init(wrappedValue: Value) { self.init(wrappedValue, false, false) }
  public init(indexed: Bool) { self.init(Value.unset, false, indexed) }
  public init(wrappedValue: Value, indexed: Bool) { self.init(wrappedValue, false, indexed) }
  public init(primaryKey: Bool) { self.init(Value.unset, primaryKey, false) }
  public init(wrappedValue: Value, primaryKey: Bool) { self.init(wrappedValue, primaryKey, false) }

  private init(_ value: Value, _ isPrimaryKey: Bool, _ isIndexed: Bool) {
    self.value = value
    self.isPrimaryKey = isPrimaryKey
    self.isIndexed = isIndexed
    ticket = ThreadSeat.current.drawTicket()
  }

  public static subscript<Owner: ObjectBase>(
    _enclosingInstance owner: Owner,
    wrapped _: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Persisted<Value>>
  ) -> Value {
    get {
      switch owner.standing {
      case .unmanaged: return owner[keyPath: storage].value
      case .managed(let row):
        return row.read(owner, ordinal: owner.nextTicket &- owner[keyPath: storage].ticket)
      case .tracing(let tracer):
        let persisted = owner[keyPath: storage]
        tracer.ordinal = Int(owner.nextTicket &- persisted.ticket)
        return persisted.value
      }
    }
    set {
      switch owner.standing {
      case .unmanaged, .tracing: owner[keyPath: storage].value = newValue
      case .managed(let row):
        row.write(
          ordinal: owner.nextTicket &- owner[keyPath: storage].ticket, newValue.columnValue)
      }
    }
  }
}

/// A wrapper as its class's description sees it.
protocol PersistedProperty {
  var ticket: UInt32 { get }
  var isPrimaryKey: Bool { get }
  var isIndexed: Bool { get }
  var kind: ColumnKind { get }
  var isOptional: Bool { get }
  var unmanagedValue: ColumnValue { get }
}

extension Persisted: PersistedProperty {
  var kind: ColumnKind { Value.columnKind }
  var isOptional: Bool { Value.isOptionalColumn }
  var unmanagedValue: ColumnValue { value.columnValue }
}
