// Finding the rows that match a condition, as its plan has it.
import StorageEngine

extension OpenRealm {
  /// Calls `body` with the rows that match, until it returns false: in the order of their keys, or in that of the index if
  /// the plan follows it, or backward. Of each row the columns `wanted` can be read.
  func forEachMatch(
    _ info: ClassInfo, _ plan: QueryPlan, wanted: [ColumnPath] = [], backward: Bool = false,
    _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) {
    let reader = QueryReader(self)
    let search = RowSearch(
      info: info, plan: plan, isBackward: backward, wanted: wanted, reader: reader)
    switch plan.access {
    case .scan: _ = try scanRows(search, nil, body)
    case .primaryKey(let ranges):
      for range in search.inOrder(ranges.ranges) {
        guard try scanRows(search, range, body) else { break }
      }
    case .index(let column, let ranges):
      if let index = info.indexes[column] { try scanIndex(search, index, column, ranges, body) }
    case .backlinks(let column, let targets):
      for key in search.inOrder(try linkingRows(info, column, targets)) {
        guard try visit(Entry(key: key, value: nil), search, nil, body) else { break }
      }
    }
    if let failure = reader.failure { throw failure }
  }

  // MARK: Rows by key

  /// Returns false if `body` did.
  private func scanRows(
    _ search: RowSearch, _ range: KeyRange?, _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) -> Bool {
    let (info, conditions, reader) = (search.info, search.plan.onRows, search.reader)
    guard let bounds = RowBounds(range, info.table.keyKind) else { return true }
    var wantsMore = true
    if let single = bounds.onlyKey {
      _ = try get(info.table, single) { bytes in
        let row = MatchedRow(info, single, bytes, reader)
        if conditions.allSatisfy({ $0.matches(row) }) { wantsMore = body(single, row) }
      }
      return wantsMore
    }
    func visit(_ key: RowKey, _ bytes: UnsafeRawBufferPointer) -> Bool {
      let row = MatchedRow(info, key, bytes, reader)
      if conditions.allSatisfy({ $0.matches(row) }) { wantsMore = body(key, row) }
      return wantsMore
    }
    if search.isBackward {
      try scanBackward(info.table, before: bounds.end) { key, bytes in
        if let first = bounds.first, key < first { return false }
        return visit(key, bytes)
      }
    } else {
      try scan(info.table, from: bounds.first) { key, bytes in
        if let end = bounds.end, key >= end { return false }
        return visit(key, bytes)
      }
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
    _ search: RowSearch, _ index: Table, _ column: Int, _ ranges: KeyRanges,
    _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) {
    let (info, plan) = (search.info, search.plan)
    var entries: [Entry] = []
    var wantsMore = true
    for range in search.inOrder(ranges.ranges) where wantsMore {
      var failure: StorageError?
      try scanIndex(index, range, backward: search.isBackward) { bytes, row in
        let value = entryValue(info, column, bytes, row)
        if let value {
          let known = MatchedRow(info, .int(0), (column, value))
          guard plan.onIndex.allSatisfy({ $0.matches(known) }) else { return true }
        }
        let entry = Entry(key: IndexEntry.rowKey(ofEntry: row, info.table.keyKind), value: value)
        guard plan.followsIndex else {
          entries.append(entry)
          return true
        }
        do throws(StorageError) {
          wantsMore = try visit(entry, search, column, body)
        } catch { failure = error }
        return wantsMore && failure == nil
      }
      if let failure { throw failure }
    }
    // In the order of the rows, as a scan of the table.
    entries.sort { $0.key < $1.key }
    for entry in search.inOrder(entries) {
      guard try visit(entry, search, column, body) else { return }
    }
  }

  /// Calls `body` with the entries of a range, until it returns false.
  private func scanIndex(
    _ index: Table, _ range: KeyRange, backward: Bool,
    _ body: ([UInt8], UnsafeRawBufferPointer) -> Bool
  ) throws(StorageError) {
    if backward {
      try scanBackward(index, before: range.upper.map { .bytes($0) }) { key, row in
        guard case .bytes(let bytes) = key, !bytes.lexicographicallyPrecedes(range.lower) else {
          return false
        }
        return body(bytes, row)
      }
    } else {
      try scan(index, from: .bytes(range.lower)) { key, row in
        guard case .bytes(let bytes) = key else { return false }
        if let upper = range.upper, !bytes.lexicographicallyPrecedes(upper) { return false }
        return body(bytes, row)
      }
    }
  }

  private func entryValue(
    _ info: ClassInfo, _ column: Int, _ key: [UInt8], _ row: UnsafeRawBufferPointer
  ) -> ColumnValue? {
    key.withUnsafeBytes {
      IndexEntry.value(ofKey: $0, rowLength: row.count, info.schema.columns[column].kind)
    }
  }

  /// Passes a row that was found without reading it; `column` is that of the index. Returns false if `body` did.
  private func visit(
    _ entry: Entry, _ search: RowSearch, _ column: Int?, _ body: (RowKey, MatchedRow) -> Bool
  ) throws(StorageError) -> Bool {
    let (info, plan) = (search.info, search.plan)
    if !search.readsRows, column == nil || entry.value != nil {
      let known = column.flatMap { column in entry.value.map { (column, $0) } }
      return body(entry.key, MatchedRow(info, entry.key, known))
    }
    var wantsMore = true
    _ = try get(info.table, entry.key) { bytes in
      let row = MatchedRow(info, entry.key, bytes, search.reader)
      let isOnIndex = entry.value != nil || plan.onIndex.allSatisfy { $0.matches(row) }
      if isOnIndex, plan.onRows.allSatisfy({ $0.matches(row) }) { wantsMore = body(entry.key, row) }
    }
    return wantsMore
  }

  // MARK: Rows by backlinks

  /// Returns the keys of the rows that link to one of the targets, in order.
  private func linkingRows(
    _ info: ClassInfo, _ column: Int, _ targets: LinkTargets
  ) throws(StorageError) -> [RowKey] {
    guard let backlinks = info.file.columns[info.positions[column]].backlinks else { return [] }
    var targetKeys: [RowKey] = []
    switch targets {
    case .keys(let keys): targetKeys = keys
    case .found(let target, let plan):
      try forEachMatch(target, plan) { key, _ in
        targetKeys.append(key)
        return true
      }
    }
    var found: Set<RowKey> = []
    for target in targetKeys {
      for row in try rows(backlinks, prefix: ElementKey.prefix(target)) {
        if let key = row.key.withUnsafeBytes({ RowKey(linkBytes: $0) }) { found.insert(key) }
      }
    }
    return found.sorted()
  }
}

/// What is searched in one class.
private struct RowSearch {
  let info: ClassInfo
  let plan: QueryPlan
  let isBackward: Bool
  let reader: QueryReader
  /// Whether the conditions, or what is wanted, need more than an index has.
  let readsRows: Bool

  init(
    info: ClassInfo, plan: QueryPlan, isBackward: Bool, wanted: [ColumnPath], reader: QueryReader
  ) {
    self.info = info
    self.plan = plan
    self.isBackward = isBackward
    self.reader = reader
    readsRows = plan.readsRows(for: wanted)
  }

  func inOrder<Element>(_ elements: [Element]) -> [Element] {
    isBackward ? elements.reversed() : elements
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
