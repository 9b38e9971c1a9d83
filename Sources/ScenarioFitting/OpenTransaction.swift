// The write transaction that a trace is in: what it has done to each table so far.
import TraceFormat

/// What a transaction did to one table.
struct TransactionPart: Sendable {
  var shape: TransactionShape
  /// Operations on rows that existed, as many as are stored.
  var rows: [RowOperation] = []
  var sizes: [Int] = []
  /// Insertions of rows that the table began with.
  var refills = 0
  var rowsBefore = 0
  var rowsAfter = 0
}

/// The rows of a table during the measurement.
struct TrackedTable: Sendable {
  var rows = LiveRows()
  /// The greatest key of the rows that it began with; nil if it began empty.
  var greatestInitialKey: Int64?
  var initialCount = 0
}

struct OpenTransaction {
  /// Operations and sizes of one transaction that are stored; of more, the first. Bounds the memory of a huge transaction.
  static let maxStored = 4096

  private var parts: [TransactionPart] = []
  private var inserted: [(table: Int, key: Int64)] = []
  private var removed: [(table: Int, row: LiveRows.Removed)] = []

  mutating func put(_ record: TraceRecord, _ table: inout TrackedTable) {
    let part = index(of: record.table, table)
    if parts[part].sizes.count < Self.maxStored { parts[part].sizes.append(record.size) }
    if let rank = table.rows.rank(of: record.key) {
      parts[part].shape.updates += 1
      return store(.update, record.key, rank, table.rows.count, part)
    }
    parts[part].shape.inserts += 1
    if let greatest = table.greatestInitialKey, record.key <= greatest { parts[part].refills += 1 }
    table.rows.insert(record.key)
    inserted.append((record.table, record.key))
  }

  mutating func delete(_ record: TraceRecord, _ table: inout TrackedTable) {
    let part = index(of: record.table, table)
    guard let rank = table.rows.rank(of: record.key) else { return }
    store(.delete, record.key, rank, table.rows.count, part)
    if let row = table.rows.remove(record.key) { removed.append((record.table, row)) }
    parts[part].shape.deletes += 1
  }

  mutating func read(_ record: TraceRecord, _ table: borrowing TrackedTable) {
    let part = index(of: record.table, table)
    parts[part].shape.reads += 1
    guard let rank = table.rows.rank(of: record.key) else { return }
    store(.read, record.key, rank, table.rows.count, part)
  }

  private mutating func index(of table: Int, _ tracked: borrowing TrackedTable) -> Int {
    if let known = parts.firstIndex(where: { $0.shape.table == table }) { return known }
    parts.append(
      TransactionPart(shape: TransactionShape(table: table), rowsBefore: tracked.rows.count))
    return parts.count - 1
  }

  private mutating func store(
    _ kind: RowOperation.Kind, _ key: Int64, _ rank: Int, _ rows: Int, _ part: Int
  ) {
    guard parts[part].rows.count < Self.maxStored else { return }
    parts[part].rows.append(RowOperation(kind: kind, key: key, rank: rank, rows: rows))
  }

  /// Undoes the changes of the rows.
  func rollBack(_ tables: inout [TrackedTable]) {
    for (table, key) in inserted.reversed() { _ = tables[table].rows.remove(key) }
    for (table, row) in removed.reversed() { tables[table].rows.restore(row) }
  }

  /// Returns what was done to each table, in the tables' order; one empty part if nothing was.
  func committed(_ tables: inout [TrackedTable]) -> [TransactionPart] {
    for table in Set(removed.map(\.table)) { tables[table].rows.compact() }
    let found = parts.sorted { $0.shape.table < $1.shape.table }.map { part in
      var part = part
      let table = tables[part.shape.table]
      part.rowsAfter = table.rows.count
      // All rows anew; a single row that is replaced is no such thing.
      if part.rowsBefore > 1, part.shape.deletes == part.rowsBefore,
        part.shape.inserts == table.initialCount, part.shape.updates == 0
      {
        part.shape.isReload = true
      }
      return part
    }
    return found.isEmpty ? [TransactionPart(shape: TransactionShape(table: 0))] : found
  }
}
