// What differs between the version that an instance saw and the one that it sees: computed at most once for each class, and
// shared by all observers of a move. Neither version is pinned for longer than the delivery.
import StorageEngine

/// The two versions of a move.
final class VersionDifference {
  let old: Snapshot
  let new: Snapshot
  private var known: [Table: [ChangedRow]] = [:]
  /// The nodes of trees that were read so far.
  private(set) var nodesRead = 0

  init(from old: Snapshot, to new: Snapshot) {
    self.old = old
    self.new = new
  }

  /// Returns the rows of a table that differ, in the order of their keys.
  func rows(_ table: Table) throws(StorageError) -> [ChangedRow] {
    if let rows = known[table] { return rows }
    var rows: [ChangedRow] = []
    nodesRead += try new.differences(from: old, in: table) { row in
      let key: RowKey =
        switch row.key {
        case .int64(let number): .int(number)
        case .bytes(let bytes): .bytes(Array(bytes))
        }
      rows.append(ChangedRow(key: key, wasThere: row.old != nil, isThere: row.new != nil))
    }
    known[table] = rows
    return rows
  }
}

/// A row that exists in one of two versions only, or has other bytes in each.
struct ChangedRow {
  let key: RowKey
  let wasThere: Bool
  let isThere: Bool
}
