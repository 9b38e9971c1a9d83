// The table of LMDB's functions: found once, when the engine is first asked for, and called through from then on.
import CLMDB
import SystemIO

/// LMDB as it was found on this machine. The table that it points to is never freed, like the library itself: so this
/// is as cheap to keep as a number, and a call through it costs what a call of a linked function does.
struct LMDBLibrary: @unchecked Sendable {
  private let table: UnsafePointer<LMDBFunctions>

  /// LMDB's functions.
  var call: LMDBFunctions { table.pointee }

  /// The library's own version text.
  var version: String { call.version(nil, nil, nil).map { String(cString: $0) } ?? "unknown" }

  static let request = LibraryRequest(
    title: "LMDB", names: LibraryRequest.fileNames(of: "lmdb", version: 0),
    variable: "COMPACTION_LAB_LMDB",
    cure: "install liblmdb0 (Debian, Ubuntu) or lmdb (Homebrew)")

  private static let loaded = Result<LMDBLibrary, LibraryAbsence> { () throws(LibraryAbsence) in
    try LMDBLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> LMDBLibrary { try loaded.get() }

  private init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let table = UnsafeMutablePointer<LMDBFunctions>.allocate(capacity: 1)
    table.initialize(to: try LMDBFunctions(library))
    self.table = UnsafePointer(table)
    // The structures of `lmdb.h`, and the file that is walked before it is opened, are those of one minor version.
    var (major, minor) = (Int32(), Int32())
    _ = call.version(&major, &minor, nil)
    if major != MDB_VERSION_MAJOR || minor != MDB_VERSION_MINOR {
      throw library.refused(
        "it is version \(major).\(minor), and \(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR) is needed")
    }
  }
}

/// The functions that the adapter uses, of the types that `lmdb.h` declares.
struct LMDBFunctions {
  let version: mdb_version_function
  let strerror: mdb_strerror_function
  let envCreate: mdb_env_create_function
  let envSetMapsize: mdb_env_set_mapsize_function
  let envSetMaxreaders: mdb_env_set_maxreaders_function
  let envSetMaxdbs: mdb_env_set_maxdbs_function
  let envOpen: mdb_env_open_function
  let envClose: mdb_env_close_function
  let envStat: mdb_env_stat_function
  let envInfo: mdb_env_info_function
  let envCopyFD2: mdb_env_copyfd2_function
  let readerList: mdb_reader_list_function
  let readerCheck: mdb_reader_check_function
  let txnBegin: mdb_txn_begin_function
  let txnCommit: mdb_txn_commit_function
  let txnAbort: mdb_txn_abort_function
  let txnReset: mdb_txn_reset_function
  let txnRenew: mdb_txn_renew_function
  let txnId: mdb_txn_id_function
  let dbiOpen: mdb_dbi_open_function
  let stat: mdb_stat_function
  let get: mdb_get_function
  let put: mdb_put_function
  let del: mdb_del_function
  let cursorOpen: mdb_cursor_open_function
  let cursorRenew: mdb_cursor_renew_function
  let cursorClose: mdb_cursor_close_function
  let cursorGet: mdb_cursor_get_function

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    version = try library.function("mdb_version")
    strerror = try library.function("mdb_strerror")
    envCreate = try library.function("mdb_env_create")
    envSetMapsize = try library.function("mdb_env_set_mapsize")
    envSetMaxreaders = try library.function("mdb_env_set_maxreaders")
    envSetMaxdbs = try library.function("mdb_env_set_maxdbs")
    envOpen = try library.function("mdb_env_open")
    envClose = try library.function("mdb_env_close")
    envStat = try library.function("mdb_env_stat")
    envInfo = try library.function("mdb_env_info")
    envCopyFD2 = try library.function("mdb_env_copyfd2")
    readerList = try library.function("mdb_reader_list")
    readerCheck = try library.function("mdb_reader_check")
    txnBegin = try library.function("mdb_txn_begin")
    txnCommit = try library.function("mdb_txn_commit")
    txnAbort = try library.function("mdb_txn_abort")
    txnReset = try library.function("mdb_txn_reset")
    txnRenew = try library.function("mdb_txn_renew")
    txnId = try library.function("mdb_txn_id")
    dbiOpen = try library.function("mdb_dbi_open")
    stat = try library.function("mdb_stat")
    get = try library.function("mdb_get")
    put = try library.function("mdb_put")
    del = try library.function("mdb_del")
    cursorOpen = try library.function("mdb_cursor_open")
    cursorRenew = try library.function("mdb_cursor_renew")
    cursorClose = try library.function("mdb_cursor_close")
    cursorGet = try library.function("mdb_cursor_get")
  }
}
