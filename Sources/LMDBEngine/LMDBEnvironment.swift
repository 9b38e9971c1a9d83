// One LMDB environment with its tables: how it is opened, and nothing about its users.
import CLMDB
import EngineInterface
import MDBInterface
import SystemIO

/// The settings with which an environment is opened.
struct EnvironmentSetup {
  let lmdb: LMDBLibrary
  var file: FilePath
  var tables: [String]
  var durability: Durability
  /// The most that is mapped; nil for as much as the process may have.
  var mapSize: Int?
  /// Whether no more may be mapped either when another process has made the file larger.
  var isLimited: Bool
  /// Whether the environment is opened without LMDB's locks, while this process alone has the file.
  var isUnlocked = false

  init(lmdb: LMDBLibrary, file: FilePath, options: SessionOptions) {
    self.lmdb = lmdb
    self.file = file
    tables = options.tables
    durability = options.durability
    mapSize = options.maximumMappedBytes
    isLimited = options.maximumMappedBytes != nil
  }
}

/// An open environment. Closes when it goes.
final class Environment {
  let lmdb: LMDBLibrary
  let handle: OpaquePointer
  /// The session's tables, by `TableIndex`.
  let tables: [MDB_dbi]
  /// Every table in the file, for the account of space: the session's, and others that are only in the file.
  let allTables: [MDB_dbi]
  let pageSize: Int
  let file: FilePath
  private let isLimited: Bool

  /// Address space, not memory nor disk: the file grows into it without being mapped again.
  static let maxMapSize = 64 << 30
  static let minMapSize = 64 << 20
  /// Entries in the reader table; each is 64 bytes of the lock file.
  static let readers: UInt32 = 1022
  /// Tables that a file may have beside the session's.
  private static let otherTables = 64

  init(_ setup: EnvironmentSetup) throws(EngineError) {
    lmdb = setup.lmdb
    file = setup.file
    isLimited = setup.isLimited
    handle = try Self.openMapped(setup)
    do throws(EngineError) {
      let opened = try Self.openTables(handle, setup)
      tables = opened.session
      allTables = opened.all
      var facts = MDB_stat()
      try lmdb.check(lmdb.call.envStat(handle, &facts), "asking for the page size")
      pageSize = Int(facts.ms_psize)
    } catch {
      lmdb.call.envClose(handle)
      throw error
    }
  }

  deinit { lmdb.call.envClose(handle) }

  /// Maps the file as large as another process has made it, where no limit forbids that. There must be no transaction
  /// in this process.
  func adoptLargerMap() throws(EngineError) {
    if isLimited {
      throw EngineError(
        engine: lmdbID, code: .outOfSpace,
        message: """
          another process made \(file) larger than this one may map; raise the limit of addresses and open it again
          """)
    }
    try lmdb.check(lmdb.call.envSetMapsize(handle, 0), "mapping \(file) anew")
  }

  /// Reserves as much address space as the process may have, halving where a limit forbids it.
  private static func openMapped(_ setup: EnvironmentSetup) throws(EngineError) -> OpaquePointer {
    var mapSize = setup.mapSize ?? maxMapSize
    while true {
      let (handle, code) = try open(setup, mapSize: mapSize)
      if let handle { return handle }
      if code != SystemError.noMemory || mapSize <= minMapSize {
        throw setup.lmdb.error(code, while: "opening \(setup.file)")
      }
      mapSize /= 2
    }
  }

  private static func open(
    _ setup: EnvironmentSetup, mapSize: Int
  ) throws(EngineError) -> (OpaquePointer?, code: Int32) {
    let lmdb = setup.lmdb
    var created: OpaquePointer?
    try lmdb.check(lmdb.call.envCreate(&created), "making an environment")
    guard let handle = created else { preconditionFailure("LMDB made no environment.") }
    _ = lmdb.call.envSetMapsize(handle, mapSize)
    _ = lmdb.call.envSetMaxreaders(handle, readers)
    _ = lmdb.call.envSetMaxdbs(handle, MDB_dbi(setup.tables.count + otherTables))
    var flags = MDB_NOSUBDIR | MDB_NOTLS
    if setup.durability == .none { flags |= MDB_NOSYNC }
    if setup.isUnlocked { flags |= MDB_NOLOCK }
    let code = lmdb.call.envOpen(handle, setup.file.string, UInt32(flags), 0o644)
    if code == MDB_SUCCESS { return (handle, code) }
    // LMDB asks for this even after a failed open.
    lmdb.call.envClose(handle)
    return (nil, code)
  }

  /// Makes the session's tables where they are missing and opens all others, in one transaction that writes nothing
  /// when there is nothing to make.
  private static func openTables(
    _ handle: OpaquePointer, _ setup: EnvironmentSetup
  ) throws(EngineError) -> (session: [MDB_dbi], all: [MDB_dbi]) {
    let lmdb = setup.lmdb
    var begun: OpaquePointer?
    try lmdb.check(
      lmdb.call.txnBegin(handle, nil, 0, &begun), "opening the tables of \(setup.file)")
    guard let transaction = begun else { preconditionFailure("LMDB began no transaction.") }
    var session: [MDB_dbi] = []
    var all: [MDB_dbi] = []
    do throws(EngineError) {
      for name in setup.tables {
        session.append(try table(name, flags: MDB_CREATE | MDB_INTEGERKEY, lmdb, transaction))
      }
      all = session
      for name in try names(lmdb, transaction) where !setup.tables.contains(name) {
        all.append(try table(name, flags: 0, lmdb, transaction))
      }
    } catch {
      lmdb.call.txnAbort(transaction)
      throw error
    }
    // Whether it succeeds or not, the transaction is gone afterwards: LMDB would free it twice.
    try lmdb.check(lmdb.call.txnCommit(transaction), "making the tables of \(setup.file)")
    return (session, all)
  }

  private static func table(
    _ name: String, flags: Int32, _ lmdb: LMDBLibrary, _ transaction: OpaquePointer
  ) throws(EngineError) -> MDB_dbi {
    var table = MDB_dbi()
    try lmdb.check(
      lmdb.call.dbiOpen(transaction, name, UInt32(flags), &table), "opening table \(name)")
    return table
  }

  /// The names in the main table.
  private static func names(
    _ lmdb: LMDBLibrary, _ transaction: OpaquePointer
  ) throws(EngineError) -> [String] {
    var main = MDB_dbi()
    try lmdb.check(lmdb.call.dbiOpen(transaction, nil, 0, &main), "opening the table of tables")
    var names: [String] = []
    try lmdb.forEachRecord(transaction, main, "listing the tables") { name, _ in
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}
