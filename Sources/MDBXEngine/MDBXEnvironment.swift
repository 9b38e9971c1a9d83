// One libmdbx environment with its tables: how it is opened, and nothing about its users.
import CMDBX
import EngineInterface
import MDBInterface
import MetricModel
import SystemIO

/// The settings with which an environment is opened.
struct EnvironmentSetup {
  let mdbx: MDBXLibrary
  var file: FilePath
  var tables: [String]
  var durability: Durability
  var geometry: FileGeometry
  /// Whether libmdbx may cut the file.
  var cuts: Bool
  /// Whether this process alone may open the file: refused (`busy`) while another has it open.
  var isExclusive = false

  /// libmdbx's own steps, 16 MiB of growth and 32 MiB that are cut, would hide what happens in files of some megabytes:
  /// these grow by less and, unless one asks for it, are not cut, as they would not be by those.
  static let growthStep = ByteCount(256 << 10)

  init(mdbx: MDBXLibrary, file: FilePath, options: SessionOptions) {
    self.mdbx = mdbx
    self.file = file
    tables = options.tables
    durability = options.durability
    geometry = options.geometry ?? FileGeometry()
    geometry.growthStep = geometry.growthStep ?? Self.growthStep
    geometry.shrinkThreshold = geometry.shrinkThreshold ?? .zero
    cuts = geometry.shrinkThreshold ?? .zero > .zero
    if let most = options.maximumMappedBytes.map({ ByteCount($0) }) {
      geometry.upper = min(geometry.upper ?? most, most)
    }
  }
}

/// An open environment. Closes when it goes.
final class Environment {
  let mdbx: MDBXLibrary
  let handle: OpaquePointer
  /// The session's tables, by `TableIndex`.
  let tables: [MDBX_dbi]
  /// Every table in the file, for the account of space: the session's, and others that are only in the file.
  let allTables: [MDBX_dbi]
  let pageSize: Int
  let file: FilePath

  /// Address space, not memory nor disk: the file grows into it without being mapped again.
  static let maxMapSize = 64 << 30
  static let minMapSize = 64 << 20
  /// Entries in the reader table.
  static let readers: UInt64 = 1022
  /// The bytes that may be unsynced before a commit syncs, without durability. libmdbx reuses no page that was freed after
  /// the last synced version, so without a bound its file would grow with every commit.
  static let unsynced = 1 << 20
  /// Tables that a file may have beside the session's.
  private static let otherTables = 64

  init(_ setup: EnvironmentSetup) throws(EngineError) {
    mdbx = setup.mdbx
    file = setup.file
    handle = try Self.openMapped(setup)
    do throws(EngineError) {
      let opened = try Self.openTables(handle, setup)
      tables = opened.session
      allTables = opened.all
      pageSize = try mdbx.facts(handle, nil).pageSize
    } catch {
      _ = mdbx.call.envCloseEx(handle, true)
      throw error
    }
  }

  deinit { _ = mdbx.call.envCloseEx(handle, false) }

  /// Returns libmdbx's figures of the environment, as of the newest version or of the one that a transaction sees.
  func facts(_ transaction: OpaquePointer? = nil) throws(EngineError) -> EnvironmentFacts {
    try mdbx.facts(handle, transaction)
  }

  /// Reserves as much address space as the process may have, halving where a limit forbids it.
  private static func openMapped(_ setup: EnvironmentSetup) throws(EngineError) -> OpaquePointer {
    var upper = setup.geometry.upper?.bytes ?? maxMapSize
    while true {
      let (handle, code) = try open(setup, upper: upper)
      if let handle { return handle }
      if code != SystemError.noMemory || upper <= minMapSize {
        throw setup.mdbx.error(code, while: "opening \(setup.file)")
      }
      upper /= 2
    }
  }

