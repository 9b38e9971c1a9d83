// The database: the public entry point. It composes the parts in the folders beside it; `Opening` has `open`.
import SystemIO

/// An open database: one file, any number of snapshots, one writer at a time.
///
/// ```swift
/// let database = try Database.open(path: path)
/// try database.write { transaction in
///   let notes = try transaction.table("notes")
///   try Array("Buy milk".utf8).withUnsafeBytes { try transaction.put(notes, 1, $0) }
/// }
/// let note = try database.read { snapshot in
///   var text = ""
///   guard let notes = snapshot.table("notes") else { return text }
///   _ = try snapshot.get(notes, 1) { text = String(decoding: $0, as: UTF8.self) }
///   return text
/// }
/// try database.close()
/// ```
///
/// `beginSnapshot` and `beginWrite` do the same for transactions that do not end with a closure, and `DatabaseOptions` has
/// the choices: durability, encryption, compaction.
///
/// Thread-safe. Other openings of the file, in this and in other processes, see each other's commits, and share one
/// write lock (`DatabaseOptions.Sharing`).
public final class Database: @unchecked Sendable {
  /// The state of the open file; replaced by `compact()`. Under `mutex`.
  private var current: Store?
  /// The account that `usage` returns once the database is closed.
  private var lastAccount: SpaceAccount?
  private var bytesBefore = 0
  private var syncsBefore = 0
  private var events: [CompactionStep] = []
  private let mutex = ThreadMutex()
  /// The volume on which the file and its copies are created.
  let volume: any StorageVolume
  /// The absolute path, without symbolic links.
  let path: FilePath?
  let options: DatabaseOptions
  /// Used under the write lock only.
  let evacuation: Evacuation
  let idleGate = IdleGate()
  /// nil if compaction works in commits only. Set once, before another thread has the object.
  var idleThread: IdleThread?
  /// The result of the launch predicate given to `open`.
  public internal(set) var launchOutcome: LaunchCompaction
  /// The number of openings that share this object: more than one if a database in memory was opened again.
  private var openings = 1
  /// The identifier with which a database in memory was opened.
  let memoryIdentifier: String?

  init(
    _ store: Store, _ volume: any StorageVolume, path: FilePath?, _ options: DatabaseOptions,
    memoryIdentifier: String? = nil
  ) {
    current = store
    self.memoryIdentifier = memoryIdentifier
    self.volume = volume
    self.path = path
    self.options = options
    evacuation = Evacuation(store.options.automaticCompaction)
    launchOutcome = .notAsked
  }

  // The last reference may be released by the idle thread itself.
  deinit { idleThread?.stop(waiting: false) }

  /// The current store. Error `closed`.
  var store: Store {
    get throws(StorageError) {
      guard let store = mutex.withLock({ current }) else { throw StorageError.databaseClosed }
      return store
    }
  }

  /// Calls `body` with the store; if `compact()` replaced the store meanwhile, calls it again with the new one. Errors:
  /// those of `body`; `closed` only if the database is closed.
  func withStore<Result: ~Copyable>(
    _ body: (Store) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    while true {
      let store = try store
      do throws(StorageError) { return try body(store) } catch {
        guard error.code == .closed else { throw error }
      }
    }
  }

  // MARK: Transactions

  /// Calls `body` with a snapshot of the newest version, which ends when `body` does. Returns the result of `body`.
  /// Errors: `closed`, and those of `body`.
  public func read<Result>(
    label: String = "", _ body: (Snapshot) throws -> Result
  ) throws -> Result {
    let snapshot = try beginSnapshot(label: label)
    defer { snapshot.end() }
    return try body(snapshot)
  }

