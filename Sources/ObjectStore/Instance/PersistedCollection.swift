// What lists, sets and maps have in common: a collection is unmanaged, or a view of a property of a managed object.
import StorageEngine

/// A list, a set or a map.
public protocol PersistedCollection: AnyObject, Persistable, SendableMetatype {
  /// Creates an unmanaged collection.
  init()
  /// Creates a view of a property.
  init(_ property: ManagedProperty)
  /// The property that the collection is a view of; nil for an unmanaged one.
  var managed: ManagedProperty? { get }
  /// Makes an unmanaged collection a view of the property of its object, which has become managed.
  func attach(_ property: ManagedProperty)
}

extension PersistedCollection {
  // MARK: Versions

  /// Whether the owner was deleted, or its realm invalidated.
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  public var isFrozen: Bool { managed?.instance.isFrozen ?? false }

  /// Returns the collection in the version that is read now; itself if it is frozen. For an unmanaged one reports misuse and
  /// returns it.
  public func freeze() -> Self {
    guard let managed else {
      Misuse.report(.invalidValue, "Unmanaged collections cannot be frozen.")
      return self
    }
    if isFrozen { return self }
    return managed.frozen().map { Self($0) } ?? self
  }

  /// Returns the collection in the live realm of the calling thread; nil if its owner was deleted.
  public func thaw() -> Self? {
    guard let managed, isFrozen else { return self }
    return managed.thawed().map { Self($0) }
  }

  // MARK: A property

  public static var unsetPersisted: Self { Self() }
  public var persistedColumnValue: ColumnValue { .null }

  public static func readPersisted(
    _ owner: ObjectBase, _ ticket: UInt32, _ own: @autoclosure () -> Self
  ) -> Self {
    guard let property = owner.managedProperty(ticket) else { return own() }
    // Threads that share a frozen object do not share its collections.
    if property.instance.isFrozen { return Self(property) }
    let collection = own()
    collection.attach(property)
    return collection
  }

  public static func writePersisted(_ value: Self, _ owner: ObjectBase, _ ticket: UInt32) {
    owner.writeContent(ticket, value.persistedContent)
  }

  public func ownerDidBecomeManaged(_ property: ManagedProperty) { attach(property) }
}

// MARK: References

/// What identifies a collection in every instance.
struct CollectionIdentity: Sendable {
  private let type: ObjectBase.Type
  private let key: RowKey
  private let column: Int

  init(_ property: ManagedProperty) {
    type = property.row.info.objectClass.type
    key = property.row.key
    column = property.column
  }

  /// Returns the property in an instance; nil if that does not have the class.
  func property(in instance: OpenRealm) -> ManagedProperty? {
    instance.classInfo(for: type).map { info in
      ManagedProperty(ManagedRow(instance, info, key), column)
    }
  }
}

extension ThreadSafeReference {
  /// Reports misuse if the collection is unmanaged or invalidated, or its realm in a write transaction: the reference cannot
  /// be resolved then.
  public convenience init(to collection: Confined) where Confined: PersistedCollection {
    let property = collection.managed.flatMap { $0.isInvalidated ? nil : $0 }
    self.init(
      property.map { CollectionIdentity($0) }, in: property?.instance, name: property?.name ?? "")
  }
}

extension ManagedProperty {
  /// The class and the name of the property.
  fileprivate var name: String { "\(row.info.schema.name).\(row.info.schema.columns[column].name)" }
}

extension OpenRealm {
  /// Returns the collection of the reference in this instance; nil if its owner was deleted.
  func resolve<T: PersistedCollection>(_ reference: ThreadSafeReference<T>) -> T? {
    resolve(reference) { (target: CollectionIdentity) throws(StorageError) -> T? in
      target.property(in: self).flatMap { $0.row.exists ? T($0) : nil }
    }
  }
}
