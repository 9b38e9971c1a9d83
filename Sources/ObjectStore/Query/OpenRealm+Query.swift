// Finding the rows that match a condition: by primary key, by an index, or by a scan of the table.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Calls `body` with the rows that match, until it returns false. `value` returns a column of the row.
  func forEachMatch(
    _ info: ClassInfo, _ condition: QueryCondition,
    _ body: (RowKey, _ value: (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) {
    let required = condition.requiredValues
    if let primary = info.schema.primaryKey,
      let wanted = required.first(where: { $0.column == primary.index })
    {
      guard let key = try? info.rowKey(wanted.value) else { return }
      _ = try checkRow(info, key, condition, body)
      return
    }
    if let wanted = required.first(where: { info.indexes[$0.column] != nil }),
      let index = info.indexes[wanted.column]
    {
      return try scanIndex(info, index, wanted.value, condition, body)
    }
    let isEverything = if case .always = condition { true } else { false }
    try scan(info.table) { key, bytes in
      let row = RowView(info, bytes)
      return isEverything || condition.matches(row.value) ? body(key, row.value) : true
    }
  }

  /// Returns false if `body` did.
  private func checkRow(
    _ info: ClassInfo, _ key: RowKey, _ condition: QueryCondition,
    _ body: (RowKey, (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) -> Bool {
    var wantsMore = true
    _ = try get(info.table, key) { bytes in
      let row = RowView(info, bytes)
      if condition.matches(row.value) { wantsMore = body(key, row.value) }
    }
    return wantsMore
  }

  private func scanIndex(
    _ info: ClassInfo, _ index: Table, _ value: ColumnValue, _ condition: QueryCondition,
    _ body: (RowKey, (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) {
    let prefix = IndexEntry.prefix(value)
    var keys: [RowKey] = []
    try scan(index, from: .bytes(prefix)) { entry, row in
      guard case .bytes(let entry) = entry, entry.starts(with: prefix) else { return false }
      keys.append(IndexEntry.rowKey(ofEntry: row, info.table.keyKind))
      return true
    }
    // In the order of the rows, as a scan of the table.
    for key in keys.sorted() {
      guard try checkRow(info, key, condition, body) else { return }
    }
  }
}

/// A row's columns, each decoded when it is read. A corrupt one is null, so that it does not match.
private struct RowView {
  let info: ClassInfo
  let record: ObjectRecord?

  init(_ info: ClassInfo, _ bytes: UnsafeRawBufferPointer) {
    self.info = info
    record = ObjectRecord(bytes)
  }

  func value(_ column: Int) -> ColumnValue {
    let found = try? record?.value(info.positions[column], info.schema.columns[column].kind)
    return found ?? .null
  }
}
