// One row of a realm, as an object sees it.
import Foundation
import StorageEngine

/// Where an object's values are.
struct ManagedRow {
  let instance: RealmInstance
  let bound: BoundClass
  let key: RowKey
  /// The instance's when the row was met.
  let generation: Int

  init(_ instance: RealmInstance, _ bound: BoundClass, _ key: RowKey) {
    self.instance = instance
    self.bound = bound
    self.key = key
    generation = instance.generation
  }

  /// Whether the instance was not invalidated since.
  var isUsable: Bool { generation == instance.generation }

  var exists: Bool { ((try? instance.get(bound.table, key) { _ in }) ?? false) }

  /// The value of the property whose wrapper has this ordinal; the type's unset value after misuse.
  func read<Value: PersistedValue>(ordinal: UInt32) -> Value {
    guard instance.check(), checkUsable() else { return .unset }
    let position = bound.positions[bound.schema.column(ordinal: Int(ordinal))]
    var value: Value?
    var isNull = false
    do throws(StorageError) {
      let found = try instance.get(bound.table, key) { bytes in
        guard let record = Record(bytes) else { return }
        do throws(RecordDamage) {
          if let column = try record.column(position) {
            value = Value.decode(column)
          } else {
            isNull = true
          }
        } catch {}
      }
      guard found else {
        reportDeleted()
        return .unset
      }
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
      return .unset
    }
    if isNull, let null = Value(.null) { return null }
    guard let value else {
      Misuse.report(Realm.Error(RealmInstance.damaged(bound), file: instance.file.url))
      return .unset
    }
    return value
  }

  func write(ordinal: UInt32, _ value: ColumnValue) {
    write(column: bound.schema.column(ordinal: Int(ordinal)), value)
  }

  func write(column: Int, _ value: ColumnValue) {
    guard let transaction = instance.transaction(for: "modify managed objects"), checkUsable()
    else { return }
    if bound.schema.columns[column].isPrimaryKey {
      guard value != self.value(column) else { return }
      Misuse.report(
        .invalidValue, "Primary key can't be changed after an object is inserted.",
        file: instance.file.url)
      return
    }
    let isThere = instance.changing { () throws(StorageError) in
      try instance.update(bound, key, column, value, transaction)
    }
    if isThere == false { reportDeleted() }
    if isThere == true { instance.tally.noteUpdated(bound.schema.name) }
  }

  /// The value of a column; null after misuse, and where the row is gone.
  func value(_ column: Int) -> ColumnValue {
    guard instance.check(), checkUsable() else { return .null }
    var value = ColumnValue.null
    _ = try? instance.get(bound.table, key) { bytes in
      let found = try? Record(bytes)?.value(
        bound.positions[column], bound.schema.columns[column].kind)
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
      .invalidated, "Object of class \(bound.schema.name) has been deleted or invalidated.",
      file: instance.file.url)
  }
}
