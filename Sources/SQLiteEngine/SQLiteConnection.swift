// One connection and its statements. Connections are opened without SQLite's own mutex (SQLITE_OPEN_NOMUTEX): the
// contract has one thread at a time in a snapshot and in the write transaction, so that the mutex would only cost time.
import CSQLite
import EngineInterface
import MetricModel
import SystemIO

/// An open connection. Used by one thread at a time. Closes when it goes.
final class Connection: @unchecked Sendable {
  let sqlite: SQLiteLibrary
  let handle: OpaquePointer
  let file: FilePath
  /// Statements kept for the connection's life, finalized with it.
  private var kept: [Statement] = []

  static let pageSize = ByteCount(4096)
  /// Milliseconds that are waited for the locks of others, by default: of another process's writer,
  /// and with a rollback journal of readers and of commits. Writers of this process wait for each other in a mutex.
  static let busyTimeout = 10_000

  /// The two counts of the account, prepared at their first use.
  private var pageCount: Statement?
  private var freePageCount: Statement?
  /// Makes the checkpoints of this connection's commits where they are reported; SQLite has its address.
  private var commitCheckpoints: CommitCheckpoints?

  init(_ sqlite: SQLiteLibrary, _ file: FilePath) throws(EngineError) {
    self.sqlite = sqlite
    self.file = file
    handle = try Self.open(sqlite, file)
    do throws(EngineError) {
      try wait(milliseconds: Self.busyTimeout)
      // Reads the first page: what is no database, or too short for its own header, is refused here.
      _ = try number("SELECT count(*) FROM sqlite_schema")
    } catch {
      // An object whose init throws is deinitialized as well, which closes the connection.
      throw EngineError(
        engine: error.engine, code: error.code, message: "opening \(file): \(error.message)")
    }
  }

  deinit {
    for statement in kept { _ = sqlite.call.finalize(statement.handle) }
    let code = sqlite.call.close(handle)
    precondition(code == SQLITE_OK, "A connection was closed with a statement left open.")
  }

  /// Prepares a statement that is kept as long as the connection.
  func prepare(_ text: String) throws(EngineError) -> Statement {
    let statement = try Statement(sqlite, handle, text)
    kept.append(statement)
    return statement
  }

  /// Prepares a statement for one use.
  func once<Result>(
    _ text: String, _ body: (Statement) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let statement = try Statement(sqlite, handle, text)
    defer { _ = sqlite.call.finalize(statement.handle) }
    return try body(statement)
  }

  private static func open(
    _ sqlite: SQLiteLibrary, _ file: FilePath
  ) throws(EngineError) -> OpaquePointer {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite.call.openV2(file.string, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = sqlite.error(code, opened, while: "opening \(file)")
      _ = sqlite.call.close(opened)
      throw refusedFolder(of: file) ?? error
    }
    _ = sqlite.call.extendedResultCodes(opened, 1)
    // Without the right to write SQLite opens for reading and says so only at the first change.
    if sqlite.call.dbReadonly(opened, "main") == 1 {
      _ = sqlite.call.close(opened)
      throw EngineError(
        engine: sqliteID, code: .permissionDenied,
        message: "opening \(file): it is not writable; give the user the right to write it")
    }
    return opened
  }

  /// Returns the error for a folder in which no file can be created: SQLite then tries to open the file for reading, and
  /// reports that there is none.
  private static func refusedFolder(of file: FilePath) -> EngineError? {
    let folder = file.removingLastComponent()
    guard FileSystem.isFolder(folder), !FileSystem.isWritable(folder) else { return nil }
    return EngineError(
      engine: sqliteID, code: .permissionDenied,
      message: "opening \(file): \(folder) is not writable; give the user the right to write it")
  }

  /// Runs a statement that is not worth keeping.
  func run(_ text: String) throws(EngineError) {
    let code = sqlite.call.exec(handle, text, nil, nil, nil)
    if code != SQLITE_OK { throw sqlite.error(code, handle, while: text) }
  }

  func number(_ text: String) throws(EngineError) -> Int {
    try once(text) { statement throws(EngineError) in try statement.number() }
  }

  /// Sets the time for which statements wait for the locks of others before they fail with `busy`; 0 for not at all.
  func wait(milliseconds: Int) throws(EngineError) {
    let code = sqlite.call.busyTimeout(handle, Int32(clamping: milliseconds))
    if code != SQLITE_OK { throw sqlite.error(code, handle, while: "setting the busy timeout") }
  }

  /// Runs `body` without waiting for locks: one that is taken is an error.
  func withoutWaiting<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try wait(milliseconds: 0)
    let result = try body()
    try wait(milliseconds: Self.busyTimeout)
    return result
  }

  /// Empties the write-ahead log into the file and cuts both; false where a reader or writer is in the way.
  func checkpointAndTruncate() throws(EngineError) -> Bool {
    try !checkpoint(.truncate).isBusy
  }

  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome {
    var logged: Int32 = -1
    var moved: Int32 = -1
    let code = sqlite.call.walCheckpointV2(handle, nil, mode.number, &logged, &moved)
    let isBusy = code & 0xff == SQLITE_BUSY
    guard isBusy || code == SQLITE_OK else {
      throw sqlite.error(code, handle, while: "checkpointing \(file)")
    }
    return CheckpointOutcome(isBusy: isBusy, loggedPages: Int(logged), movedPages: Int(moved))
  }

  /// Reports the checkpoints that commits of this connection make, from now on.
  func observeCheckpoints(
    _ report: @escaping CommitCheckpoints.Report
  ) throws(EngineError) {
    let pages = try number("PRAGMA wal_autocheckpoint")
    guard pages > 0 else { return }
    let checkpoints = CommitCheckpoints(sqlite, minPages: Int32(clamping: pages), report)
    checkpoints.take(handle)
    commitCheckpoints = checkpoints
  }

  /// Pages of the newest version, or of the one that the transaction under way sees.
  func pages() throws(EngineError) -> Int {
    let statement = if let pageCount { pageCount } else { try prepare("PRAGMA page_count") }
    pageCount = statement
    return try statement.number()
  }

  func freePages() throws(EngineError) -> Int {
    let statement =
      if let freePageCount { freePageCount } else { try prepare("PRAGMA freelist_count") }
    freePageCount = statement
    return try statement.number()
  }
}

extension CheckpointMode {
  /// SQLite's number for it.
  fileprivate var number: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}
