// The table of libmdbx's functions: found once, when the engine is first asked for, and called through from then on. The
// declarations are ours, so that a library is taken only where its version and the sizes of its structures are theirs.
import CMDBX
import SystemIO

/// libmdbx as it was found on this machine. The table that it points to is never freed, like the library itself: so this
/// is as cheap to keep as a number, and a call through it costs what a call of a linked function does.
struct MDBXLibrary: @unchecked Sendable {
  private let table: UnsafePointer<MDBXFunctions>

  /// libmdbx's functions.
  var call: MDBXFunctions { table.pointee }

  /// `libmdbx 0.13.12`.
  let version: String
  /// Whether it can move pages to make its file shorter: from 0.14 on.
  let defragments: Bool

  static let request = LibraryRequest(
    title: "libmdbx",
    names: LibraryRequest.fileNames(of: "mdbx", version: 0)
      + LibraryRequest.pythonPackageFiles("mdbx/lib/libmdbx"),
    variable: "COMPACTION_LAB_MDBX", option: "--mdbx-library",
    cure: "pip install libmdbx brings it; give another one as --mdbx-library")

  private static let loaded = Result<MDBXLibrary, LibraryAbsence> { () throws(LibraryAbsence) in
    try MDBXLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> MDBXLibrary { try loaded.get() }

  private init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let functions = try MDBXFunctions(library)
    let found = try library.object("mdbx_version", as: MDBX_version_info.self).pointee
    guard found.major == 0, Self.minors.contains(found.minor) else {
      let wanted = "0.\(Self.minors.lowerBound) to 0.\(Self.minors.upperBound)"
      throw library.refused(
        found.major > 255
          ? "it is older than 0.13, and \(wanted) are known"
          : "it is version \(found.major).\(found.minor), and \(wanted) are known")
    }
    version = "libmdbx \(found.major).\(found.minor).\(found.patch)"
    defragments = functions.envDefrag != nil
    try Self.checkSizes(functions, library, isOf14: found.minor == 14)
    // A reader may begin in the thread that has the write transaction: clients of a run take turns in one thread. And it is
    // quiet: 0.14 prints each growth of a file on the terminal, and what fails comes as a result.
    _ = functions.setupDebug(
      MDBX_LOG_FATAL, MDBX_DBG_LEGACY_OVERLAP, UnsafeMutableRawPointer(bitPattern: -1))
    let table = UnsafeMutablePointer<MDBXFunctions>.allocate(capacity: 1)
    table.initialize(to: functions)
    self.table = UnsafePointer(table)
  }

  /// The second numbers of the versions whose structures and values are declared.
  private static let minors: ClosedRange<UInt16> = 13...14

  /// The library describes an environment that is not open yet, where it has a structure of that size.
  private static func checkSizes(
    _ call: MDBXFunctions, _ library: SharedLibrary, isOf14: Bool
  ) throws(LibraryAbsence) {
    var created: OpaquePointer?
    guard call.envCreate(&created) == MDBX_SUCCESS, let created else {
      throw library.refused("it makes no environment")
    }
    defer { _ = call.envCloseEx(created, true) }
    // Room for either.
    var info = MDBX_envinfo_14()
    let size = isOf14 ? MemoryLayout<MDBX_envinfo_14>.size : MemoryLayout<MDBX_envinfo>.size
    guard isOf14 == (call.envDefrag != nil),
      call.envInfoEx(created, nil, &info, size) == MDBX_SUCCESS,
      call.envInfoEx(created, nil, &info, size - 8) != MDBX_SUCCESS
    else {
      throw library.refused("its MDBX_envinfo has another size than that of its version")
    }
  }
}

/// The functions that the adapter uses.
struct MDBXFunctions {
  let strerror: mdbx_strerror_function
  let setupDebug: mdbx_setup_debug_function
  let envCreate: mdbx_env_create_function
  let envSetOption: mdbx_env_set_option_function
  let envSetGeometry: mdbx_env_set_geometry_function
  let envOpen: mdbx_env_open_function
  let envCloseEx: mdbx_env_close_ex_function
  let envInfoEx: mdbx_env_info_ex_function
  let envCopy2fd: mdbx_env_copy2fd_function
  /// The function that shortens a file; nil before version 0.14.
  let envDefrag: mdbx_env_defrag_function?
  let readerList: mdbx_reader_list_function
  let readerCheck: mdbx_reader_check_function
  let txnBeginEx: mdbx_txn_begin_ex_function
  let txnCommit: mdbx_txn_commit_function
  let txnAbort: mdbx_txn_abort_function
  let txnReset: mdbx_txn_reset_function
  let txnRenew: mdbx_txn_renew_function
  let txnId: mdbx_txn_id_function
  let dbiOpen: mdbx_dbi_open_function
  let dbiStat: mdbx_dbi_stat_function
  let get: mdbx_get_function
  let put: mdbx_put_function
  let del: mdbx_del_function
  let cursorOpen: mdbx_cursor_open_function
  let cursorClose: mdbx_cursor_close_function
  let cursorGet: mdbx_cursor_get_function

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    strerror = try library.function("mdbx_strerror")
    setupDebug = try library.function("mdbx_setup_debug")
    envCreate = try library.function("mdbx_env_create")
    envSetOption = try library.function("mdbx_env_set_option")
    envSetGeometry = try library.function("mdbx_env_set_geometry")
    envOpen = try library.function("mdbx_env_open")
    envCloseEx = try library.function("mdbx_env_close_ex")
    envInfoEx = try library.function("mdbx_env_info_ex")
    envCopy2fd = try library.function("mdbx_env_copy2fd")
    envDefrag =
      library.has("mdbx_env_defrag") ? try library.function("mdbx_env_defrag") : nil
    readerList = try library.function("mdbx_reader_list")
    readerCheck = try library.function("mdbx_reader_check")
    txnBeginEx = try library.function("mdbx_txn_begin_ex")
    txnCommit = try library.function("mdbx_txn_commit")
    txnAbort = try library.function("mdbx_txn_abort")
    txnReset = try library.function("mdbx_txn_reset")
    txnRenew = try library.function("mdbx_txn_renew")
    txnId = try library.function("mdbx_txn_id")
    dbiOpen = try library.function("mdbx_dbi_open")
    dbiStat = try library.function("mdbx_dbi_stat")
    get = try library.function("mdbx_get")
    put = try library.function("mdbx_put")
    del = try library.function("mdbx_del")
    cursorOpen = try library.function("mdbx_cursor_open")
    cursorClose = try library.function("mdbx_cursor_close")
    cursorGet = try library.function("mdbx_cursor_get")
  }
}
