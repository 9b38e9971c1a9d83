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
    observe(keyPaths, on: queue) { Self.makeObserver($0, block) }
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
    await observe(keyPaths, on: actor) { observed in
      Self.makeObserver(observed) { change in
        let change = UnsafeTransfer(change)
        actor.assumeIsolated { block($0, change.take()) }
      }
    }
  }

  private static func makeObserver(
    _ observed: ObservedCollection, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> CollectionObserver<Self> {
    CollectionObserver(
      Self(observed.property), observed, initial: { block(.initial($0)) },
      update: { (collection, observed, difference) throws(StorageError) in
        let set = try observed.changes(difference)
        guard !set.isEmpty else { return }
        block(
          .update(
            collection, deletions: set.deletions, insertions: set.insertions,
            modifications: set.modifications))
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
    observe(keyPaths, on: queue) { Self.makeObserver($0, block) }
  }

  /// The same on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths, on: actor) { observed in
      Self.makeObserver(observed) { change in
        let change = UnsafeTransfer(change)
        actor.assumeIsolated { block($0, change.take()) }
      }
    }
  }

  private static func makeObserver(
    _ observed: ObservedCollection, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> CollectionObserver<Self> {
    CollectionObserver(
      Self(observed.property), observed, initial: { block(.initial($0)) },
      update: { (map, observed, difference) throws(StorageError) in
        let changes = try observed.entryChanges(difference)
        guard
          !changes.deletions.isEmpty || !changes.insertions.isEmpty
            || !changes.modifications.isEmpty
        else { return }
        block(
          .update(
            map, deletions: changes.deletions.map { Key(mapKey: $0) },
            insertions: changes.insertions.map { Key(mapKey: $0) },
            modifications: changes.modifications.map { Key(mapKey: $0) }))
      })
  }
}

// MARK: Where

extension PersistedCollection {
  /// Observes in the collection's instance, or on a queue.
  fileprivate func observe(
    _ names: [String]?, on queue: DispatchQueue?,
    _ makeObserver: @escaping (ObservedCollection) -> CollectionObserver<Self>
  ) -> NotificationToken {
    guard let observed = observed(names) else { return NotificationToken(nil) }
    let instance = observed.property.instance
    guard let queue else { return instance.observe(makeObserver(observed)) }
    let makeObserver = UnsafeTransfer(makeObserver)
    let (identity, columns) = (CollectionIdentity(observed.property), observed.columns)
    return instance.observe(on: queue) { instance in
      identity.property(in: instance).map {
        makeObserver.take()(ObservedCollection(property: $0, columns: columns))
      }
    }
  }

  fileprivate func observe<A: Actor>(
    _ names: [String]?, on actor: A, isolation: isolated (any Actor)? = #isolation,
    _ makeObserver: @escaping @Sendable (ObservedCollection) -> CollectionObserver<Self>
  ) async -> NotificationToken {
    guard let observed = observed(names) else { return NotificationToken(nil) }
    let (identity, columns) = (CollectionIdentity(observed.property), observed.columns)
    return await observed.property.instance.observe(on: actor) { instance in
      identity.property(in: instance).map {
        makeObserver(ObservedCollection(property: $0, columns: columns))
      }
    }
  }

  /// Returns nil after misuse.
  private func observed(_ names: [String]?) -> ObservedCollection? {
    guard let managed, !managed.isInvalidated else {
      Misuse.report(.invalidValue, "Only managed collections can be observed.")
      return nil
    }
    guard !isFrozen else {
      Misuse.report(.frozen, "What is frozen does not change.", file: managed.instance.url)
      return nil
    }
    guard managed.instance.check() else { return nil }
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
