// Read transactions: one connection each, from BEGIN and a first read to COMMIT.
import CSQLite
import EngineInterface

/// One pinned version.
final class SQLiteSnapshot: EngineSnapshot, @unchecked Sendable {
  private var reader: Reader?
  private let pool: ReaderPool

  init(_ reader: Reader, pool: ReaderPool) {
    self.reader = reader
    self.pool = pool
  }

  deinit { end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try readRow(open.rows[table], key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    let statement = open.scans[table]
    sqlite3_bind_int64(statement.handle, 1, key)
    sqlite3_bind_int64(statement.handle, 2, Int64(limit))
    var seen = 0
    var code = sqlite3_step(statement.handle)
    while code == SQLITE_ROW {
      body(sqlite3_column_int64(statement.handle, 0), statement.bytes(inColumn: 1))
      seen += 1
      code = sqlite3_step(statement.handle)
    }
    try statement.end(code)
    return seen
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int { try open.counts[table].number() }

  func refresh() throws(EngineError) {
    try open.end()
    try open.beginPinned()
  }

  func end() {
    guard let reader else { return }
    self.reader = nil
    pool.giveBack(reader)
  }

  private var open: Reader {
    guard let reader else { preconditionFailure("A snapshot was used after its end.") }
    return reader
  }
}

extension Statement {
  /// A column's bytes: valid until the statement's next step or reset. SQLite has no address for an empty value.
  @inline(__always)
  func bytes(inColumn column: Int32) -> UnsafeRawBufferPointer {
    let address = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: address, count: address == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}

/// A point read, the same in snapshots and write transactions.
@inline(__always)
func readRow(
  _ statement: Statement, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
) throws(EngineError) -> Bool {
  sqlite3_bind_int64(statement.handle, 1, key)
  let code = sqlite3_step(statement.handle)
  if code == SQLITE_ROW { body(statement.bytes(inColumn: 0)) }
  try statement.end(code)
  return code == SQLITE_ROW
}
