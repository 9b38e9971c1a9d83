// Finding the rows that match a condition, as its plan has it.
import StorageEngine

/// A row that matches: its columns, each decoded when it is read. A corrupt one is null, so that it does not match.
struct MatchedRow: QueryRow {
  private let info: ClassInfo
  private let record: ObjectRecord?
  /// The column of the index that led to the row, if its entry has the whole value.
  private let known: (column: Int, value: ColumnValue)?

  init(_ info: ClassInfo, _ bytes: UnsafeRawBufferPointer) {
    self.info = info
    record = ObjectRecord(bytes)
    known = nil
  }

  init(_ info: ClassInfo, _ column: Int, _ value: ColumnValue) {
    self.info = info
    record = nil
    known = (column, value)
  }

  func value(_ column: Int) -> ColumnValue {
    if let known, known.column == column { return known.value }
    let found = try? record?.value(info.positions[column], info.schema.columns[column].kind)
    return found ?? .null
  }
}

extension OpenRealm {
  /// Calls `body` with the rows that match, until it returns false: in the order of their keys, or in that of the index if
  /// the plan follows it. Of each row the columns `wanted` can be read.
  func forEachMatch(
    _ info: ClassInfo, _ plan: QueryPlan, wanted: [Int] = [],
    _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) {
    switch plan.access {
    case .scan: _ = try scanRows(info, nil, plan, body)
    case .primaryKey(let ranges):
      for range in ranges.ranges {
        guard try scanRows(info, range, plan, body) else { return }
      }
    case .index(let column, let ranges):
      guard let index = info.indexes[column] else { return }
      try scanIndex(info, index, column, ranges, plan, wanted, body)
    }
  }

  // MARK: Rows by key

  /// Returns false if `body` did.
  private func scanRows(
    _ info: ClassInfo, _ range: KeyRange?, _ plan: QueryPlan,
    _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) -> Bool {
    let conditions = plan.onRows
    guard let bounds = RowBounds(range, info.table.keyKind) else { return true }
    var wantsMore = true
    if let single = bounds.onlyKey {
      _ = try get(info.table, single) { bytes in
        let row = MatchedRow(info, bytes)
        if conditions.allSatisfy({ $0.matches(row) }) { wantsMore = body(single, row) }
      }
      return wantsMore
    }
    try scan(info.table, from: bounds.first) { key, bytes in
      if let end = bounds.end, key >= end { return false }
      let row = MatchedRow(info, bytes)
      if conditions.allSatisfy({ $0.matches(row) }) { wantsMore = body(key, row) }
      return wantsMore
    }
    return wantsMore
  }

  // MARK: Rows by index

  /// An entry of an index: its row, and the value, nil if it is cut.
  private struct Entry {
    let key: RowKey
    let value: ColumnValue?
  }

  private func scanIndex(
    _ info: ClassInfo, _ index: Table, _ column: Int, _ ranges: KeyRanges, _ plan: QueryPlan,
    _ wanted: [Int], _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) {
    let readsRows = plan.readsRows(for: wanted)
    var entries: [Entry] = []
    var wantsMore = true
    for range in ranges.ranges where wantsMore {
      var failure: StorageError?
      try scan(index, from: .bytes(range.lower)) { key, row in
        guard case .bytes(let bytes) = key else { return false }
        if let upper = range.upper, !bytes.lexicographicallyPrecedes(upper) { return false }
        let value = entryValue(info, column, bytes, row)
        if let value {
          let known = MatchedRow(info, column, value)
          guard plan.onIndex.allSatisfy({ $0.matches(known) }) else { return true }
        }
        let entry = Entry(key: IndexEntry.rowKey(ofEntry: row, info.table.keyKind), value: value)
        guard plan.followsIndex else {
          entries.append(entry)
          return true
        }
        do throws(StorageError) {
          wantsMore = try visit(entry, info, column, plan, readsRows, body)
        } catch { failure = error }
        return wantsMore && failure == nil
      }
      if let failure { throw failure }
    }
    // In the order of the rows, as a scan of the table.
    entries.sort { $0.key < $1.key }
    for entry in entries {
      guard try visit(entry, info, column, plan, readsRows, body) else { return }
    }
  }

  private func entryValue(
    _ info: ClassInfo, _ column: Int, _ key: [UInt8], _ row: UnsafeRawBufferPointer
  ) -> ColumnValue? {
    key.withUnsafeBytes {
      IndexEntry.value(ofKey: $0, rowLength: row.count, info.schema.columns[column].kind)
    }
  }

  /// Returns false if `body` did.
  private func visit(
    _ entry: Entry, _ info: ClassInfo, _ column: Int, _ plan: QueryPlan, _ readsRow: Bool,
    _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) -> Bool {
    if !readsRow, let value = entry.value {
      return body(entry.key, MatchedRow(info, column, value))
    }
    var wantsMore = true
    _ = try get(info.table, entry.key) { bytes in
      let row = MatchedRow(info, bytes)
      let isOnIndex = entry.value != nil || plan.onIndex.allSatisfy { $0.matches(row) }
      if isOnIndex, plan.onRows.allSatisfy({ $0.matches(row) }) { wantsMore = body(entry.key, row) }
    }
    return wantsMore
  }
}

/// A range of encoded keys as keys of a table.
private struct RowBounds {
  /// nil for the first key of the table.
  var first: RowKey?
  /// The first key behind the range; nil if there is none.
  var end: RowKey?

  /// nil if no key of the table is in the range.
  init?(_ range: KeyRange?, _ kind: KeyKind) {
    guard let range else { return }
    guard kind == .int64 else {
      first = .bytes(range.lower)
      end = range.upper.map { .bytes($0) }
      return
    }
    // Integers are not null: all their keys begin with 1.
    if let mark = range.lower.first, mark > 1 { return nil }
    first = Self.integer(range.lower).map { .int($0) }
    guard let upper = range.upper, let mark = upper.first, mark <= 1 else { return }
    guard let number = Self.integer(upper) else { return nil }
    end = .int(number)
  }

  /// The first integer whose encoding is not less than these bytes; nil if they are less than all.
  private static func integer(_ bytes: [UInt8]) -> Int64? {
    guard bytes.first == 1 else { return nil }
    let padded = bytes.dropFirst().prefix(8) + Array(repeating: 0, count: max(0, 9 - bytes.count))
    let number = padded.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: number ^ 1 << 63)
  }

  /// The key of a range that has one key only.
  var onlyKey: RowKey? {
    guard let first, let end, first.next == end else { return nil }
    return first
  }
}