  private static func open(
    _ setup: EnvironmentSetup, upper: Int
  ) throws(EngineError) -> (OpaquePointer?, code: Int32) {
    let mdbx = setup.mdbx
    var created: OpaquePointer?
    try mdbx.check(mdbx.call.envCreate(&created), "making an environment")
    guard let handle = created else { preconditionFailure("libmdbx made no environment.") }
    func refused(_ code: Int32) -> (OpaquePointer?, code: Int32) {
      _ = mdbx.call.envCloseEx(handle, true)
      return (nil, code)
    }
    let geometry = setup.geometry
    // libmdbx would cut a file that exists to the size that it is told to begin with.
    let present = (try? FileSystem.size(of: setup.file).bytes) ?? -1
    var code = mdbx.call.envSetGeometry(
      handle, geometry.lower?.bytes ?? 0, min(present, upper), upper,
      geometry.growthStep?.bytes ?? -1,
      geometry.shrinkThreshold?.bytes ?? -1, -1)
    if code != MDBX_SUCCESS { return refused(code) }
    _ = mdbx.call.envSetOption(handle, MDBX_opt_max_readers, readers)
    _ = mdbx.call.envSetOption(
      handle, MDBX_opt_max_db, UInt64(setup.tables.count + otherTables))
    var flags = MDBX_NOSUBDIR | MDBX_NOSTICKYTHREADS
    if setup.durability == .none { flags |= MDBX_SAFE_NOSYNC }
    if setup.isExclusive { flags |= MDBX_EXCLUSIVE }
    code = mdbx.call.envOpen(handle, setup.file.string, UInt32(flags), 0o644)
    if code == MDBX_SUCCESS, setup.durability == .none {
      code = mdbx.call.envSetOption(handle, MDBX_opt_sync_bytes, UInt64(unsynced))
    }
    return code == MDBX_SUCCESS ? (handle, code) : refused(code)
  }

  /// Makes the session's tables where they are missing and opens all others, in one transaction that writes nothing
  /// when there is nothing to make.
  private static func openTables(
    _ handle: OpaquePointer, _ setup: EnvironmentSetup
  ) throws(EngineError) -> (session: [MDBX_dbi], all: [MDBX_dbi]) {
    let mdbx = setup.mdbx
    var begun: OpaquePointer?
    try mdbx.check(
      mdbx.call.txnBeginEx(handle, nil, 0, &begun, nil), "opening the tables of \(setup.file)")
    guard let transaction = begun else { preconditionFailure("libmdbx began no transaction.") }
    var session: [MDBX_dbi] = []
    var all: [MDBX_dbi] = []
    do throws(EngineError) {
      for name in setup.tables {
        session.append(try table(name, flags: MDBX_CREATE | MDBX_INTEGERKEY, mdbx, transaction))
      }
      all = session
      for name in try names(mdbx, transaction) where !setup.tables.contains(name) {
        all.append(try table(name, flags: MDBX_DB_ACCEDE, mdbx, transaction))
      }
    } catch {
      _ = mdbx.call.txnAbort(transaction)
      throw error
    }
    // Whether it succeeds or not, the transaction is gone afterwards.
    try mdbx.check(mdbx.call.txnCommit(transaction), "making the tables of \(setup.file)")
    return (session, all)
  }

  private static func table(
    _ name: String, flags: Int32, _ mdbx: MDBXLibrary, _ transaction: OpaquePointer
  ) throws(EngineError) -> MDBX_dbi {
    var table = MDBX_dbi()
    try mdbx.check(
      mdbx.call.dbiOpen(transaction, name, UInt32(flags), &table), "opening table \(name)")
    return table
  }

  /// The names in the main table.
  private static func names(
    _ mdbx: MDBXLibrary, _ transaction: OpaquePointer
  ) throws(EngineError) -> [String] {
    var names: [String] = []
    try mdbx.forEachRecord(transaction, CoreTable.main, "listing the tables") { name, _ in
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}

/// The tables that every file has.
enum CoreTable {
  /// The free database: each record's key is the transaction that freed the pages, its value their count and numbers.
  static let free: MDBX_dbi = 0
  /// The table of tables.
  static let main: MDBX_dbi = 1
}
