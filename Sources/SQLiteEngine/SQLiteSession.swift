// A session: one connection that writes, a pool that reads, and one that measures.
import CSQLite
import EngineInterface
import MetricModel
import SystemIO

/// One process's open SQLite database.
final class SQLiteSession: EngineSession, AutomaticCompactionReporting, Checkpointing, Shortenable,
  PageInspecting, @unchecked Sendable
{
  /// Held from the beginning of a write transaction to its end, on one thread.
  private let writing = ThreadMutex()
  /// Guards the measuring connection.
  private let measuring = ThreadMutex()
  private let readers: ReaderPool
  private let automatic: ShrinkObserver?
  private var writer: Writer?
  private var meter: Connection?
  /// Opened for the first checkpoint, and guarded by `measuring` too. It does not wait for locks.
  private var checkpointer: Connection?
  private let tables: [String]
  private let journal: JournalMode
  /// Milliseconds that the writer waits for others.
  private let busyTimeout: Int

  init(writer: Connection, options: SessionOptions) throws(EngineError) {
    tables = options.tables
    journal = options.log?.journal ?? .writeAhead
    busyTimeout = options.busyTimeout ?? Connection.busyTimeout
    automatic =
      options.automaticCompaction
      ? ShrinkObserver(length: try writer.pages() * Connection.pageSize, mayHaveMoved: true) {
        "auto_vacuum cut pages at \($0); rewritten is the most it can have moved"
      } : nil
    readers = ReaderPool(writer.sqlite, writer.file, tables: options.tables)
    meter = try Connection(writer.sqlite, writer.file)
    if journal == .writeAhead, let report = options.onCheckpoint {
      try writer.observeCheckpoints(report)
    }
    self.writer = try Writer(writer, tables: options.tables)
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    SQLiteSnapshot(try readers.take(), pool: readers)
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    writing.lock()
    do throws(EngineError) {
      guard let writer else { throw .sqliteClosed }
      try writer.begin.run()
      return SQLiteTransaction(writer, session: self)
    } catch {
      writing.unlock()
      throw describingWait(error)
    }
  }

  /// The error with the time that a writer waited for the locks of others, where these are the reason.
  func describingWait(_ error: EngineError) -> EngineError {
    guard error.code == .busy else { return error }
    let other = journal == .writeAhead ? "a writer" : "a reader or writer"
    return EngineError(
      engine: sqliteID, code: .busy,
      message: "\(error.message). \(busyTimeout) ms were waited for \(other) to end")
  }

  /// Called on the transaction's thread.
  func writeEnded(_ writer: Writer, committed: Bool) throws(EngineError) {
    defer { writing.unlock() }
    if committed, let automatic {
      automatic.committed(length: try writer.connection.pages() * Connection.pageSize)
    }
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage {
    try withMeter { meter throws(EngineError) in
      // One transaction, so that all numbers are of one version.
      try meter.run("BEGIN")
      do throws(EngineError) {
        let usage = try meter.spaceUsage()
        try meter.run("COMMIT")
        return usage
      } catch {
        try? meter.run("ROLLBACK")
        throw error
      }
    }
  }

  /// SQLite counts the pages of commits and not those of checkpoints.
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] { automatic?.drain() ?? [] }

  func automaticRefusal() -> String? {
    automatic == nil ? nil : "no commit of this launch left a free page that auto_vacuum could cut"
  }

  /// auto_vacuum is done within each commit.
  func automaticStage() -> AutomaticStage? { nil }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try withMeter { meter throws(EngineError) in
      // SQLite takes an empty file, and would make one that everyone may read. Closed at once: closing it later would end
      // SQLite's locks.
      _ = try CompactedCopy.makeFile(path, forCopyOf: meter.file, engine: sqliteID)
      do throws(EngineError) {
        try meter.once("VACUUM INTO ?1") { statement throws(EngineError) in
          _ = meter.sqlite.call.bindText(statement.handle, 1, path.string, -1, transient)
          try statement.run()
        }
      } catch {
        try? FileSystem.removeFile(path)
        throw error
      }
    }
  }

  func shorten(by most: ByteCount?) throws(EngineError) -> Shortening? {
    writing.lock()
    defer { writing.unlock() }
    guard let connection = writer?.connection else { throw .sqliteClosed }
    guard try connection.autoVacuum == .incremental else { return nil }
    let before = try connection.pages()
    let pages = most.map { $0.bytes / Connection.pageSize.bytes }
    do throws(EngineError) {
      // 0 would be all of them.
      if pages != 0 { try connection.run("PRAGMA incremental_vacuum(\(pages ?? 0))") }
    } catch {
      throw describingWait(error)
    }
    let after = try connection.pages()
    return Shortening(
      before: before * Connection.pageSize, after: after * Connection.pageSize,
      rewritten: (before - after) * Connection.pageSize)
  }

  func pageStatistics() throws(EngineError) -> PageStatistics {
    try withMeter { meter throws(EngineError) in try meter.pageStatistics(of: tables) }
  }

  /// A full one, and what goes further, keeps writers out: ours wait for it as for each other.
  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome {
    guard journal == .writeAhead else {
      throw EngineError(
        engine: sqliteID, code: .unsupported,
        message: "a \(mode.rawValue) checkpoint: there is a rollback journal here, and no log")
    }
    if mode != .passive { writing.lock() }
    defer { if mode != .passive { writing.unlock() } }
    return try withMeter { meter throws(EngineError) in
      let connection: Connection
      if let checkpointer {
        connection = checkpointer
      } else {
        connection = try Connection(meter.sqlite, meter.file)
        try connection.wait(milliseconds: 0)
        checkpointer = connection
      }
      return try connection.checkpoint(mode)
    }
  }

  func close() throws(EngineError) {
    guard writing.tryLock() else {
      throw .writeUnderWay(of: sqliteID)
    }
    defer { writing.unlock() }
    try readers.close()
    measuring.withLock {
      meter = nil
      checkpointer = nil
    }
    // The last connection: SQLite empties the log into the file and removes it.
    writer = nil
  }

  private func withMeter<Result>(
    _ body: (Connection) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try measuring.withLock { () throws(EngineError) in
      guard let meter else { throw .sqliteClosed }
      return try body(meter)
    }
  }
}

/// Makes SQLite copy the bytes that it is given.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
