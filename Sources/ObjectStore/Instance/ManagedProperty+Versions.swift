// The same property of the same object in another instance.
import StorageEngine

extension ManagedProperty {
  /// Returns the property in the version that is read now; nil after misuse.
  func frozen() -> ManagedProperty? {
    guard !instance.isFrozen else { return self }
    guard row.isUsable else {
      row.reportDeleted()
      return nil
    }
    let frozen = instance.freeze()
    return frozen.isFrozen ? ManagedProperty(ManagedRow(frozen, row.info, row.key), column) : nil
  }

  /// Returns the property in the live instance of the calling thread; nil if the object was deleted.
  func thawed() -> ManagedProperty? {
    guard let live = instance.thaw(), let info = live.classInfo(for: row.info.objectClass.type)
    else { return nil }
    let thawed = ManagedRow(live, info, row.key)
    return thawed.exists ? ManagedProperty(thawed, column) : nil
  }
}
