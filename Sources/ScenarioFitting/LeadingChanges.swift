// The commits with which a phase begins while each only deletes rows, or inserts rows again that the table began with: what
// `delete` and `refill` of a phase do before its clients run. If they turn out to be no such change, they are transactions
// like others.
import ScenarioModel

struct LeadingChanges: Sendable {
  private struct Table {
    var rowsBefore = 0
    var deleted = 0
    /// Deletions of the oldest row, and of a row behind the one deleted before.
    var oldest = 0
    var ascending = 0
    var last = -1
  }

  /// A share of all rows deleted, or missing rows inserted.
  struct Change: Sendable, Equatable {
    var refills = false
    var deletedRows: DeletedRows?
    /// Rows before and deleted rows, of each table.
    var deletions: [Deletion] = []
    var batch = 0
    var commits = 0
  }

  struct Deletion: Sendable, Equatable {
    var rows: Int
    var deleted: Int
  }

  private(set) var work = WorkTable()
  private(set) var commits = 0
  private var tables: [Int: Table] = [:]
  private var refilled = 0
  private var batches: [Int] = []
  private(set) var isOver = false

  /// Adds a commit if it is one of those. Otherwise they are over.
  mutating func add(_ parts: [TransactionPart]) -> Bool {
    guard !isOver, parts.count == 1, let part = parts.first, part.shape.reads == 0,
      !part.shape.isReload
    else { return end() }
    let shape = part.shape
    if shape.deletes > 0, shape.inserts + shape.updates == 0 {
      add(part.rows, of: shape.table, deleted: shape.deletes)
    } else if shape.inserts > 0, shape.inserts == part.refills, shape.updates + shape.deletes == 0 {
      refilled += shape.inserts
    } else {
      return end()
    }
    commits += 1
    batches.append(shape.operations)
    work.add(shape, part.rows, sizes: part.sizes)
    return true
  }

  private mutating func end() -> Bool {
    isOver = true
    return false
  }

  private mutating func add(_ rows: [RowOperation], of table: Int, deleted: Int) {
    var found = tables[table] ?? Table()
    if found.deleted == 0 { found.rowsBefore = rows.first?.rows ?? 0 }
    for (index, row) in rows.enumerated() {
      if row.rank == 0 { found.oldest += 1 }
      // The rank that it had before those deletions.
      let original = row.rank + found.deleted + index
      if original > found.last { found.ascending += 1 }
      found.last = original
    }
    found.deleted += deleted
    tables[table] = found
  }

  /// Returns the change; nil if these are transactions of a client. `rows` are those of each table afterwards.
  func change(isFollowed: Bool, rows: [Int]) -> Change? {
    guard commits > 0, let batch = batches.max() else { return nil }
    // Of each table the last batch may be smaller.
    guard batches.count(where: { $0 < batch }) <= 2 * rows.count else { return nil }
    var change = Change(refills: refilled > 0, batch: batch, commits: commits)
    let found = tables.sorted { $0.key < $1.key }.map(\.value)
    guard !found.isEmpty else { return change }
    change.deletions = found.map { Deletion(rows: $0.rowsBefore, deleted: $0.deleted) }
    let total = found.reduce(0) { $0 + $1.deleted }
    let share = Double(total) / Double(max(1, found.reduce(0) { $0 + $1.rowsBefore }))
    guard share >= 0.01, isOfAllTables(share, rows) else { return nil }
    if found.reduce(0, { $0 + $1.oldest }) * 100 >= total * 99 {
      change.deletedRows = .first
    } else if found.reduce(0, { $0 + $1.ascending }) * 100 >= total * 99 {
      change.deletedRows = .spread
    } else {
      // A client that deletes random rows does the same, and describes it more closely.
      guard isFollowed else { return nil }
      change.deletedRows = .random
    }
    return change
  }

  /// Whether this share was deleted of every table, as far as whole rows allow.
  private func isOfAllTables(_ share: Double, _ rows: [Int]) -> Bool {
    rows.indices.allSatisfy { index in
      let deleted = tables[index]?.deleted ?? 0
      let before = tables[index]?.rowsBefore ?? rows[index]
      return abs(Double(deleted) - share * Double(before)) <= 1 + 0.02 * Double(before)
    }
  }
}
