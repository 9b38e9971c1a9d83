// Read transactions: one connection each, from BEGIN and a first read to COMMIT.
import CSQLite
import EngineInterface

/// One pinned version.
final class SQLiteSnapshot: RenewableSnapshot, @unchecked Sendable {
  private var reader: Reader?
  /// Whether the transaction has ended, and the connection is kept for the next.
  private var isReset = false
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
    statement.bind(key, at: 1)
    statement.bind(Int64(limit), at: 2)
    var seen = 0
    var code = statement.step()
    while code == SQLITE_ROW {
      body(statement.number(inColumn: 0), statement.bytes(inColumn: 1))
      seen += 1
      code = statement.step()
    }
    try statement.end(code)
    return seen
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int { try open.counts[table].number() }

  func refresh() throws(EngineError) {
    if !isReset { try open.end() }
    // Where the next one cannot begin, there is none to end.
    isReset = true
    try open.beginPinned()
    isReset = false
  }

  func reset() {
    // One that could not end is ended by the next `refresh`, or its failure.
    if !isReset { isReset = (try? open.end()) != nil }
  }

  func end() {
    guard let reader else { return }
    self.reader = nil
    pool.giveBack(reader, hasEnded: isReset)
  }

  private var open: Reader {
    guard let reader else { preconditionFailure("A snapshot was used after its end.") }
    return reader
  }
}

/// A point read, the same in snapshots and write transactions.
@inline(__always)
func readRow(
  _ statement: Statement, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
) throws(EngineError) -> Bool {
  statement.bind(key, at: 1)
  let code = statement.step()
  if code == SQLITE_ROW { body(statement.bytes(inColumn: 0)) }
  try statement.end(code)
  return code == SQLITE_ROW
}
