// Eviction of the pages that were changed: after a checkpoint, and not when WiredTiger finds that a page takes much memory.
import CWiredTiger
import EngineInterface

/// A row that was written or deleted.
struct RowAddress: Comparable {
  let table: TableIndex
  let key: Int64

  static func < (one: RowAddress, other: RowAddress) -> Bool {
    (one.table, one.key) < (other.table, other.key)
  }
}

/// Evicts pages after checkpoints, when they need not be written for it. Otherwise a page would stay one, and be written as a
/// whole by each checkpoint, however large it grows. Used by one thread at a time.
struct PageEvictor {
  private let connection: WiredTigerConnection
  /// One for each table, of a session whose cursors evict each page that they leave.
  private let cursors: [UnsafeMutablePointer<wt_cursor>]

  init(_ connection: WiredTigerConnection, tables: [String]) throws(EngineError) {
    self.connection = connection
    cursors = try connection.openCursors(
      connection.openSession("debug=(release_evict_page=true)"), tables: tables)
  }

  /// Evicts the pages of rows. In the order of keys, so that a cursor stays on a page for all of its rows.
  func evict(_ rows: [RowAddress]) throws(EngineError) {
    var next = RowAddress(table: 0, key: .min)
    for row in rows.sorted() where row >= next {
      next = try move(to: row)
    }
    for cursor in cursors { try connection.check("evicting pages", cursor.pointee.reset(cursor)) }
  }

  /// Moves a cursor to a row. Returns the first one that it has not passed: where rows were deleted, it moves on to the next
  /// that is there, and otherwise to the last.
  private func move(to row: RowAddress) throws(EngineError) -> RowAddress {
    let end = RowAddress(table: row.table + 1, key: .min)
    let cursor = cursors[row.table]
    var order: Int32 = 0
    wt_cursor_set_key(cursor, row.key)
    let result = cursor.pointee.search_near(cursor, &order)
    if result == WT_NOTFOUND { return end }
    try connection.check("evicting pages", result)
    if order == 0 { return row }
    if order < 0 { return end }
    var found: Int64 = 0
    try connection.check("reading a key", wt_cursor_get_key(cursor, &found))
    return RowAddress(table: row.table, key: found)
  }
}
