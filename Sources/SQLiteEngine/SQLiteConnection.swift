// One connection and its statements. Connections are opened without SQLite's own mutex (SQLITE_OPEN_NOMUTEX): the
// contract has one thread at a time in a snapshot and in the write transaction, so that the mutex would only cost time.
import CSQLite
import EngineInterface
import MetricModel
import SystemIO

/// An open connection. Used by one thread at a time. Closes when it goes.
final class Connection: @unchecked Sendable {
  let handle: OpaquePointer
  let file: FilePath
  private let pageCount: Statement
  private let freePageCount: Statement

  static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  static let pageSize = ByteCount(4096)
  /// How long a writer waits for one in another process. Inside this process a mutex does, so SQLite never sees two.
  private static let patience: Int32 = 10_000

  init(_ file: FilePath) throws(EngineError) {
    self.file = file
    handle = try Self.open(file)
    do throws(EngineError) {
      // Reads the first page: what is no database, or too short for its own header, is refused here.
      _ = try Statement(handle, "SELECT count(*) FROM sqlite_schema").number()
      pageCount = try Statement(handle, "PRAGMA page_count")
      freePageCount = try Statement(handle, "PRAGMA freelist_count")
    } catch {
      sqlite3_close(handle)
      throw EngineError(
        engine: error.engine, code: error.code, message: "opening \(file): \(error.message)")
    }
  }

  deinit {
    // A connection with open statements would stay: close_v2 ends it when the last of them goes.
    sqlite3_close_v2(handle)
  }

  private static func open(_ file: FilePath) throws(EngineError) -> OpaquePointer {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(file.string, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = EngineError.sqlite(code, opened, while: "opening \(file)")
      sqlite3_close(opened)
      throw error
    }
    sqlite3_extended_result_codes(opened, 1)
    // Without the right to write SQLite opens for reading and says so only at the first change.
    if sqlite3_db_readonly(opened, "main") == 1 {
      sqlite3_close(opened)
      throw EngineError(
        engine: sqliteID, code: .permissionDenied,
        message: "opening \(file): it is not writable; give the user the right to write it")
    }
    return opened
  }

  /// Runs a statement that is not worth keeping.
  func run(_ text: String) throws(EngineError) {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    if code != SQLITE_OK { throw .sqlite(code, handle, while: text) }
  }

  func number(_ text: String) throws(EngineError) -> Int {
    try Statement(handle, text).number()
  }

  /// Waits for other processes' locks instead of failing at once.
  func waitWhenBusy() throws(EngineError) {
    let code = sqlite3_busy_timeout(handle, Self.patience)
    if code != SQLITE_OK { throw .sqlite(code, handle, while: "setting the busy timeout") }
  }

  /// Empties the write-ahead log into the file and cuts both; false where a reader or writer is in the way.
  func checkpointAndTruncate() throws(EngineError) -> Bool {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if code == SQLITE_OK { return true }
    if code & 0xff == SQLITE_BUSY { return false }
    throw .sqlite(code, handle, while: "checkpointing \(file)")
  }

  /// Pages of the newest version, or of the one that the transaction under way sees.
  func pages() throws(EngineError) -> Int { try pageCount.number() }

  func freePages() throws(EngineError) -> Int { try freePageCount.number() }
}

/// A prepared statement. Finalised when it goes.
final class Statement {
  let handle: OpaquePointer

  init(_ connection: OpaquePointer, _ text: String) throws(EngineError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw .sqlite(code, connection, while: text)
    }
    handle = prepared
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs it for its one number.
  func number() throws(EngineError) -> Int {
    let code = sqlite3_step(handle)
    let number = code == SQLITE_ROW ? Int(sqlite3_column_int64(handle, 0)) : 0
    try end(code)
    return number
  }

  /// Runs it to its end.
  func run() throws(EngineError) { try end(sqlite3_step(handle)) }

  /// Makes the statement ready for the next use, which also ends its read lock, and throws what `step` answered.
  @inline(__always)
  func end(_ code: Int32) throws(EngineError) {
    // On the way out of an error, reset answers that error again, and the message stays the connection's.
    if code == SQLITE_ROW || code == SQLITE_DONE {
      sqlite3_reset(handle)
      return
    }
    throw failed(code)
  }

  @inline(never)
  private func failed(_ code: Int32) -> EngineError {
    let text = String(cString: sqlite3_sql(handle))
    let error = EngineError.sqlite(code, sqlite3_db_handle(handle), while: text)
    sqlite3_reset(handle)
    return error
  }
}
