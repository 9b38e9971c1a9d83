// The database: the public entry point. It composes the parts in the folders beside it.
public import SystemIO

/// An open database: one file, any number of snapshots, one writer at a time.
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

  /// Opens the file at `path`, and creates it if there is none. `volume` is the operating system's, except in tests.
  ///
  /// `compactOnLaunch` is called once, before anything else can access the file, unless the file is new.
  /// `launchOutcome` has the result, and `compactionObserver` receives the progress. Errors: `busy`, `notADatabase`,
  /// `corrupt`, `truncated`, `permissionDenied`, `outOfSpace`, those of keys (`keyMissing`, `keyWrong`, `keyLength`,
  /// `notEncrypted`), `limitExceeded`, `newerFormat`; the file is then unchanged.
  public static func open(
    path: FilePath, on volume: any StorageVolume = SystemVolume(),
    options: DatabaseOptions = .init(), compactOnLaunch: ((LaunchUsage) -> Bool)? = nil,
    compactionObserver: CompactionObserver? = nil
  ) throws(StorageError) -> Database {
    if options.readOnly { return try openReadOnly(path, volume, options, compactOnLaunch != nil) }
    while true {
      try copySeedFile(path, volume, options)
      do {
        let database = try openOnce(path, volume, options, compactOnLaunch, compactionObserver)
        if let database { return database }
      } catch { throw addingPath(error, path) }
    }
  }

  /// Returns nil if the file was replaced while this waited for the open/close lock.
  private static func openOnce(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions,
    _ compactOnLaunch: ((LaunchUsage) -> Bool)?, _ observer: CompactionObserver?
  ) throws -> Database? {
    let existed = volume.exists(path)
    let file = try openFile(
      path, .existingOrNew, volume, isShared: isShared(volume, options))
    // Retained to the end: as long as it is locked, no other process initializes a file that is removed here.
    defer { withExtendedLifetime(file) {} }
    // A compaction renames its copy to the file's own path: not to a link, nor relative to a working directory that has
    // changed.
    guard let resolvedPath = try resolved(path, volume) else { return nil }
    guard let session = try session(file, at: resolvedPath, existed, volume, options) else {
      return nil
    }
    defer { session.releaseOpenCloseLock() }
    // Another process may have created a database between the check and the lock.
    let didCreateFile = !existed && session.isFirst && (try? file.size) == 0
    do {
      var inner = options
      let unlocked = try unlocked(file, &inner)
      let store: Store
      var isNew = false
      if session.isFirst {
        let opened = try OpenedFile(unlocked, inner)
        isNew = opened.isNew
        store = Store(opened, inner, session)
        store.context.publish(version: store.firstVersion)
      } else {
        store = try Store(joining: unlocked, inner, session)
      }
      // A process that was killed, or does not sync, may have created or renamed the file without syncing the folder.
      if options.durability == .full || isNew {
        try syncFolder(of: resolvedPath, on: volume, options)
      }
      // Leftovers of an interrupted compaction; only now is it certain that no process is writing one.
      try volume.removeFile(temporaryPath(resolvedPath))
      try volume.removeFile(seedTemporaryPath(resolvedPath))
      let database = Database(store, volume, path: resolvedPath, options)
      if let compactOnLaunch {
        database.launchOutcome = try database.decideAtLaunch(isNew, compactOnLaunch, observer)
      }
      database.startIdleThread()
      return database
    } catch {
      if didCreateFile { try? volume.removeFile(path) }
      if session.isFirst { session.removeLockFile() }
      session.leave()
      throw error
    }
  }

  /// Returns whether the file is opened shared. An encrypted file never is, since each session has its own decrypted
  /// units, which commits of another would not update.
  private static func isShared(_ volume: any StorageVolume, _ options: DatabaseOptions) -> Bool {
    options.sharing == .processes && options.encryptionKey == nil && volume is any SharingVolume
  }

  /// Opens a file of the database, shared or exclusively.
  static func openFile(
    _ path: FilePath, _ opening: FileOpening, _ volume: any StorageVolume, isShared: Bool
  ) throws(StorageError) -> any StorageFile {
    do throws(SystemError) {
      guard isShared, let volume = volume as? any SharingVolume else {
        return try volume.open(path, opening)
      }
      return try volume.openShared(path, opening)
    } catch {
      throw openingError(error, path)
    }
  }

  /// Returns the path without links; nil if the file lost its name meanwhile.
  private static func resolved(
    _ path: FilePath, _ volume: any StorageVolume
  ) throws(SystemError) -> FilePath? {
    do throws(SystemError) { return try volume.resolved(path) } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// Joins the sessions of the file, and leaves the open/close lock held; nil if the file lost its name meanwhile.
  private static func session(
    _ file: any StorageFile, at resolvedPath: FilePath, _ existed: Bool,
    _ volume: any StorageVolume,
    _ options: DatabaseOptions
  ) throws -> FileSession? {
    let named = try (file as? any SharedStorageFile).map { try NamedFile($0, at: resolvedPath) }
    guard isShared(volume, options), let named else {
      let session = try FileSession()
      if let named { try session.join(named) }
      return session
    }
    let session = try FileSession.openHoldingLock(of: resolvedPath)
    guard (try? FileIdentity(of: resolvedPath)) == named.identity else { return nil }
    do { try session.join(named) } catch {
      // An empty file that was created where another had been removed while open is of no use.
      if !existed, session.belongsToOtherFile, try file.size == 0 {
        try volume.removeFile(resolvedPath)
      }
      throw error
    }
    return session
  }

  /// Opens a database in a file that the caller provides, and creates one if it is empty. The file cannot be renamed,
  /// so `compact()` skips.
  public static func open(
    file: any StorageFile, options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    var inner = options
    let store = try Store(exclusive: try unlocked(file, &inner), inner)
    let database = Database(store, SystemVolume(), path: nil, options)
    database.startIdleThread()
    return database
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
    let held = store.session.registeredVersions().versions.map(\.number)
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

  static func addingPath(_ error: any Error, _ path: FilePath) -> StorageError {
    switch error {
    case let error as StorageError:
      StorageError(error.code, "\(path): \(error.message)", cause: error.cause)
    case let error as SystemError: StorageError(system: error, "The database cannot be opened")
    default: StorageError(.failed, "\(path): \(error)")
    }
  }

  /// Syncs the folder of the file, which makes names in it durable.
  static func syncFolder(
    of path: FilePath, on volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(SystemError) {
    guard options.performs(.folderSync) else { return }
    try volume.syncFolder(path.removingLastComponent())
  }

  static func temporaryPath(_ path: FilePath) -> FilePath {
    FilePath(path.string + ".compacting")
  }
}
