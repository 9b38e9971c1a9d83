// The front door: what a program holds. It puts the parts together; the parts are in the folders beside it.
public import SystemIO

/// An open database: one file, any number of snapshots, one writer at a time.
///
/// Safe to use from many threads. Other openings of the file, in this and in other processes, see each other's commits;
/// all together have one writer (`DatabaseOptions.Sharing`).
public final class Database: @unchecked Sendable {
  /// The file, and where it is; another one after `compact()`. Read and replaced under `mutex`.
  private var current: Store?
  /// What `usage` answers once the database is closed.
  private var lastAccount: SpaceAccount?
  private var bytesBefore = 0
  private var syncsBefore = 0
  private var events: [CompactionStep] = []
  private let mutex = ThreadMutex()
  /// Where the file and its copies have their names.
  let volume: any StorageVolume
  /// Absolute, without links.
  let path: FilePath?
  let options: DatabaseOptions
  /// Used with the writer's place only.
  let evacuation: Evacuation
  let idleTurns = IdleTurns()
  /// nil where compaction goes on in commits only. Set once, before anybody else has the object.
  var idleThread: IdleThread?
  public internal(set) var launchOutcome: LaunchCompaction
  /// Openings that share this object: more than one where a database in memory was opened again.
  private var openings = 1
  /// The name that a database in memory was opened by.
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

  // The last to let go may be the thread itself.
  deinit { idleThread?.end(waiting: false) }

  /// Errors: `closed`.
  var store: Store {
    get throws(StorageError) {
      guard let store = mutex.withLock({ current }) else { throw Store.closed }
      return store
    }
  }

  /// Runs `body` on the store. Where `compact()` replaced that meanwhile, runs it again, on the store that took its
  /// place. Errors: the body's; `closed` only where the database is.
  func withStore<Result>(
    _ body: (Store) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    while true {
      let store = try store
      do throws(StorageError) { return try body(store) } catch {
        guard error.code == .closed else { throw error }
      }
    }
  }

  /// Opens the file at `path`, creating it where there is none. `volume` is the operating system's unless a test puts
  /// another in its place.
  ///
  /// `compactOnLaunch` is asked once, before anything else can see the file, unless the file is new;
  /// `launchOutcome` tells what came of it; `compactionObserver` hears how far the compaction is. Errors: `busy`,
  /// `notADatabase`, `corrupt`, `truncated`, `permissionDenied`, `outOfSpace`; the file is then as it was.
  public static func open(
    path: FilePath, on volume: any StorageVolume = SystemVolume(),
    options: DatabaseOptions = .init(), compactOnLaunch: ((LaunchUsage) -> Bool)? = nil,
    compactionObserver: CompactionObserver? = nil
  ) throws(StorageError) -> Database {
    if options.readOnly { return try openReadOnly(path, volume, options, compactOnLaunch != nil) }
    while true {
      try plantSeed(path, volume, options)
      do {
        let database = try openOnce(path, volume, options, compactOnLaunch, compactionObserver)
        if let database { return database }
      } catch { throw located(error, path) }
    }
  }

  /// Answers nil where the file was replaced while this waited for its turn.
  private static func openOnce(
    _ path: FilePath, _ volume: any StorageVolume, _ options: DatabaseOptions,
    _ compactOnLaunch: ((LaunchUsage) -> Bool)?, _ observer: CompactionObserver?
  ) throws -> Database? {
    let existed = volume.exists(path)
    let file = try openFile(
      path, .existingOrNew, volume, isShared: isShared(volume, options))
    // Held to the end: while the lock is, nobody else makes something of a file that is removed here.
    defer { withExtendedLifetime(file) {} }
    // A compaction renames its copy over the file itself: not over a link to it, nor elsewhere once the process has
    // gone into another folder.
    guard let real = try resolved(path, volume) else { return nil }
    guard let session = try session(file, at: real, existed, volume, options) else { return nil }
    defer { session.releaseOpenCloseLock() }
    // Between the look and the lock someone else may have made a database here.
    let isMine = !existed && session.isFirst && (try? file.size) == 0
    do {
      var inner = options
      let unlocked = try unlocked(file, &inner)
      let store: Store
      var isNew = false
      if session.isFirst {
        let opened = try OpenedFile(unlocked, inner)
        isNew = opened.isNew
        store = Store(opened, inner, session)
        store.announce()
      } else {
        store = try Store(joining: unlocked, inner, session)
      }
      // A process that was killed, or does not sync, may have made or renamed the file without coming to this.
      if options.durability == .full || isNew {
        try syncFolder(of: real, on: volume, options)
      }
      // A compaction that did not end left its copy; only now is it certain that nobody is writing one.
      try volume.removeFile(temporaryPath(real))
      try volume.removeFile(seedingPath(real))
      let database = Database(store, volume, path: real, options)
      if let compactOnLaunch {
        database.launchOutcome = try database.decideAtLaunch(isNew, compactOnLaunch, observer)
      }
      database.startIdleThread()
      return database
    } catch {
      if isMine { try? volume.removeFile(path) }
      if session.isFirst { session.removeLockFile() }
      session.leave()
      throw error
    }
  }

