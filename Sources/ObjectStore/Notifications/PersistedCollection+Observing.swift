// `observe` of lists, sets and maps.
public import Dispatch
import StorageEngine

/// A change of a map.
public enum RealmMapChange<Collection: KeyedCollection> {
  case initial(Collection)
  /// Entries that the map no longer has, that it did not have before, and whose values, or the observed properties of the
  /// objects that these are, have changed.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
}

// MARK: Lists and sets

extension PersistedCollection where Self: ElementCollection {
  /// Calls `block` with the collection, and then after each change of it. Objects in it count as modified if one of their own
  /// properties has changed; with `keyPaths`, names of their properties, also over links (`"owner.name"`), if one of these
  /// has. An element of a list that was replaced is modified; one that moved is deleted and inserted. When the owner is
  /// deleted, all elements are, and nothing more is delivered.
  ///
  /// Without a queue the block is called where the realm is confined, otherwise in blocks of the serial queue, with the
  /// collection as it is there. For an unmanaged or frozen collection, or an unknown name, reports misuse and never calls
  /// it. A change of the collection takes reading it in both versions, n log n steps for n elements.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(elementChanges(keyPaths), on: queue, block)
  }

  /// The same for properties by key path.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken where Element: ObjectBase {
    let objectClass = ObjectClass.of(Element.self)
    return observe(keyPaths: keyPaths.map { objectClass.name(of: $0) }, on: queue, block)
  }

  /// The same on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(elementChanges(keyPaths), on: actor, block)
  }

  private func elementChanges(
    _ names: [String]?
  ) -> ObservedChangesFinder<RealmCollectionChange<Self>>? {
    changes(
      names, initial: { .initial($0) },
      update: { (collection, observed, difference) throws(StorageError) in
        RealmCollectionChange.update(collection, try observed.changes(difference))
      })
  }
}

// MARK: Maps

extension PersistedCollection where Self: KeyedCollection {
  /// Calls `block` with the map, and then after each change of it, as the other collections do; changes are told by their
  /// strings.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken {
    observe(entryChanges(keyPaths), on: queue, block)
  }

  /// The same on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(entryChanges(keyPaths), on: actor, block)
  }

  private func entryChanges(
    _ names: [String]?
  ) -> ObservedChangesFinder<RealmMapChange<Self>>? {
    changes(
      names, initial: { .initial($0) },
      update: { (map, observed, difference) throws(StorageError) in
        let changes = try observed.entryChanges(difference)
        guard !changes.isEmpty else { return nil }
        return .update(
          map, deletions: changes.deletions.map { Key(mapKey: $0) },
          insertions: changes.insertions.map { Key(mapKey: $0) },
          modifications: changes.modifications.map { Key(mapKey: $0) })
      })
  }
}

// MARK: Both

extension PersistedCollection {
  fileprivate func observe<Change>(
    _ find: ObservedChangesFinder<Change>?, on queue: DispatchQueue?,
    _ block: @escaping (Change) -> Void
  ) -> NotificationToken {
    guard let find, let managed else { return NotificationToken(nil) }
    return managed.instance.observe(find, on: queue, block)
  }

  fileprivate func observe<A: Actor, Change>(
    _ find: ObservedChangesFinder<Change>?, on actor: A,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, Change) -> Void
  ) async -> NotificationToken {
    guard let find, let managed else { return NotificationToken(nil) }
    return await managed.instance.observe(find, on: actor, block)
  }

  /// Computes a change in one form; nil for none.
  fileprivate typealias ChangeMaker<Change> =
    @Sendable (
      Self, ObservedCollection, VersionDifference
    ) throws(StorageError) -> Change?

  /// Returns what finds the collection in an instance, with its changes in one form; nil after misuse.
  fileprivate func changes<Change>(
    _ names: [String]?, initial: @escaping @Sendable (Self) -> Change,
    update: @escaping ChangeMaker<Change>
  ) -> ObservedChangesFinder<Change>? {
    guard let observed = observed(names) else { return nil }
    let (identity, columns) = (CollectionIdentity(observed.property), observed.columns)
    return { instance in
      guard let property = identity.property(in: instance) else { return nil }
      let (collection, observed) = (
        Self(property), ObservedCollection(property: property, columns: columns)
      )
      return ObservedChanges(
        owner: property.row, initial: { initial(collection) },
        update: { (difference) throws(StorageError) in
          try update(collection, observed, difference)
        })
    }
  }

  /// Returns nil after misuse.
  private func observed(_ names: [String]?) -> ObservedCollection? {
    guard let managed, !managed.isInvalidated else {
      Misuse.report(.invalidValue, "Only managed collections can be observed.")
      return nil
    }
    guard managed.instance.checkObservable() else { return nil }
    guard let type = managed.row.info.objectClass.targets[managed.column] else {
      guard names == nil else {
        Misuse.report(.invalidValue, "Values have no properties to observe.")
        return nil
      }
      return ObservedCollection(property: managed, columns: nil)
    }
    let columns = ObservedColumns(names, of: ObjectClass.of(type), managed.instance)
    return columns.isUnknown ? nil : ObservedCollection(property: managed, columns: columns)
  }
}