  /// Calls `body` with a write transaction, and commits the transaction unless `body` has ended it. If `body` throws, the
  /// transaction is rolled back. Returns the result of `body`. Errors: those of `beginWrite`, `body` and
  /// `WriteTransaction.commit`.
  public func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    let transaction = try beginWrite()
    defer { transaction.rollBack() }
    let result = try body(transaction)
    if transaction.isOpen { try transaction.commit() }
    return result
  }

  /// Begins a snapshot of the newest version, which stays pinned until the snapshot ends. `label` names it in
  /// `oldestPins()`. Error `closed`.
  public func beginSnapshot(label: String = "") throws(StorageError) -> Snapshot {
    try withStore { (store) throws(StorageError) in
      Snapshot(store, try store.readers.pinNewest(label: label), label: label)
    }
  }

  /// Begins a write transaction, after waiting for the write lock. Errors: `poisoned`, `displaced`, `readOnly`,
  /// `closed`.
  public func beginWrite() throws(StorageError) -> WriteTransaction {
    try withStore { (store) throws(StorageError) in
      WriteTransaction(self, try store.beginWrite())
    }
  }

  // MARK: Inspection

  /// The running space account as of the newest commit.
  public func usage() -> SpaceAccount {
    let (store, last) = mutex.withLock { (current, lastAccount) }
    guard let account = store?.fileAccount ?? last else {
      preconditionFailure("A database has an account, open or closed.")
    }
    return account
  }

  /// Walks the file and claims every byte exactly once, without reading the running account. Waits for the write lock,
  /// so the calling thread must not have a write transaction open. Errors: `corrupt`, `closed`.
  public func audit() throws(StorageError) -> SpaceAudit {
    try withStore { (store) throws(StorageError) in
      let access = try store.acquireWriteLock()
      var audit = try SpaceWalk.audit(access)
      audit.account.addEncryptionOverhead(store.file.encryptionOverhead(audit.account.file))
      return audit
    }
  }

  /// The pins, oldest version first, with the bytes that each retains; empty once the database is closed.
  public func oldestPins() -> [Pin] { mutex.withLock { current }?.readers.oldestPins() ?? [] }

  /// Returns the steps of automatic compaction since the last call, oldest first.
  public func drainEvents() -> [CompactionStep] {
    mutex.withLock {
      defer { events.removeAll() }
      return events
    }
  }

  /// The newest committed version; 0 once the database is closed.
  public var version: UInt64 {
    guard let store = mutex.withLock({ current }) else { return 0 }
    return store.context.newestVersion
  }

  /// The number of readable versions: those of snapshots in all processes, of savepoints, and the newest; 0 once the
  /// database is closed.
  public var versions: Int {
    guard let store = mutex.withLock({ current }) else { return 0 }
    let held = store.session.registeredVersions().numbers(below: .max)
    let named = store.readers.newest.savepoints.map(\.version)
    return Set(held + named + [store.context.newestVersion]).count
  }

  /// The number of bytes behind the logical end of the file that are still on disk.
  public var tailBytes: Int {
    guard let store = mutex.withLock({ current }) else { return 0 }
    return store.readers.tailBytes
  }

  /// The number of bytes passed to the operating system since the database was opened.
  public var bytesWritten: Int {
    mutex.withLock { bytesBefore + (current?.file.bytesWritten ?? 0) }
  }
  /// The number of syncs of the file since the database was opened.
  public var syncCount: Int { mutex.withLock { syncsBefore + (current?.file.syncCount ?? 0) } }

  /// Whether the database is open.
  public var isOpen: Bool { mutex.withLock { current != nil } }

  /// Adds an opening that shares this object. Returns false if it is closed.
  func join() -> Bool {
    mutex.withLock {
      guard current != nil else { return false }
      openings += 1
      return true
    }
  }

  /// Closes the database and unlocks the file; if several openings share the object, the last of them does. Errors:
  /// `snapshotsHeld` if snapshots are open, `busy` if a write transaction is; the database stays open then.
  public func close() throws(StorageError) {
    if try closeOpening() { idleThread?.stop(waiting: true) }
  }

  /// Returns whether it was the last opening.
  private func closeOpening() throws(StorageError) -> Bool {
    idleGate.close()
    defer { idleGate.open() }
    return try mutex.withLock { () throws(StorageError) in
      guard let store = current else { throw StorageError.databaseClosed }
      guard openings == 1 else {
        openings -= 1
        return false
      }
      try store.close()
      detachStore(for: nil)
      return true
    }
  }

  /// Commits, together with the compaction that is due.
  func commit(_ writer: inout Writer) throws(StorageError) {
    try writer.checkVersionLimit()
    let steps: [CompactionStep]
    if writer.consumeReloadFlag() { evacuation.reset() }
    do throws(StorageError) {
      let request = try evacuation.prepare(&writer)
      let report = try writer.commit(request)
      steps = evacuation.finish(&writer, request, report)
    } catch {
      let steps = evacuation.abandon(&writer)
      mutex.withLock { events += steps }
      throw error
    }
    if !steps.isEmpty { mutex.withLock { events += steps } }
  }

  /// Continues with the store of `next`, or with the old one if `replace` throws. Both write locks stay held. A thread
  /// that finds the old store closed meanwhile waits for the mutex, and so for the new store.
  func replaceStore(
    _ old: inout WriteAccess, by next: inout WriteAccess,
    _ replace: () throws(StorageError) -> Void
  ) throws(StorageError) {
    try mutex.withLock { () throws(StorageError) in
      guard old.closeIfUnpinned() else {
        throw StorageError(.snapshotsHeld, "A snapshot began while the copy was written.")
      }
      do throws(StorageError) { try replace() } catch {
        old.reopen()
        throw error
      }
      old.passSessionLock(to: &next)
      let store = next.store
      store.context.publish(version: store.firstVersion)
      detachStore(for: store)
    }
  }

  /// Replaces the store by `next` and records the totals of the old one. Under the mutex.
  private func detachStore(for next: Store?) {
    guard let old = current else { return }
    bytesBefore += old.file.bytesWritten
    syncsBefore += old.file.syncCount
    lastAccount = old.fileAccount
    current = next
  }

  /// The version of the file format that is written, and the only one that is read.
  public static let formatVersion = Int(FileHeader.formatVersion)

  static func wrongKind(_ table: Table) -> StorageError {
    StorageError(.unsupported, "The table has keys of kind \(table.keyKind).")
  }
}
