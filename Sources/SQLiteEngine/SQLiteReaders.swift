// Connections for snapshots. A snapshot needs a connection to itself, and opening one reads the schema: they are kept.
import CSQLite
import EngineInterface
import SystemIO

/// A connection that reads, with a statement of each kind for each table.
final class Reader {
  let connection: Connection
  let rows: [Statement]
  let scans: [Statement]
  let counts: [Statement]
  private let begin: Statement
  private let pin: Statement
  private let commit: Statement

  init(
    _ sqlite: SQLiteLibrary, _ file: FilePath, tables: [String]
  ) throws(EngineError) {
    connection = try Connection(sqlite, file)
    var rows: [Statement] = []
    var scans: [Statement] = []
    var counts: [Statement] = []
    for table in tables.map(quoted) {
      rows.append(try connection.prepare("SELECT value FROM \(table) WHERE key = ?1"))
      scans.append(
        try connection.prepare(
          "SELECT key, value FROM \(table) WHERE key >= ?1 ORDER BY key LIMIT ?2"))
      counts.append(try connection.prepare("SELECT count(*) FROM \(table)"))
    }
    (self.rows, self.scans, self.counts) = (rows, scans, counts)
    begin = try connection.prepare("BEGIN")
    pin = try connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1")
    commit = try connection.prepare("COMMIT")
  }

  /// Begins a read transaction. BEGIN alone pins nothing: the version is chosen by the first read.
  func beginPinned() throws(EngineError) {
    try begin.run()
    do throws(EngineError) {
      try pin.run()
    } catch {
      try? commit.run()
      throw error
    }
  }

  func end() throws(EngineError) { try commit.run() }
}

/// The readers of a session: those at work are counted, those without work are kept.
final class ReaderPool: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private let sqlite: SQLiteLibrary
  private let file: FilePath
  private let tables: [String]
  private var idle: [Reader] = []
  private var atWork = 0
  private var isClosed = false

  /// More are closed when they come back: each has two descriptors and a page cache.
  static let maxIdle = 64

  init(_ sqlite: SQLiteLibrary, _ file: FilePath, tables: [String]) {
    self.sqlite = sqlite
    self.file = file
    self.tables = tables
  }

  /// A reader whose transaction has begun.
  func take() throws(EngineError) -> Reader {
    let kept = try mutex.withLock { () throws(EngineError) -> Reader? in
      if isClosed { throw EngineError.sqliteClosed }
      atWork += 1
      return idle.popLast()
    }
    do throws(EngineError) {
      let reader = if let kept { kept } else { try Reader(sqlite, file, tables: tables) }
      try reader.beginPinned()
      return reader
    } catch {
      mutex.withLock { atWork -= 1 }
      throw error
    }
  }

  /// Takes a reader back; one whose transaction did not end is closed, which ends it.
  func giveBack(_ reader: Reader, hasEnded: Bool) {
    var isClean = true
    if !hasEnded {
      do throws(EngineError) { try reader.end() } catch { isClean = false }
    }
    mutex.lock()
    defer { mutex.unlock() }
    atWork -= 1
    if isClean, idle.count < Self.maxIdle { idle.append(reader) }
  }

  func close() throws(EngineError) {
    try mutex.withLock { () throws(EngineError) in
      if atWork > 0 {
        throw .snapshotsHeld(atWork, of: sqliteID)
      }
      isClosed = true
      idle = []
    }
  }
}
