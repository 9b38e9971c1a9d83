// How a collection changes with the rows that have changed, without finding it anew: c changed rows of n cost c look-ups,
// c log n comparisons, and one copy of the array of keys if objects come, go or move.
import StorageEngine

/// A collection without `distinct`, and of which objects match by their own rows, on its way from one version to the next.
struct CollectionUpdate {
  /// In the order of the collection.
  private(set) var keys: [RowKey]
  private let query: ObjectQuery
  private let info: ClassInfo
  private let difference: VersionDifference
  private let columns: [ColumnPath]

  init(
    _ keys: [RowKey], _ query: ObjectQuery, _ info: ClassInfo, _ difference: VersionDifference
  ) {
    self.keys = keys
    self.query = query
    self.info = info
    self.difference = difference
    columns = query.orderingColumns
  }

  /// A changed row that the collection has or had.
  private struct Member {
    let key: RowKey
    /// The index before, and the values that it is sorted by, now; nil if the row is not in the collection then.
    var oldIndex: Int?
    var values: [ColumnValue]?
    /// Whether it remains in its order among the rows that have not changed.
    var isKept = false
  }

  /// Moves to the new version, and returns what has changed. `linked` are rows that have changed although they are the
  /// same: their collections have, or objects that they link to.
  mutating func apply(
    _ rows: [ChangedRow], _ observed: ObservedColumns, linked: Set<RowKey>
  ) throws(StorageError) -> ChangeSet {
    var others = linked
    for row in rows { others.remove(row.key) }
    let rows = rows + others.map { ChangedRow(key: $0, wasThere: true, isThere: true) }
    var members: [Member] = []
    for row in rows {
      if let member = try member(row) { members.append(member) }
    }
    let leaving = members.filter { !$0.isKept }.compactMap(\.oldIndex).sorted()
    let entering = try insertions(members.filter { !$0.isKept && $0.values != nil }, leaving)
    let set = try changes(members, leaving, entering) { (key) throws(StorageError) in
      if linked.contains(key) { return true }
      return try observed.areChanged(key, difference, info)
    }
    replaceKeys(leaving, entering)
    return set
  }

  private func member(_ row: ChangedRow) throws(StorageError) -> Member? {
    let old = row.wasThere ? try values(row.key, difference.old) : nil
    let new = row.isThere ? try values(row.key, difference.new) : nil
    guard old != nil || new != nil else { return nil }
    var member = Member(key: row.key, values: new)
    if let old {
      let index = try lowerBound(OrderedRow(key: row.key, values: old), keys, difference.old)
      guard index < keys.count, keys[index] == row.key else {
        throw StorageError(.corrupt, "An object of \(info.schema.name) is not at its index.")
      }
      member.oldIndex = index
    }
    // Compared as they sort: both zeros are one value.
    if let old, let new {
      member.isKept = zip(old, new).allSatisfy { !$0.sortsBefore($1) && !$1.sortsBefore($0) }
    }
    return member
  }

  /// Returns the values that a row is sorted by in a version; nil if it does not match.
  private func values(
    _ key: RowKey, _ version: Snapshot, isMember: Bool = false
  ) throws(StorageError) -> [ColumnValue]? {
    var values: [ColumnValue]?
    _ = try version.get(info.table, key) { bytes in
      let row = MatchedRow(info, key, bytes, nil)
      guard isMember || query.condition.matches(row) else { return }
      values = columns.map { row.value($0) }
    }
    return values
  }

  /// Returns the index of the first of `keys`, which are in order in the version, that is not before the row.
  private func lowerBound(
    _ row: OrderedRow, _ keys: [RowKey], _ version: Snapshot
  ) throws(StorageError) -> Int {
    if columns.isEmpty { return keys.lowerBound(of: row.key) }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      let values = try values(keys[middle], version, isMember: true) ?? []
      if query.isOrdered(OrderedRow(key: keys[middle], values: values), before: row) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// A row that enters the collection, in front of the remaining key at `gap`.
  private struct Insertion {
    let row: OrderedRow
    let oldIndex: Int?
    let gap: Int
  }

  /// Returns the rows that enter, in their order.
  private func insertions(
    _ members: [Member], _ leaving: [Int]
  ) throws(StorageError) -> [Insertion] {
    guard !members.isEmpty else { return [] }
    let remaining = keys.removing(leaving)
    var entering: [Insertion] = []
    for member in members {
      guard let values = member.values else { continue }
      let row = OrderedRow(key: member.key, values: values)
      let gap = try lowerBound(row, remaining, difference.new)
      entering.append(Insertion(row: row, oldIndex: member.oldIndex, gap: gap))
    }
    return entering.sorted { query.isOrdered($0.row, before: $1.row) }
  }

  private func changes(
    _ members: [Member], _ leaving: [Int], _ entering: [Insertion],
    _ isModified: (RowKey) throws(StorageError) -> Bool
  ) throws(StorageError) -> ChangeSet {
    var set = ChangeSet()
    var unmoved: Set<Int> = []
    // A row that leaves and enters the same gap has not moved, unless it passed another one that did.
    var last = (gap: -1, oldIndex: -1)
    for (position, insertion) in entering.enumerated() {
      let index = insertion.gap + position
      if let oldIndex = insertion.oldIndex,
        oldIndex - leaving.countBelow(oldIndex) == insertion.gap,
        insertion.gap > last.gap || oldIndex > last.oldIndex
      {
        last = (insertion.gap, oldIndex)
        unmoved.insert(oldIndex)
        if try isModified(insertion.row.key) {
          set.modifications.append(index)
        }
      } else {
        set.insertions.append(index)
      }
    }
    set.deletions = leaving.filter { !unmoved.contains($0) }
    let gaps = entering.map(\.gap)
    for member in members where member.isKept {
      guard let oldIndex = member.oldIndex else { continue }
      let remaining = oldIndex - leaving.countBelow(oldIndex)
      if try isModified(member.key) {
        set.modifications.append(remaining + gaps.countBelow(remaining + 1))
      }
    }
    set.modifications.sort()
    return set
  }

  private mutating func replaceKeys(_ leaving: [Int], _ entering: [Insertion]) {
    guard !leaving.isEmpty || !entering.isEmpty else { return }
    let remaining = keys.removing(leaving)
    guard !entering.isEmpty else {
      keys = remaining
      return
    }
    var next: [RowKey] = []
    next.reserveCapacity(remaining.count + entering.count)
    var start = 0
    for insertion in entering {
      next += remaining[start..<insertion.gap]
      next.append(insertion.row.key)
      start = insertion.gap
    }
    next += remaining[start...]
    keys = next
  }
}

extension [Int] {
  /// Returns how many of these ascending numbers are below a limit.
  fileprivate func countBelow(_ limit: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [RowKey] {
  /// Returns the keys without those at these ascending indices.
  fileprivate func removing(_ indices: [Int]) -> [RowKey] {
    guard !indices.isEmpty else { return self }
    var rest: [RowKey] = []
    rest.reserveCapacity(count - indices.count)
    var start = 0
    for index in indices {
      rest += self[start..<index]
      start = index + 1
    }
    return rest + self[start...]
  }
}
