// A session: one environment, its users, and its end. LMDB demands one environment per file and process.
import CLMDB
import EngineInterface
import MDBInterface
import MetricModel
import SystemIO

/// One process's open LMDB database.
final class LMDBSession: EngineSession, VersionCounting, PinInspecting, DeadReaderFreeing,
  MDBSession,
  @unchecked Sendable
{
  /// Guards the properties below, and serializes the beginning and end of read transactions, which LMDB does as well.
  private let lifecycle = ThreadMutex()
  private var environment: Environment?
  private var account: SpaceAccount?
  private var users = SessionUsers(of: lmdbID)
  let library: LMDBLibrary
  private let claim: FolderClaim

  init(environment: Environment, claim: FolderClaim) {
    self.environment = environment
    library = environment.lmdb
    self.claim = claim
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let environment else { throw .sessionClosed(of: lmdbID) }
    var begun: OpaquePointer?
    var code = library.call.txnBegin(environment.handle, nil, UInt32(MDB_RDONLY), &begun)
    if code == MDB_MAP_RESIZED {
      try adoptLargerMap(environment, ownWrites: 0)
      code = library.call.txnBegin(environment.handle, nil, UInt32(MDB_RDONLY), &begun)
    }
    try library.check(code, "beginning a snapshot")
    guard let transaction = begun else { preconditionFailure("LMDB began no transaction.") }
    let pin = users.addSnapshot(label: label, version: library.call.txnId(transaction))
    return MDBSnapshot(transaction, tables: environment.tables, session: self, pin: pin)
  }

  func moved(_ pin: Int, to version: Int) {
    lifecycle.withLock { users.moveSnapshot(pin, to: version) }
  }

  /// A thread renews the snapshot from now on.
  func beginRenewing(_ pin: Int) { lifecycle.withLock { users.beginRenewing(pin) } }

  /// Ends a snapshot; `pin` is nil for one that a thread renewed.
  func end(_ snapshot: OpaquePointer, pin: Int?) {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    library.call.txnAbort(snapshot)
    if let pin { users.removeSnapshot(pin) } else { users.endRenewing() }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    let environment = try openEnvironment(countingWrite: true)
    var begun: OpaquePointer?
    var code = library.call.txnBegin(environment.handle, nil, 0, &begun)
    if code == MDB_MAP_RESIZED {
      do throws(EngineError) {
        try lifecycle.withLock { () throws(EngineError) in
          try adoptLargerMap(environment, ownWrites: 1)
        }
      } catch {
        writeEnded(committed: false)
        throw error
      }
      code = library.call.txnBegin(environment.handle, nil, 0, &begun)
    }
    guard code == MDB_SUCCESS, let transaction = begun else {
      writeEnded(committed: false)
      throw library.error(code, while: "beginning a write transaction")
    }
    return MDBTransaction(transaction, tables: environment.tables, session: self)
  }

  /// Extends the map after another process has extended the file beyond it. LMDB does so only while this process has no
  /// transaction. `lifecycle` is held.
  private func adoptLargerMap(
    _ environment: Environment, ownWrites: Int
  ) throws(EngineError) {
    guard users.isEmpty(butForWrites: ownWrites) else {
      throw EngineError(
        engine: lmdbID, code: .busy,
        message: """
          another process made the file larger than this one has mapped; end all snapshots and the write \
          transaction, then begin again
          """)
    }
    account = nil
    try environment.adoptLargerMap()
  }

  func writeEnded(committed _: Bool) { lifecycle.withLock { users.removeWrite() } }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try openAccount().usage() }

  func pins() throws(EngineError) -> [EnginePin] {
    let account = try openAccount()
    let own = lifecycle.withLock { users.versions }
    return try account.pins(of: ReaderTable(openEnvironment()).readers(with: own))
  }

  func freeDeadReaders() throws(EngineError) -> Int {
    let environment = try openEnvironment()
    var dead: Int32 = 0
    try library.check(
      library.call.readerCheck(environment.handle, &dead), "checking for dead readers")
    return Int(dead)
  }

  func liveVersions() throws(EngineError) -> Int? { try openAccount().liveVersions() }

  /// Nil: LMDB does not count what it writes.
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] { [] }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try openEnvironment().writeCompactedCopy(to: path)
  }

  func close() throws(EngineError) {
    try lifecycle.withLock { () throws(EngineError) in
      try users.checkNone()
      // The account's own read transaction goes first.
      account = nil
      environment = nil
    }
    claim.release()
  }

  private func openEnvironment(
    countingWrite: Bool = false
  ) throws(EngineError) -> Environment {
    try lifecycle.withLock { () throws(EngineError) in
      guard let environment else { throw .sessionClosed(of: lmdbID) }
      if countingWrite { users.addWrite() }
      return environment
    }
  }

  private func openAccount() throws(EngineError) -> SpaceAccount {
    try lifecycle.withLock { () throws(EngineError) in
      if let account { return account }
      guard let environment else { throw .sessionClosed(of: lmdbID) }
      let opened = try SpaceAccount(environment)
      account = opened
      return opened
    }
  }
}

extension Environment {
  /// Copies the pages of the newest version, without gaps, to a new file.
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    let copy = try CompactedCopy.makeFile(path, forCopyOf: file, engine: lmdbID)
    try writeCompactedCopy(into: copy, path)
  }

  /// Copies into an existing empty file, whose access rights stay; a file that LMDB creates could be read by everyone.
  func writeCompactedCopy(into copy: FileWriter, _ path: FilePath) throws(EngineError) {
    let code = copy.withDescriptor { lmdb.call.envCopyFD2(handle, $0, UInt32(MDB_CP_COMPACT)) }
    if code == MDB_SUCCESS { return }
    // What was begun is of no use; that it cannot be removed is not the error to report.
    try? FileSystem.removeFile(path)
    throw lmdb.error(code, while: "writing a compacted copy to \(path)")
  }
}
