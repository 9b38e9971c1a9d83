// Observing one object: its row is compared in both versions, at the cost of two look-ups.
public import Dispatch
import StorageEngine

/// A property that has changed.
public struct PropertyChange {
  /// The property's name.
  public let name: String
  /// The value in the version before, and in the version now, as the property's type; nil for nil, and for collections. Of a
  /// link the object as it is now, which may have been deleted (`isInvalidated`).
  public let oldValue: Any?
  public let newValue: Any?
}

/// A change of an object.
public enum ObjectChange<Element> {
  /// Properties have other values, in the order of the class.
  case change(Element, [PropertyChange])
  /// The object was deleted: nothing more is delivered.
  case deleted
}

extension ThreadConfined where Self: ObjectBase {
  /// Calls `block` after each change of the object, and once when it is deleted; with `keyPaths` only for changes of these
  /// properties, by name, also over links: `"dogs.name"` is a change of `dogs` when a dog has another name. Without a queue
  /// it is called where the object's realm is confined, otherwise in blocks of the serial queue, with the object as it is
  /// there: changes from now on are delivered. An embedded object is deleted with its owner, and when the property gets
  /// another one. For an unmanaged or frozen object, or an unknown name, reports misuse and
  /// returns nil.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken? {
    guard let row = observableRow() else { return nil }
    let columns = ObservedColumns(keyPaths, of: row.info.objectClass, row.instance)
    if columns.isUnknown { return nil }
    guard let queue else {
      return row.instance.observe(ObjectObserver(self, row, columns, block))
    }
    let key = row.key
    let block = UnsafeTransfer(block)
    return row.instance.observe(on: queue) { instance in
      ObjectObserver(Self.self, instance, key, columns, block.take())
    }
  }

  /// The same for properties by key path.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken? {
    let objectClass = ObjectClass.of(Self.self)
    return observe(keyPaths: keyPaths.map { objectClass.name(of: $0) }, on: queue, block)
  }

  /// The same on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken? {
    guard let row = observableRow() else { return nil }
    let columns = ObservedColumns(keyPaths, of: row.info.objectClass, row.instance)
    if columns.isUnknown { return nil }
    let key = row.key
    return await row.instance.observe(on: actor) { instance in
      ObjectObserver(Self.self, instance, key, columns) { change in
        let change = UnsafeTransfer(change)
        actor.assumeIsolated { block($0, change.take()) }
      }
    }
  }

  private func observableRow() -> ManagedRow? {
    guard let row, row.isUsable else {
      Misuse.report(.invalidValue, "Only managed objects can be observed.")
      return nil
    }
    return row.instance.checkObservable() ? row : nil
  }
}

private final class ObjectObserver<Element: ObjectBase>: BlockObserver {
  private let object: Element
  private let row: ManagedRow
  private let columns: ObservedColumns
  private let block: (ObjectChange<Element>) -> Void

  init(
    _ object: Element, _ row: ManagedRow, _ columns: ObservedColumns,
    _ block: @escaping (ObjectChange<Element>) -> Void
  ) {
    self.object = object
    self.row = row
    self.columns = columns
    self.block = block
  }

  /// nil if the instance does not have the class.
  convenience init?(
    _ type: Element.Type, _ instance: OpenRealm, _ key: RowKey, _ columns: ObservedColumns,
    _ block: @escaping (ObjectChange<Element>) -> Void
  ) {
    guard let info = instance.classInfo(for: type) else { return nil }
    let object = instance.object(type, info, key)
    guard let row = object.row else { return nil }
    self.init(object, row, columns, block)
  }

  override func deliverChange(
    _ instance: OpenRealm, _ difference: VersionDifference?, isSilent: Bool
  ) {
    guard row.exists else {
      isEnded = true
      if !isSilent { block(.deleted) }
      return
    }
    guard !isSilent, let difference else { return }
    do throws(StorageError) {
      let changes = try changes(difference)
      if !changes.isEmpty { block(.change(object, changes)) }
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
    }
  }

  private func changes(_ difference: VersionDifference) throws(StorageError) -> [PropertyChange] {
    let (info, key) = (row.info, row.key)
    var before: [UInt8]?
    _ = try difference.old.get(info.table, key) { before = Array($0) }
    guard let before else { return [] }
    var changed: Set<Int> = []
    for (column, owners) in try difference.linkedChanges(info, columns, row.instance)
    where owners.contains(key) {
      changed.insert(column)
    }
    var changes: [PropertyChange] = []
    _ = try difference.new.get(info.table, key) { after in
      before.withUnsafeBytes { before in
        let (old, new) = (MatchedRow(info, key, before, nil), MatchedRow(info, key, after, nil))
        changed.formUnion(columns.changed(before, after, info))
        changes = changed.sorted().map { column in
          PropertyChange(
            name: info.schema.columns[column].name, oldValue: value(column, old.value(column)),
            newValue: value(column, new.value(column)))
        }
      }
    }
    return changes
  }

  /// Returns a value as the property's type; nil for collections.
  private func value(_ column: Int, _ value: ColumnValue) -> Any? {
    guard row.info.schema.columns[column].collection == nil else { return nil }
    guard case .link(let key) = value else { return value.anyValue }
    guard let type = row.info.objectClass.targets[column],
      let info = row.instance.classInfo(for: type)
    else { return nil }
    return row.instance.object(type, info, key)
  }
}
