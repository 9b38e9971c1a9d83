// How the rows that a condition holds of are found: by primary key, by an index, or by looking at all.
import Foundation
import StorageEngine

extension RealmInstance {
  /// Gives the rows that the condition holds of to `body`, which answers whether it wants more. `value` gives columns of
  /// the row.
  func visit(
    _ bound: BoundClass, _ condition: Condition,
    _ body: (RowKey, _ value: (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) {
    let required = condition.requiredValues
    if let primary = bound.schema.primaryKey,
      let wanted = required.first(where: { $0.column == primary.index })
    {
      guard let key = try? bound.rowKey(wanted.value) else { return }
      _ = try visitRow(bound, key, condition, body)
      return
    }
    if let wanted = required.first(where: { bound.indexes[$0.column] != nil }),
      let index = bound.indexes[wanted.column]
    {
      return try visitIndex(bound, index, wanted.value, condition, body)
    }
    let isEverything = if case .always = condition { true } else { false }
    try scan(bound.table) { key, bytes in
      let row = RowView(bound, bytes)
      return isEverything || condition.holds(row.value) ? body(key, row.value) : true
    }
  }

  /// Answers whether more is wanted.
  private func visitRow(
    _ bound: BoundClass, _ key: RowKey, _ condition: Condition,
    _ body: (RowKey, (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) -> Bool {
    var wantsMore = true
    _ = try get(bound.table, key) { bytes in
      let row = RowView(bound, bytes)
      if condition.holds(row.value) { wantsMore = body(key, row.value) }
    }
    return wantsMore
  }

  private func visitIndex(
    _ bound: BoundClass, _ index: Table, _ value: ColumnValue, _ condition: Condition,
    _ body: (RowKey, (Int) -> ColumnValue) -> Bool
  ) throws(StorageError) {
    let prefix = BoundClass.indexPrefix(value)
    var keys: [RowKey] = []
    try scan(index, from: .bytes(prefix)) { entry, row in
      guard case .bytes(let entry) = entry, entry.starts(with: prefix) else { return false }
      keys.append(bound.rowKey(ofEntry: row))
      return true
    }
    // In the order of the rows, as without the index.
    for key in keys.sorted() {
      guard try visitRow(bound, key, condition, body) else { return }
    }
  }
}

/// A row's columns, decoded as they are asked for. Damaged ones are null, so that nothing is found by them.
private struct RowView {
  let bound: BoundClass
  let record: Record?

  init(_ bound: BoundClass, _ bytes: UnsafeRawBufferPointer) {
    self.bound = bound
    record = Record(bytes)
  }

  func value(_ column: Int) -> ColumnValue {
    let found = try? record?.value(bound.positions[column], bound.schema.columns[column].kind)
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
