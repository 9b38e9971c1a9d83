// `observe` of backlinks: the entries of an object in the table of backlinks are compared in both versions.
public import Dispatch
import StorageEngine

extension LinkingObjects {
  /// Calls `block` with the collection, and then after each change of it, as lists do: an object that links from now on is
  /// inserted, one that no longer does is deleted. It counts as modified if one of its own properties has changed; with
  /// `keyPaths`, names of its properties, also over links, if one of these has. When the owner is deleted, all objects are,
  /// and nothing more is delivered. For an unmanaged or frozen owner, or an unknown name, reports misuse and never calls it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<LinkingObjects<Element>>) -> Void
  ) -> NotificationToken {
    guard let find = changes(keyPaths), let instance = owner?.instance else {
      return NotificationToken(nil)
    }
    return instance.observe(find, on: queue, block)
  }

  /// The same for properties by key path.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<LinkingObjects<Element>>) -> Void
  ) -> NotificationToken {
    let objectClass = ObjectClass.of(Element.self)
    return observe(keyPaths: keyPaths.map { objectClass.name(of: $0) }, on: queue, block)
  }

  /// The same on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, isolation: isolated (any Actor)? = #isolation,
    _ block:
      @escaping @Sendable (isolated A, RealmCollectionChange<LinkingObjects<Element>>) -> Void
  ) async -> NotificationToken {
    guard let find = changes(keyPaths), let instance = owner?.instance else {
      return NotificationToken(nil)
    }
    return await instance.observe(find, on: actor, block)
  }

  /// Returns nil after misuse.
  private func changes(
    _ names: [String]?
  ) -> ObservedChangesFinder<RealmCollectionChange<LinkingObjects<Element>>>? {
    guard let owner, !isInvalidated else {
      Misuse.report(.invalidValue, "Only managed collections can be observed.")
      return nil
    }
    guard owner.instance.checkObservable() else { return nil }
    let columns = ObservedColumns(names, of: ObjectClass.of(Element.self), owner.instance)
    guard !columns.isUnknown else { return nil }
    let (type, key, property) = (owner.info.objectClass.type, owner.key, origin.property)
    return { instance in
      guard let info = instance.classInfo(for: type) else { return nil }
      let owner = ManagedRow(instance, info, key)
      let collection = LinkingObjects(property, of: owner)
      return ObservedChanges(
        owner: owner, initial: { .initial(collection) },
        update: { (difference) throws(StorageError) in
          RealmCollectionChange.update(collection, try collection.changeSet(difference, columns))
        })
    }
  }

  private func changeSet(
    _ difference: VersionDifference, _ columns: ObservedColumns
  ) throws(StorageError) -> ChangeSet {
    guard let owner, let (info, backlinks) = originRows() else { return ChangeSet() }
    let prefix = ElementKey.prefix(owner.key)
    let areLinksSame = try !difference.rows(backlinks).contains { row in
      if case .bytes(let bytes) = row.key { bytes.starts(with: prefix) } else { false }
    }
    let objects = try difference.changedRows(info, columns, owner.instance)
    guard !areLinksSame || !objects.isEmpty else { return ChangeSet() }
    let after = Self.keys(of: try difference.new.rows(backlinks, prefix: prefix))
    var set = ChangeSet()
    if !areLinksSame {
      let before = Self.keys(of: try difference.old.rows(backlinks, prefix: prefix))
      set = ChangeSet(from: before, to: after)
    }
    set.addModifications(after) { objects.contains($0) }
    return set
  }
}
