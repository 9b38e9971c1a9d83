// The one table of these tests, written and read through the engine's public calls.
import StorageEngine
import TestSupport

/// The name of the table that every test here uses.
let rowsTable = "rows"

extension Database {
  /// Makes these changes in one transaction and commits it.
  func apply(_ changes: [RowChange]) throws(StorageError) {
    let transaction = try beginWrite()
    do throws(StorageError) {
      let table = try transaction.table(rowsTable)
      for change in changes { try transaction.apply(change, to: table) }
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }

  /// Every row of the newest version, through a scan, and every savepoint as a row.
  func rows() throws(StorageError) -> RowModel {
    let snapshot = try beginSnapshot(label: "check")
    defer { snapshot.end() }
    return try snapshot.rows().merging(try savepointRows()) { _, savepoint in savepoint }
  }
}

extension Snapshot {
  /// Every row of this version, through a scan; no table is no rows.
  func rows() throws(StorageError) -> RowModel {
    guard let table = table(rowsTable) else { return [:] }
    var rows: RowModel = [:]
    _ = try scan(table) { key, bytes in rows[key] = Array(bytes) }
    return rows
  }
}

extension WriteTransaction {
  func apply(_ change: RowChange, to table: Table) throws(StorageError) {
    if SavepointRow.isKey(change.key) {
      let name = SavepointRow.name(change.key)
      return change.value == nil ? try dropSavepoint(name) : try makeSavepoint(name)
    }
    guard let value = change.value else {
      _ = try delete(table, change.key)
      return
    }
    try put(table, change.key, value)
  }

  private func put(_ table: Table, _ key: Int64, _ value: [UInt8]) throws(StorageError) {
    let result: Result<Void, StorageError> = value.withUnsafeBytes { bytes in
      Result { () throws(StorageError) in try put(table, key, bytes) }
    }
    try result.get()
  }
}
