// Read transactions: one connection each, from BEGIN to COMMIT.
import CDuckDB
import EngineInterface

/// One pinned version.
final class DuckDBSnapshot: RenewableSnapshot, @unchecked Sendable {
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
    return try statement.forEachChunk { chunk in
      let (keys, values) = (chunk.keys(0), chunk.values(1))
      for row in 0..<chunk.count { body(keys[row], values[row]) }
    }
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    try open.counts[table].numbers(1).first ?? 0
  }

  func refresh() throws(EngineError) {
    if !isReset { try open.end() }
    // Where the next one cannot begin, there is none to end.
    isReset = true
    try open.beginTransaction()
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
  return try statement.forFirstRow { body($0.values(0)[0]) }
}
