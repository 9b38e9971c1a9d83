// The table of SQLite's functions: found once, when the engine is first asked for, and called through from then on.
import CSQLite
import SystemIO

/// SQLite as it was found on this machine. The table that it points to is never freed, like the library itself: so this
/// is as cheap to keep as a number, and a call through it costs what a call of a linked function does.
struct SQLiteLibrary: @unchecked Sendable {
  private let table: UnsafePointer<SQLiteFunctions>

  /// SQLite's functions.
  var call: SQLiteFunctions { table.pointee }

  /// The library's own version text.
  var version: String { call.libversion().map { String(cString: $0) } ?? "unknown" }

  /// 3.33.0: since then the schema is a table called `sqlite_schema`.
  private static let oldest: Int32 = 3_033_000

  static let request = LibraryRequest(
    title: "SQLite", names: LibraryRequest.fileNames(of: "sqlite3", version: 0),
    variable: "COMPACTION_LAB_SQLITE",
    cure: "install libsqlite3-0 (Debian, Ubuntu) or sqlite (Homebrew)")

  private static let loaded = Result<SQLiteLibrary, LibraryAbsence> { () throws(LibraryAbsence) in
    try SQLiteLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> SQLiteLibrary { try loaded.get() }

  private init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let table = UnsafeMutablePointer<SQLiteFunctions>.allocate(capacity: 1)
    table.initialize(to: try SQLiteFunctions(library))
    self.table = UnsafePointer(table)
    if call.libversionNumber() < Self.oldest {
      throw library.refused("it is version \(version), and 3.33 or later is needed")
    }
  }
}

/// The functions that the adapter uses, of the types that `sqlite3.h` declares.
struct SQLiteFunctions {
  let libversion: sqlite3_libversion_function
  let libversionNumber: sqlite3_libversion_number_function
  let errstr: sqlite3_errstr_function
  let errmsg: sqlite3_errmsg_function
  let systemErrno: sqlite3_system_errno_function
  let extendedResultCodes: sqlite3_extended_result_codes_function
  let openV2: sqlite3_open_v2_function
  let close: sqlite3_close_function
  let dbReadonly: sqlite3_db_readonly_function
  let busyTimeout: sqlite3_busy_timeout_function
  let exec: sqlite3_exec_function
  let walCheckpointV2: sqlite3_wal_checkpoint_v2_function
  let walHook: sqlite3_wal_hook_function
  let getAutocommit: sqlite3_get_autocommit_function
  let changes: sqlite3_changes_function
  let prepareV3: sqlite3_prepare_v3_function
  let finalize: sqlite3_finalize_function
  let step: sqlite3_step_function
  let reset: sqlite3_reset_function
  let sql: sqlite3_sql_function
  let dbHandle: sqlite3_db_handle_function
  let bindInt64: sqlite3_bind_int64_function
  let bindBlob64: sqlite3_bind_blob64_function
  let bindZeroblob: sqlite3_bind_zeroblob_function
  let bindText: sqlite3_bind_text_function
  let columnInt64: sqlite3_column_int64_function
  let columnText: sqlite3_column_text_function
  let columnBlob: sqlite3_column_blob_function
  let columnBytes: sqlite3_column_bytes_function

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    libversion = try library.function("sqlite3_libversion")
    libversionNumber = try library.function("sqlite3_libversion_number")
    errstr = try library.function("sqlite3_errstr")
    errmsg = try library.function("sqlite3_errmsg")
    systemErrno = try library.function("sqlite3_system_errno")
    extendedResultCodes = try library.function("sqlite3_extended_result_codes")
    openV2 = try library.function("sqlite3_open_v2")
    close = try library.function("sqlite3_close")
    dbReadonly = try library.function("sqlite3_db_readonly")
    busyTimeout = try library.function("sqlite3_busy_timeout")
    exec = try library.function("sqlite3_exec")
    walCheckpointV2 = try library.function("sqlite3_wal_checkpoint_v2")
    walHook = try library.function("sqlite3_wal_hook")
    getAutocommit = try library.function("sqlite3_get_autocommit")
    changes = try library.function("sqlite3_changes")
    prepareV3 = try library.function("sqlite3_prepare_v3")
    finalize = try library.function("sqlite3_finalize")
    step = try library.function("sqlite3_step")
    reset = try library.function("sqlite3_reset")
    sql = try library.function("sqlite3_sql")
    dbHandle = try library.function("sqlite3_db_handle")
    bindInt64 = try library.function("sqlite3_bind_int64")
    bindBlob64 = try library.function("sqlite3_bind_blob64")
    bindZeroblob = try library.function("sqlite3_bind_zeroblob")
    bindText = try library.function("sqlite3_bind_text")
    columnInt64 = try library.function("sqlite3_column_int64")
    columnText = try library.function("sqlite3_column_text")
    columnBlob = try library.function("sqlite3_column_blob")
    columnBytes = try library.function("sqlite3_column_bytes")
  }
}
