// A session: one environment, its users, and its end. libmdbx demands one environment per file and process, and refuses
// a second one itself.
import CMDBX
import EngineInterface
import MDBInterface
import MetricModel
import SystemIO

/// One process's open libmdbx database.
final class MDBXSession: EngineSession, VersionCounting, PinInspecting, DeadReaderFreeing,
  Shortenable, MDBSession, @unchecked Sendable
{
  /// Guards what follows.
  private let lifecycle = ThreadMutex()
  private var environment: Environment?
  private var account: SpaceAccount?
  private var users = SessionUsers(of: mdbxID)
  private let shrinks: ShrinkObserver?
  let library: MDBXLibrary

  init(environment: Environment, observesShrinks: Bool) throws(EngineError) {
    library = environment.mdbx
    shrinks =
      observesShrinks
      ? ShrinkObserver(length: try environment.facts().length, mayHaveMoved: false) {
        "free pages at the file's end were cut at \($0); nothing is moved for it"
      } : nil
    self.environment = environment
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let environment else { throw .sessionClosed(of: mdbxID) }
    var begun: OpaquePointer?
    try library.check(
      library.call.txnBeginEx(environment.handle, nil, UInt32(MDBX_TXN_RDONLY), &begun, nil),
      "beginning a snapshot")
    guard let transaction = begun else { preconditionFailure("libmdbx began no transaction.") }
    let pin = users.addSnapshot(label: label, version: Int(library.call.txnId(transaction)))
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
    _ = library.call.txnAbort(snapshot)
    if let pin { users.removeSnapshot(pin) } else { users.endRenewing() }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    let environment = try openEnvironment(countingWrite: true)
    var begun: OpaquePointer?
    let code = library.call.txnBeginEx(environment.handle, nil, 0, &begun, nil)
    guard code == MDBX_SUCCESS, let transaction = begun else {
      lifecycle.withLock { users.removeWrite() }
      throw library.error(code, while: "beginning a write transaction")
    }
    return MDBTransaction(transaction, tables: environment.tables, session: self)
  }

  /// Called on the transaction's thread.
  func writeEnded(committed: Bool) {
    let environment = lifecycle.withLock {
      users.removeWrite()
      return self.environment
    }
    guard committed, let shrinks, let facts = try? environment?.facts() else { return }
    shrinks.committed(length: facts.length)
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage {
    let (environment, versions) = try openVersions()
    return try openAccount().usage(beside: environment.readers(with: versions))
  }

  func liveVersions() throws(EngineError) -> Int? {
    let (environment, versions) = try openVersions()
    return try Set(environment.readers(with: versions).map(\.version))
      .union([Int(environment.facts().newestVersion)]).count
  }

  func pins() throws(EngineError) -> [EnginePin] {
    let (environment, versions) = try openVersions()
    return try openAccount().pins(of: environment.readers(with: versions))
  }

  func freeDeadReaders() throws(EngineError) -> Int {
    let environment = try openEnvironment()
    var dead: Int32 = 0
    let code = library.call.readerCheck(environment.handle, &dead)
    if code != MDBX_RESULT_TRUE { try library.check(code, "checking for dead readers") }
    return Int(dead)
  }

  /// libmdbx counts the pages of commits, and not the bytes that it hands over.
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] { shrinks?.drain() ?? [] }

  /// Moves pages from the file's end into the gaps, in commits of its own, and cuts what is free then.
  func shorten(by most: ByteCount?) throws(EngineError) -> Shortening? {
    guard library.defragments else { return nil }
    let environment = try openEnvironment(countingWrite: true)
    defer { lifecycle.withLock { users.removeWrite() } }
    let done = try environment.defragment(by: most)
    shrinks?.committed(length: done.after)
    return done
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try openEnvironment().writeCompactedCopy(to: path, for: openAccount())
  }

  func close() throws(EngineError) {
    try lifecycle.withLock { () throws(EngineError) in
      try users.checkNone()
      // The account's own read transaction goes first.
      account = nil
      environment = nil
    }
  }

  /// The environment, for tests that ask libmdbx itself.
  func openForTests() throws(EngineError) -> Environment { try openEnvironment() }

  private func openEnvironment(
    countingWrite: Bool = false
  ) throws(EngineError) -> Environment {
    try lifecycle.withLock { () throws(EngineError) in
      guard let environment else { throw .sessionClosed(of: mdbxID) }
      if countingWrite { users.addWrite() }
      return environment
    }
  }

  private func openVersions() throws(EngineError) -> (Environment, [HeldVersion]) {
    try lifecycle.withLock { () throws(EngineError) in
      guard let environment else { throw .sessionClosed(of: mdbxID) }
      return (environment, users.versions)
    }
  }

  private func openAccount() throws(EngineError) -> SpaceAccount {
    try lifecycle.withLock { () throws(EngineError) in
      if let account { return account }
      guard let environment else { throw .sessionClosed(of: mdbxID) }
      let opened = try SpaceAccount(environment)
      account = opened
      return opened
    }
  }
}
