// How the rows that a condition holds of are found: by primary key, by an index, or by looking at all.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Gives the rows that the condition holds of to `body`, which answers whether it wants more. `value` gives columns of
  /// the row.
  func visit(
    _ info: ClassInfo, _ condition: QueryCondition,
    _ body: (RowKey, _ value: (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) {
    let required = condition.requiredValues
    if let primary = info.schema.primaryKey,
      let wanted = required.first(where: { $0.column == primary.index })
    {
      guard let key = try? info.rowKey(wanted.value) else { return }
      _ = try visitRow(info, key, condition, body)
      return
    }
    if let wanted = required.first(where: { info.indexes[$0.column] != nil }),
      let index = info.indexes[wanted.column]
    {
      return try visitIndex(info, index, wanted.value, condition, body)
    }
    let isEverything = if case .always = condition { true } else { false }
    try scan(info.table) { key, bytes in
      let row = RowView(info, bytes)
      return isEverything || condition.holds(row.value) ? body(key, row.value) : true
    }
  }

  /// Answers whether more is wanted.
  private func visitRow(
    _ info: ClassInfo, _ key: RowKey, _ condition: QueryCondition,
    _ body: (RowKey, (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) -> Bool {
    var wantsMore = true
    _ = try get(info.table, key) { bytes in
      let row = RowView(info, bytes)
      if condition.holds(row.value) { wantsMore = body(key, row.value) }
    }
    return wantsMore
  }

  private func visitIndex(
    _ info: ClassInfo, _ index: Table, _ value: ColumnValue, _ condition: QueryCondition,
    _ body: (RowKey, (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) {
    let prefix = ClassInfo.indexPrefix(value)
    var keys: [RowKey] = []
    try scan(index, from: .bytes(prefix)) { entry, row in
      guard case .bytes(let entry) = entry, entry.starts(with: prefix) else { return false }
      keys.append(info.rowKey(ofEntry: row))
      return true
    }
    // In the order of the rows, as without the index.
    for key in keys.sorted() {
      guard try visitRow(info, key, condition, body) else { return }
    }
  }
}

/// A row's columns, decoded as they are asked for. Damaged ones are null, so that nothing is found by them.
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

extension RowKey: Comparable {
  static func < (a: RowKey, b: RowKey) -> Bool {
    switch (a, b) {
    case (.int(let a), .int(let b)): a < b
    case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
    case (.int, .bytes): true
    case (.bytes, .int): false
    }
  }
}
