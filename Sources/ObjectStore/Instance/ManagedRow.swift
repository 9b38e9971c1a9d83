// One row of a realm, as an object sees it.
import Foundation
import StorageEngine

/// Where an object's values are.
struct ManagedRow {
  let instance: OpenRealm
  let info: ClassInfo
  let key: RowKey
  /// The instance's when the row was met.
  let generation: Int

  init(
    _ instance: OpenRealm, _ info: ClassInfo, _ key: RowKey, _ generation: Int? = nil
  ) {
    self.instance = instance
    self.info = info
    self.key = key
    self.generation = generation ?? instance.generation
  }

  /// Whether the instance was not invalidated since.
  var isUsable: Bool { generation == instance.generation }

  var exists: Bool { ((try? instance.get(info.table, key) { _ in }) ?? false) }

  /// Gives the bytes of the property whose wrapper has this ordinal to `body`, which answers whether it can read them.
  func read(_ owner: Object, _ ordinal: Int, _ body: (UnsafeRawBufferPointer?) -> Bool) {
    guard instance.check(), checkUsable() else { return }
    look(owner, info.position(ordinal: ordinal), body)
  }

  /// Finds the row. A live object notes where; a frozen one, which many threads may read, is told when it is made.
  private func look(
    _ owner: Object, _ position: Int, _ body: (UnsafeRawBufferPointer?) -> Bool
  ) {
    do throws(StorageError) {
      let keeps = !instance.isFrozen
      // Pins the version, and with it the stamp.
      if instance.writing == nil { _ = try instance.snapshot() }
      let found = try instance.get(info.table, key) { bytes in
        give(bytes, position, body)
        if keeps { owner.note(CachedRow(bytes, instance)) }
      }
      if !found { reportDeleted() }
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
    }
  }

  private func give(
    _ bytes: UnsafeRawBufferPointer, _ position: Int, _ body: (UnsafeRawBufferPointer?) -> Bool
  ) {
    do throws(CorruptRecord) {
      guard let record = ObjectRecord(bytes) else { throw CorruptRecord() }
      guard body(try record.column(position)) else { throw CorruptRecord() }
    } catch {
      Misuse.report(Realm.Error(OpenRealm.corruptRowError(info), file: instance.file.url))
    }
  }

  func write(column: Int, _ value: ColumnValue) {
    guard let transaction = instance.transaction(for: "modify managed objects"), checkUsable()
    else { return }
    if info.schema.columns[column].isPrimaryKey {
      guard value != self.value(column) else { return }
      Misuse.report(
        .invalidValue, "Primary key can't be changed after an object is inserted.",
        file: instance.file.url)
      return
    }
    let isThere = instance.performChange { () throws(StorageError) in
      try instance.update(info, key, column, value, transaction)
    }
    if isThere == false { reportDeleted() }
    if isThere == true { info.changes.updated += 1 }
  }

  /// The value of a column; null after misuse, and where the row is gone.
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

  private func checkUsable() -> Bool {
    if isUsable { return true }
    reportDeleted()
    return false
  }

  private func reportDeleted() {
    Misuse.report(
      .invalidated, "Object of class \(info.schema.name) has been deleted or invalidated.",
      file: instance.file.url)
  }
}