  /// Whether others may have the file too. Who decrypts keeps what it decrypted, so an encrypted file is never shared.
  private static func isShared(_ volume: any StorageVolume, _ options: DatabaseOptions) -> Bool {
    options.sharing == .processes && options.encryptionKey == nil && volume is any SharingVolume
  }

  /// Opens a file of the database, with others or for itself.
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

  /// Where the file really is; nil where it lost its name meanwhile.
  private static func resolved(
    _ path: FilePath, _ volume: any StorageVolume
  ) throws(SystemError) -> FilePath? {
    do throws(SystemError) { return try volume.resolved(path) } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// This opening's session, at the gate; nil where the file lost its name meanwhile.
  private static func session(
    _ file: any StorageFile, at real: FilePath, _ existed: Bool, _ volume: any StorageVolume,
    _ options: DatabaseOptions
  ) throws -> FileSession? {
    let named = try (file as? any SharedStorageFile).map { try NamedFile($0, at: real) }
    guard isShared(volume, options), let named else {
      let session = try FileSession()
      if let named { try session.join(named) }
      return session
    }
    let session = try FileSession.openHoldingLock(of: real)
    guard (try? FileIdentity(of: real)) == named.identity else { return nil }
    do { try session.join(named) } catch {
      // An empty file where one was removed under its users is of no use to anybody.
      if !existed, session.belongsToOtherFile, try file.size == 0 { try volume.removeFile(real) }
      throw error
    }
    return session
  }

  /// Opens a database in a file that the caller made; creates one in it where it is empty. Nothing is renamed, so
  /// `compact()` skips.
  public static func open(
    file: any StorageFile, options: DatabaseOptions = .init()
  ) throws(StorageError) -> Database {
    var inner = options
    let store = try Store(alone: try unlocked(file, &inner), inner)
    let database = Database(store, SystemVolume(), path: nil, options)
    database.startIdleThread()
    return database
  }

  /// Pins the newest version until the snapshot ends. `label` names it in `oldestPins()`.
  public func beginSnapshot(label: String = "") throws(StorageError) -> Snapshot {
    try withStore { (store) throws(StorageError) in
      Snapshot(store, try store.pinNewest(label: label), label: label)
    }
  }

  /// Waits for the one writer's place. Errors: `poisoned`, `closed`.
  public func beginWrite() throws(StorageError) -> WriteTransaction {
    try withStore { (store) throws(StorageError) in try WriteTransaction(self, store) }
  }

  /// The running account, as of the newest commit.
  public func usage() -> SpaceAccount {
    let (store, last) = mutex.withLock { (current, lastAccount) }
    guard let account = store?.fileAccount ?? last else {
      preconditionFailure("A database has an account, open or closed.")
    }
    return account
  }

  /// The independent walk: marks every byte of the file exactly once, reading nothing of the running account. Waits
  /// for the writer's place; not within a write transaction of the calling thread.
  public func audit() throws(StorageError) -> SpaceAudit {
    try withStore { (store) throws(StorageError) in
      try store.takeWriterPlace()
      defer { store.leaveWriterPlace() }
      var audit = try SpaceWalk.audit(store)
      audit.account.addEncryptionOverhead(store.file.encryptionOverhead(audit.account.file))
      return audit
    }
  }

  /// The pins, oldest version first, with what each keeps to the byte; none once the database is closed.
  public func oldestPins() -> [Pin] { mutex.withLock { current }?.oldestPins() ?? [] }

  /// Steps of automatic compaction since the last call, oldest first.
  public func drainEvents() -> [CompactionStep] {
    mutex.withLock {
      defer { events.removeAll() }
      return events
    }
  }

  /// The newest committed version; 0 once the database is closed.
  public var version: UInt64 {
    guard let store = mutex.withLock({ current }) else { return 0 }
    return store.newest
  }

  /// Versions that can be read: those of snapshots, in all processes, and of savepoints, and the newest; 0 once the
  /// database is closed.
  public var versions: Int {
    guard let store = mutex.withLock({ current }) else { return 0 }
    let held = store.session.registeredVersions().versions.map(\.number)
    let named = store.mutex.withLock { store.shared.pointee.newest.savepoints.map(\.version) }
    return Set(held + named + [store.newest]).count
  }

  /// What automatic compaction cut off and left on disk, where that follows at the next opening only.
  public var tailBytes: Int {
    guard let store = mutex.withLock({ current }) else { return 0 }
    return store.mutex.withLock { store.shared.pointee.tailBytes }
  }

  /// Bytes handed to the operating system since the database was opened.
  public var bytesWritten: Int {
    mutex.withLock { bytesBefore + (current?.file.bytesWritten ?? 0) }
  }
  /// Syncs of the file since the database was opened.
  public var syncCount: Int { mutex.withLock { syncsBefore + (current?.file.syncCount ?? 0) } }

  /// Whether the database has not been closed.
  public var isOpen: Bool { mutex.withLock { current != nil } }

  /// Shares this object with one more opening; false where it is closed.
  func join() -> Bool {
    mutex.withLock {
      guard current != nil else { return false }
      openings += 1
      return true
    }
  }

  /// Ends the session and unlocks the file; where openings share the database, the last of them does. Error
  /// `snapshotsHeld` where snapshots are open, `busy` where a write transaction is: nothing has ended then.
  public func close() throws(StorageError) {
    if try closeOpening() { idleThread?.end(waiting: true) }
  }

  /// Answers whether it was the last.
  private func closeOpening() throws(StorageError) -> Bool {
    idleTurns.hold()
    defer { idleTurns.letGo() }
    return try mutex.withLock { () throws(StorageError) in
      guard let store = current else { throw Store.closed }
      guard openings == 1 else {
        openings -= 1
        return false
      }
      try store.close()
      letGoOfStore(for: nil)
      return true
    }
  }

  /// Commits with the compaction that is due.
  func commit(_ store: Store) throws(StorageError) {
    try store.checkVersionLimit()
    let steps: [CompactionStep]
    if store.takeRebuilt() { evacuation.reset() }
    do throws(StorageError) {
      let request = try evacuation.prepare(store)
      steps = evacuation.finish(store, request, try store.commit(request))
    } catch {
      let steps = evacuation.abandon(store, error)
      mutex.withLock { events += steps }
      throw error
    }
    if !steps.isEmpty { mutex.withLock { events += steps } }
  }

  /// Goes on with another file, or with the old one where `replace` fails. The caller has the writer's place of the old
  /// one. Whoever is refused by it meanwhile waits for the mutex, and so for what comes of it.
  func replaceStore(
    _ old: Store, by store: Store, _ replace: () throws(StorageError) -> Void
  ) throws(StorageError) {
    try mutex.withLock { () throws(StorageError) in
      guard old.retire() else {
        throw StorageError(.snapshotsHeld, "A snapshot began while the copy was written.")
      }
      do throws(StorageError) { try replace() } catch {
        old.reinstate()
        throw error
      }
      old.handOver(to: store)
      letGoOfStore(for: store)
    }
  }

  /// Called under the mutex.
  private func letGoOfStore(for next: Store?) {
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

  static func located(_ error: any Error, _ path: FilePath) -> StorageError {
    switch error {
    case let error as StorageError:
      StorageError(error.code, "\(path): \(error.message)", cause: error.cause)
    case let error as SystemError: StorageError(system: error, "The database cannot be opened")
    default: StorageError(.failed, "\(path): \(error)")
    }
  }

  /// Makes the names beside this file durable, and its own.
  static func syncFolder(
    of path: FilePath, on volume: any StorageVolume, _ options: DatabaseOptions
  ) throws(SystemError) {
    if options.seededFault == .noFolderSync { return }
    try volume.syncFolder(path.removingLastComponent())
  }

  static func temporaryPath(_ path: FilePath) -> FilePath {
    FilePath(path.string + ".compacting")
  }
}
