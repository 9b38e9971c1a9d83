// A session: one environment, who uses it, and its end. LMDB demands one environment per file and process.
import CLMDB
import EngineInterface
import MetricModel
import SystemIO

/// One process's open LMDB database.
final class LMDBSession: EngineSession, @unchecked Sendable {
  /// Guards what follows, and serialises the beginning and end of read transactions, which LMDB does as well.
  private let lifecycle = ThreadMutex()
  private var environment: Environment?
  private var account: SpaceAccount?
  private var heldSnapshots = 0
  private var openWrites = 0
  let lmdb: LMDBLibrary
  private let seat: FolderSeat

  init(environment: Environment, seat: FolderSeat) {
    self.environment = environment
    lmdb = environment.lmdb
    self.seat = seat
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let environment else { throw .lmdbClosed }
    var begun: OpaquePointer?
    try lmdb.check(
      lmdb.call.txnBegin(environment.handle, nil, UInt32(MDB_RDONLY), &begun),
      "beginning a snapshot")
    guard let transaction = begun else { preconditionFailure("LMDB began no transaction.") }
    heldSnapshots += 1
    return LMDBSnapshot(transaction, tables: environment.tables, session: self)
  }

  func end(_ snapshot: OpaquePointer) {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    lmdb.call.txnAbort(snapshot)
    heldSnapshots -= 1
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    let environment = try openEnvironment(writes: 1)
    var begun: OpaquePointer?
    let code = lmdb.call.txnBegin(environment.handle, nil, 0, &begun)
    guard code == MDB_SUCCESS, let transaction = begun else {
      writeEnded()
      throw lmdb.error(code, while: "beginning a write transaction")
    }
    return LMDBTransaction(transaction, tables: environment.tables, session: self)
  }

  func writeEnded() { lifecycle.withLock { openWrites -= 1 } }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try openAccount().usage() }

  func freeDeadReaders() throws(EngineError) -> Int? {
    let environment = try openEnvironment(writes: 0)
    var dead: Int32 = 0
    try lmdb.check(lmdb.call.readerCheck(environment.handle, &dead), "checking for dead readers")
    return Int(dead)
  }

  func liveVersions() throws(EngineError) -> Int? { try openAccount().liveVersions() }

  /// LMDB counts nothing of what it writes.
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] { [] }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try openEnvironment(writes: 0).writeCompactedCopy(to: path)
  }

  func close() throws(EngineError) {
    try lifecycle.withLock { () throws(EngineError) in
      if heldSnapshots > 0 {
        throw EngineError(
          engine: lmdbID, code: .snapshotsHeld,
          message: "\(heldSnapshots) snapshots are held; end them before closing")
      }
      if openWrites > 0 {
        throw EngineError(
          engine: lmdbID, code: .busy,
          message: "a write transaction is open; commit it or roll it back before closing")
      }
      // The account's own read transaction goes first.
      account = nil
      environment = nil
    }
    seat.leave()
  }

  private func openEnvironment(writes: Int) throws(EngineError) -> Environment {
    try lifecycle.withLock { () throws(EngineError) in
      guard let environment else { throw .lmdbClosed }
      openWrites += writes
      return environment
    }
  }

  private func openAccount() throws(EngineError) -> SpaceAccount {
    try lifecycle.withLock { () throws(EngineError) in
      if let account { return account }
      guard let environment else { throw .lmdbClosed }
      let opened = try SpaceAccount(environment)
      account = opened
      return opened
    }
  }
}

extension Environment {
  /// Copies what the newest version needs, page after page without gaps.
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    if FileSystem.exists(path) {
      throw EngineError(
        engine: lmdbID, code: .alreadyExists,
        message: "\(path) exists; a compacted copy replaces nothing, so name another")
    }
    let code = lmdb.call.envCopy2(handle, path.string, UInt32(MDB_CP_COMPACT))
    if code == MDB_SUCCESS { return }
    // What was begun is of no use; that it cannot be removed is not the error to report.
    try? FileSystem.removeFile(path)
    throw lmdb.error(code, while: "writing a compacted copy to \(path)")
  }
}
