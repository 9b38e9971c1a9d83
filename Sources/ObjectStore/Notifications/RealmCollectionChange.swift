// Observing results: the indices of deleted, inserted and modified objects.
public import Dispatch
import StorageEngine

/// A change of a collection.
public enum RealmCollectionChange<Collection> {
  case initial(Collection)
  /// `deletions` are indices in the collection before the change, the others in the collection after it. An object that
  /// moved is deleted and inserted.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
}

extension RealmCollectionChange {
  /// Returns the update of a change set; nil for an empty one.
  static func update(_ collection: Collection, _ set: ChangeSet) -> Self? {
    guard !set.isEmpty else { return nil }
    return .update(
      collection, deletions: set.deletions, insertions: set.insertions,
      modifications: set.modifications)
  }
}

extension Results {
  /// Calls `block` with the collection, and then after each change of it. An object counts as modified if one of its own
  /// properties has changed; with `keyPaths`, names of properties, also over links (`"dogs.name"`), if one of these has.
  /// (The SDK without key paths also follows links, four deep.) Insertions and deletions are always delivered. Without a
  /// queue the block is called where the realm is confined, otherwise in blocks of the serial queue, with the collection as
  /// it is there. For a frozen collection, or an unknown name, reports misuse and never calls it.
  ///
  /// Which objects have changed is found from the blocks that the two versions do not share, whatever the number of objects.
  /// Their indices take a binary search for each, in an array with the keys of all objects of the collection, which is copied
  /// when objects come, go or move. A collection with `distinct` is found anew when an object of the class has changed, and one
  /// that searches or sorts through links also when an object or collection has that it depends on.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    guard let columns = observedColumns(keyPaths) else { return NotificationToken(nil) }
    guard let queue else { return instance.observe(ResultsObserver(self, columns, block)) }
    let query = query
    let block = UnsafeTransfer(block)
    return instance.observe(on: queue) { instance in
      ResultsObserver(Results(instance, query), columns, block.take())
    }
  }

  /// The same for properties by key path.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    let objectClass = ObjectClass.of(Element.self)
    return observe(keyPaths: keyPaths.map { objectClass.name(of: $0) }, on: queue, block)
  }

  /// The same on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Results<Element>>) -> Void
  ) async -> NotificationToken {
    guard let columns = observedColumns(keyPaths) else { return NotificationToken(nil) }
    let query = query
    return await instance.observe(on: actor) { instance in
      ResultsObserver(Results(instance, query), columns) { change in
        let change = UnsafeTransfer(change)
        actor.assumeIsolated { block($0, change.take()) }
      }
    }
  }

  /// Returns nil after misuse.
  private func observedColumns(_ names: [String]?) -> ObservedColumns? {
    guard instance.checkObservable() else { return nil }
    let columns = ObservedColumns(names, of: ObjectClass.of(Element.self), instance)
    return columns.isUnknown ? nil : columns
  }
}

private final class ResultsObserver<Element: Object>: BlockObserver, InitiallyComplete {
  private let results: Results<Element>
  private let columns: ObservedColumns
  private let block: (RealmCollectionChange<Results<Element>>) -> Void
  /// The keys of the collection, and the version in which they were found.
  private var keys: [RowKey] = []
  private var version: UInt64?

  init(
    _ results: Results<Element>, _ columns: ObservedColumns,
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) {
    self.results = results
    self.columns = columns
    self.block = block
  }

  override func deliverInitial(_ instance: OpenRealm) {
    keys = results.keys()
    version = instance.reading?.version
    block(.initial(results))
  }

  override func deliverChange(
    _ instance: OpenRealm, _ difference: VersionDifference?, isSilent: Bool
  ) {
    let set: ChangeSet
    do throws(StorageError) {
      set = try update(instance, difference)
    } catch {
      return Misuse.report(RealmError(error, file: instance.url))
    }
    if !isSilent, let change = RealmCollectionChange.update(results, set) { block(change) }
  }

  /// Updates the keys, and returns how they differ from those before.
  private func update(
    _ instance: OpenRealm, _ difference: VersionDifference?
  ) throws(StorageError) -> ChangeSet {
    defer { version = instance.reading?.version }
    guard let difference, difference.old.version == version, !results.isInvalidated,
      let info = instance.classInfo(for: Element.self)
    else { return findAnew(instance, nil) }
    let rows = try difference.rows(info.table)
    let linked = try difference.linkedChanges(info, columns, instance).values
      .reduce(into: Set<RowKey>()) { $0.formUnion($1) }
    let tables = results.query.readsLinks ? results.query.linkedTables(info, instance) : []
    let isOtherwiseFound = try difference.differs(in: tables)
    if rows.isEmpty, linked.isEmpty, !isOtherwiseFound {
      results.adopt(keys)
      return ChangeSet()
    }
    if results.query.readsLinks || results.query.ordering.contains(where: \.removesObjects) {
      return findAnew(instance, try difference.changedRows(info, columns, instance))
    }
    var update = CollectionUpdate(keys, results.query, info, difference)
    let set = try update.apply(rows, columns, linked: linked)
    keys = update.keys
    results.adopt(keys)
    return set
  }

  private func findAnew(_ instance: OpenRealm, _ modified: Set<RowKey>?) -> ChangeSet {
    let before = keys
    keys = results.keys()
    return ChangeSet(from: before, to: keys, modified: modified ?? [])
  }
}
