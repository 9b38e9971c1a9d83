// A session: one connection that writes, a pool that reads, and one that measures.
import CDuckDB
import EngineInterface
import MetricModel
import SystemIO

/// One process's open DuckDB database.
final class DuckDBSession: EngineSession, AutomaticCompactionReporting, @unchecked Sendable {
  /// Held from the beginning of a write transaction to its end, on one thread.
  private let writing = ThreadMutex()
  private let claim: FolderClaim
  private let setup: DatabaseSetup
  private let tables: [String]
  private let readers: ReaderPool
  private let account: SpaceAccount
  private let automatic: ShrinkObserver?
  private let onCheckpoint: (@Sendable (UInt64, UInt64) -> Void)?
  private var writer: Writer?
  /// The log's length after the last commit. Guarded by `writing`.
  private var loggedBytes = ByteCount.zero
  /// Whether a checkpoint failed, with which DuckDB refuses all work until the database is opened again. Guarded by `writing`.
  private var needsOpening = false
  /// Whether commits wait for a longer log than usual before they try a checkpoint again. Guarded by `writing`.
  private var defersCheckpoints = false

  private var files: DatabaseFiles { setup.files }

  init(
    _ instance: DuckDBInstance, _ setup: DatabaseSetup, _ options: SessionOptions,
    claim: FolderClaim
  ) throws(EngineError) {
    self.claim = claim
    self.setup = setup
    tables = options.tables
    writer = try Writer(instance, tables: options.tables)
    readers = ReaderPool(instance, tables: options.tables)
    account = try SpaceAccount(instance, setup.files, tables: options.tables)
    onCheckpoint = options.onCheckpoint
    automatic =
      setup.vacuums
      ? ShrinkObserver(length: try setup.files.fileBytes(), mayHaveMoved: true) {
        "checkpoints cut free blocks at \($0); rewritten is the most that can have been moved"
      } : nil
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    DuckDBSnapshot(try readers.take(), pool: readers)
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    writing.lock()
    do throws(EngineError) {
      if needsOpening { try openAgain() }
      guard let writer else { throw .sessionClosed(of: duckDBID) }
      try writer.begin.run()
      return DuckDBTransaction(writer, session: self)
    } catch {
      writing.unlock()
      throw error
    }
  }

  var reportsCheckpoints: Bool { onCheckpoint != nil }

  /// Called on the transaction's thread after a commit that began at that time.
  func committed(since begin: UInt64) {
    account.committed()
    if let automatic, let length = try? files.fileBytes() { automatic.committed(length: length) }
    guard onCheckpoint != nil || defersCheckpoints, let logged = try? files.logBytes() else {
      return
    }
    // A commit adds to the log; only a checkpoint empties it.
    if logged < loggedBytes {
      onCheckpoint?(begin, Clock.monotonicNanoseconds())
      if defersCheckpoints { restoreThreshold() }
    }
    loggedBytes = logged
  }

  /// Called on the transaction's thread after a commit that is durable, and whose checkpoint failed.
  func checkpointFailed() {
    account.committed()
    needsOpening = true
    // If it cannot be, the next write transaction tries again and reports the error.
    try? openAgain()
  }

  /// Opens the database again after a checkpoint failed. The next one is tried when the log has twice its length: each opening
  /// replays it. Called with `writing` held.
  private func openAgain() throws(EngineError) {
    writer = nil
    account.close()
    var reopening = setup
    loggedBytes = try files.logBytes()
    reopening.checkpointThreshold = max(setup.checkpointThreshold, 2 * loggedBytes.bytes)
    var opened: DuckDBInstance?
    let isOpen = try readers.reopen { () throws(EngineError) in
      let instance = try DuckDBInstance(reopening, isNew: false)
      opened = instance
      return instance
    }
    guard isOpen, let opened else {
      throw EngineError(
        engine: duckDBID, code: .outOfSpace,
        message: "a checkpoint failed; free disk space, and end the snapshots that are held")
    }
    writer = try Writer(opened, tables: tables)
    try account.open(opened, tables: tables)
    (needsOpening, defersCheckpoints) = (false, true)
  }

  private func restoreThreshold() {
    defersCheckpoints =
      (try? account.withConnection { connection throws(EngineError) in
        try connection.run("SET checkpoint_threshold = '\(setup.checkpointThreshold) bytes'")
      }) == nil
  }

  /// Called on the transaction's thread.
  func writeEnded() { writing.unlock() }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try account.usage() }

  /// DuckDB does not count them.
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] { automatic?.drain() ?? [] }

  func automaticRefusal() -> String? {
    automatic == nil
      ? nil : "no checkpoint of this launch left free blocks at the end of the file"
  }

  /// Checkpoints are made within commits.
  func automaticStage() -> AutomaticStage? { nil }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try account.withConnection { connection throws(EngineError) in
      try DatabaseCopy(files, at: path).write(by: connection)
    }
  }

  func close() throws(EngineError) {
    guard writing.tryLock() else { throw .writeUnderWay(of: duckDBID) }
    defer { writing.unlock() }
    try readers.close()
    account.close()
    // The last connection: with it the instance goes, which moves the log into the file and removes it.
    writer = nil
    claim.release()
  }
}
