// One row of a realm, as a managed object reads and writes it.
import Foundation
import StorageEngine

/// The row that an object is a view of.
struct ManagedRow {
  let instance: OpenRealm
  let info: ClassInfo
  let key: RowKey
  /// The instance's generation when the row was found.
  let generation: Int

  init(
    _ instance: OpenRealm, _ info: ClassInfo, _ key: RowKey, _ generation: Int? = nil
  ) {
    self.instance = instance
    self.info = info
    self.key = key
    self.generation = generation ?? instance.generation
  }

  /// Whether the instance has not been invalidated since.
  var isUsable: Bool { generation == instance.generation }

  var exists: Bool { ((try? instance.get(info.table, key) { _ in }) ?? false) }

  /// Calls `body` with the bytes of the property whose wrapper has this ordinal; `body` returns whether it could decode
  /// them.
  func read(_ owner: ObjectBase, _ ordinal: Int, _ body: (UnsafeRawBufferPointer?) -> Bool) {
    guard instance.check(), checkUsable() else { return }
    find(owner, info.position(ordinal: ordinal), body)
  }

  /// Finds the row. A live object caches it; a frozen one, which many threads may read, has a cache only from its
  /// creation.
  private func find(
    _ owner: ObjectBase, _ position: Int, _ body: (UnsafeRawBufferPointer?) -> Bool
  ) {
    do throws(StorageError) {
      let isCached = !instance.isFrozen
      // Pins the version, which changes the stamp.
      if instance.writing == nil { _ = try instance.snapshot() }
      let found = try instance.get(info.table, key) { bytes in
        decode(bytes, position, body)
        if isCached { owner.cache(CachedRow(bytes, instance)) }
      }
      if !found { reportDeleted() }
    } catch {
      Misuse.report(RealmError(error, file: instance.url))
    }
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ position: Int, _ body: (UnsafeRawBufferPointer?) -> Bool
  ) {
    do throws(CorruptRecord) {
      guard let record = ObjectRecord(bytes) else { throw CorruptRecord() }
      guard body(try record.column(position)) else { throw CorruptRecord() }
    } catch {
      Misuse.report(RealmError(OpenRealm.corruptRowError(info), file: instance.url))
    }
  }

  func write(column: Int, _ value: ColumnValue) {
    guard let transaction = instance.transaction(for: "modify managed objects"), checkUsable()
    else { return }
    if info.schema.columns[column].isPrimaryKey {
      guard value != self.value(column) else { return }
      Misuse.report(
        .invalidValue, "Primary key can't be changed after an object is inserted.",
        file: instance.url)
      return
    }
    let exists = instance.performChange { () throws(StorageError) in
      try instance.update(info, key, column, value, transaction)
    }
    if exists == false { reportDeleted() }
    if exists == true { info.changes.updated += 1 }
  }

  /// Returns the value of a column; null after misuse, and if the row was deleted.
  func value(_ column: Int) -> ColumnValue {
    guard instance.check(), checkUsable() else { return .null }
    var value = ColumnValue.null
    _ = try? instance.get(info.table, key) { bytes in
      let found = try? ObjectRecord(bytes)?.value(
        info.positions[column], info.schema.columns[column].kind)
      value = found ?? .null
    }
    return value
  }

  func checkUsable() -> Bool {
    if isUsable { return true }
    reportDeleted()
    return false
  }

  func reportDeleted() {
    Misuse.report(
      .invalidated, "Object of class \(info.schema.name) has been deleted or invalidated.",
      file: instance.url)
  }
}
