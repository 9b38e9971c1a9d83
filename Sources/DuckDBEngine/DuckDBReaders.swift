// Connections for snapshots: a read transaction needs a connection to itself, and preparing its statements takes time, so that
// connections are kept.
import CDuckDB
import EngineInterface
import SystemIO

/// A connection that reads, with a statement of each kind for each table.
final class Reader {
  private let connection: Connection
  let rows: [Statement]
  let scans: [Statement]
  let counts: [Statement]
  private let begin: Statement
  private let commit: Statement

  init(_ instance: DuckDBInstance, tables: [String]) throws(EngineError) {
    connection = try Connection(instance)
    var rows: [Statement] = []
    var scans: [Statement] = []
    var counts: [Statement] = []
    for table in tables.map(sqlName) {
      rows.append(try connection.prepare("SELECT value FROM \(table) WHERE key = $1"))
      scans.append(
        try connection.prepare(
          "SELECT key, value FROM \(table) WHERE key >= $1 ORDER BY key LIMIT $2"))
      counts.append(try connection.prepare("SELECT count(*) FROM \(table)"))
    }
    (self.rows, self.scans, self.counts) = (rows, scans, counts)
    begin = try connection.prepare("BEGIN")
    commit = try connection.prepare("COMMIT")
  }

  func beginTransaction() throws(EngineError) { try begin.run() }
  func end() throws(EngineError) { try commit.run() }
}

/// The readers of a session: those at work are counted, those without work are kept.
final class ReaderPool: @unchecked Sendable {
  private let mutex = ThreadMutex()
  /// nil once the session is closed.
  private var instance: DuckDBInstance?
  private let tables: [String]
  private var idle: [Reader] = []
  private var activeCount = 0

  /// More are closed when they come back.
  static let maxIdle = 64

  init(_ instance: DuckDBInstance, tables: [String]) {
    self.instance = instance
    self.tables = tables
  }

  /// A reader whose transaction has begun.
  func take() throws(EngineError) -> Reader {
    let (kept, instance) = try mutex.withLock {
      () throws(EngineError) -> (Reader?, DuckDBInstance) in
      guard let instance = self.instance else { throw .sessionClosed(of: duckDBID) }
      activeCount += 1
      return (idle.popLast(), instance)
    }
    do throws(EngineError) {
      let reader = if let kept { kept } else { try Reader(instance, tables: tables) }
      try reader.beginTransaction()
      return reader
    } catch {
      mutex.withLock { activeCount -= 1 }
      throw error
    }
  }

  /// Takes a reader back; one whose transaction did not end is closed, which ends it.
  func giveBack(_ reader: Reader, hasEnded: Bool) {
    let isClean = hasEnded || (try? reader.end()) != nil
    mutex.withLock {
      activeCount -= 1
      if isClean, idle.count < Self.maxIdle { idle.append(reader) }
    }
  }

  /// Closes the kept connections, and takes what `open` returns for the instance; false where readers are at work.
  func reopen(_ open: () throws(EngineError) -> DuckDBInstance) throws(EngineError) -> Bool {
    try mutex.withLock { () throws(EngineError) in
      if activeCount > 0 { return false }
      idle = []
      instance = nil
      instance = try open()
      return true
    }
  }

  func close() throws(EngineError) {
    try mutex.withLock { () throws(EngineError) in
      if activeCount > 0 { throw .snapshotsHeld(activeCount, of: duckDBID) }
      instance = nil
      idle = []
    }
  }
}
