// The state of one open file, in two parts: what all threads share, under the mutex, and what belongs to the holder of
// the write lock. Both lie in raw memory, because each access to a stored property of a class costs an exclusivity
// check.
import SystemIO

/// The state that all threads share. Accessed under the store's mutex, except `writerEpoch`, which only the thread with
/// the write lock uses, and except while no other thread has the store (initializers, `transferWriteLock`, `deinit`).
struct SharedState: ~Copyable {
  var newest: VersionState
  var deferredFree: DeferredFreeExtents
  /// Extents that became free when snapshots ended, which the writer has not collected yet.
  var newlyFree = RawList<Extent>(capacity: 64)
  var newlyFreeBytes = 0
  /// The space account as of the newest commit.
  var liveBytes: Int
  var freeBytes: Int
  var overheadBytes: Int
  /// Free bytes that no commit can use because the rest of their page is in use, with the strategy `wholePages`.
  var scatteredBytes = 0
  /// The state of automatic compaction; changed only under the write lock.
  var evacuation: EvacuationState
  /// The bytes behind the logical end of the file that are still on disk.
  var tailBytes = 0
  /// The version of the deferred free extents, the account and the writer's state: older than the newest if another
  /// session has committed since; 0 if this session has not needed them yet.
  var stateVersion: UInt64
  var stateFileSize: Int
  /// Whether the file on disk is longer than its newest version and is still to be truncated.
  var isTruncationDue = false
  /// Whether the writer's state was reloaded, so that state derived from it must be reset.
  var wasReloaded = false
  var registry = SnapshotRegistry()
  var isWriterActive = false
  /// The epoch of the thread that holds the write lock, for pointers into decrypted units.
  var writerEpoch = 0
  /// The number of threads of this session that wait for the write lock.
  var waitingWriterCount = 0
  var isClosed = false
  /// The first write or sync that failed; nothing may be written after it.
  var failure: StorageError?
}

/// The state that belongs to the holder of the write lock.
struct WriterState: ~Copyable {
  var freeSpace: FreeSpace
  var tree: TreeWriter
  var tables: RawList<TableRoot>
  var names: [String]
  var savepoints: [SavepointEntry]
  /// Table lists of savepoints that the transaction drops or moves.
  var freedMetadata: [Extent] = []
  var liveBytes: Int
  /// The pieces of the records from the last checkpoint on.
  var chain: RawList<Extent>
  var chainBytes = 0
  var checkpointBytes = 0
  var previous: (version: UInt64, ref: RecordRef)
  var writes = RawList<PendingWrite>(capacity: 256)
  /// The changed nodes above the leaves, children before parents.
  var changedInnerNodes = RawList<UnplacedNode>()
  var record = RecordWriter()
  /// Whether an allocation failed below the limit, so that the limit was dropped and the compaction that set it must
  /// give up.
  var didExhaustLimit = false
  /// The pinned bytes at the beginning of the commit.
  var pinnedBytes = 0
  /// The bytes of blocks and records placed since the file last grew only to keep blocks together; nil before that.
  var bytesSinceGrowth: Int?
  /// Whether an optional growth failed; it is not tried again in this commit.
  var wasGrowthRefused = false
  /// The offsets of the blocks that `SeededFault.reuseOneCommitEarly` overwrote.
  var reusedEarly: Set<Int> = []
  var staging = UnsafeMutableRawPointer.allocate(byteCount: Store.stagingSize, alignment: 16)

  func deallocate() {
    tree.deallocate()
    tables.deallocate()
    chain.deallocate()
    writes.deallocate()
    changedInnerNodes.deallocate()
    record.deallocate()
    staging.deallocate()
  }
}

/// A changed node, and the location of the reference to it: an offset in the parent, or, if that is nil, the index of
/// the table.
struct UnplacedNode {
  var bytes: UnsafeMutableRawPointer
  var parent: UnsafeMutableRawPointer?
  var referenceOffset: Int
}

/// A placed block: its offset in the file and its bytes in memory.
struct PendingWrite {
  var offset: Int
  var size: Int
  var bytes: UnsafeMutableRawPointer
}

final class Store: @unchecked Sendable {
  static let stagingSize = 1 << 18

  let file: any StorageFile
  let base: FileView
  /// nil if the system has no memory for it.
  private let verifiedBlocksMemory: ReservedMemory?
  /// The blocks verified since the file was opened.
  let verifiedBlocks: VerifiedBlockBitmap
  /// The newest version when the file was opened.
  private(set) var firstVersion: UInt64
  let options: DatabaseOptions
  /// This opening's session among all that share the file.
  let session: FileSession
  let mutex = ThreadMutex()
  private let writerFinished = ThreadCondition()
  /// The store with which a compaction replaced this one, until the write lock is released there too. It is then
  /// dropped, so that a thread that is slow to release a replaced store does not retain all later ones. Accessed under
  /// the write lock.
  private var successor: Store?
  let shared: UnsafeMutablePointer<SharedState>
  let writer: UnsafeMutablePointer<WriterState>

  /// The store of a file that no other session has open.
  convenience init(
    _ opened: consuming OpenedFile, _ options: DatabaseOptions, _ session: FileSession
  ) {
    let record = opened.chain.newest
    var tables = RawList<TableRoot>(capacity: 16)
    defer { tables.deallocate() }
    for table in record.tables { tables.append(table.root) }
    let memory = try? VerifiedBlockBitmap.reserve(for: opened.file.capacity)
    let version = VersionState(
      number: record.version, fileSize: record.sizeAfter, liveBytes: record.liveBytes,
      names: record.tables.map(\.name), roots: tables.start,
      space: BlockSpace(
        base: opened.base, end: record.sizeAfter, verifiedBlocks: VerifiedBlockBitmap(memory),
        fileEnd: session.isShared ? session.table.address(of: .fileEnd) : nil),
      savepoints: record.savepoints)
    self.init(opened.file, opened.base, version, memory, options, session)
    shared.pointee.setAccount(opened.state.account, of: record.version)
    shared.pointee.deferredFree = writer.pointee.load(opened.state)
    restore(record.evacuation)
    shared.pointee.scatteredBytes = writer.pointee.freeSpace.scatteredBytes
    shared.pointee.tailBytes = max(0, ((try? file.size) ?? 0) - record.sizeAfter)
  }

  /// The store of a file that is opened exclusively.
  convenience init(
    exclusive file: any StorageFile, _ options: DatabaseOptions
  ) throws(StorageError) {
    self.init(try OpenedFile(file, options), options, try FileSession())
    publish(version: firstVersion)
  }

  /// The store of a file that other sessions have open; the writer's state is loaded at the first write.
  convenience init(
    joining file: any StorageFile, _ options: DatabaseOptions, _ session: FileSession
  ) throws(StorageError) {
    let base: FileView
    let size: Int
    do throws(SystemError) {
      base = try FileView(file)
      size = try file.size
    } catch {
      throw StorageError(system: error, "The file cannot be read")
    }
    try FileHeader.check(base.start, size: size)
    guard !FileHeader.isEncrypted(base.start) else {
      throw StorageError(
        .keyMissing, "The file is encrypted; open it with the key (encryptionKey).")
    }
    let memory = try? VerifiedBlockBitmap.reserve(for: file.capacity)
    let none = RawList<TableRoot>(capacity: 1)
    defer { none.deallocate() }
    let nothing = VersionState(
      number: 0, fileSize: 0, liveBytes: 0, names: [], roots: none.start,
      space: BlockSpace(base: base, end: 0, verifiedBlocks: VerifiedBlockBitmap(memory)))
    self.init(file, base, nothing, memory, options, session)
    unpin(try pinNewest(label: ""))
    firstVersion = shared.pointee.newest.number
  }

  private init(
    _ file: any StorageFile, _ base: FileView, _ newest: VersionState,
    _ verifiedBlocksMemory: ReservedMemory?, _ options: DatabaseOptions, _ session: FileSession
  ) {
    self.file = file
    self.base = base
    self.options = options
    self.session = session
    self.verifiedBlocksMemory = verifiedBlocksMemory
    verifiedBlocks = VerifiedBlockBitmap(verifiedBlocksMemory)
    if options.durability == .none, !options.readOnly, options.maximumMappedBytes == nil {
      file.expectFewSyncs()
    }
    firstVersion = newest.number
    shared = .allocate(capacity: 1)
    shared.initialize(
      to: SharedState(
        newest: newest, deferredFree: DeferredFreeExtents(options.reclamation), liveBytes: 0,
        freeBytes: 0,
        overheadBytes: 0, evacuation: EvacuationState(), stateVersion: 0, stateFileSize: 0))
    writer = .allocate(capacity: 1)
    writer.initialize(
      to: WriterState(
        freeSpace: FreeSpace(end: newest.fileSize),
        tree: TreeWriter(
          space: newest.space, version: newest.number + 1,
          inlineValueLimit: min(max(0, options.inlineValueLimit), 512)),
        tables: RawList(capacity: 16), names: [], savepoints: [], liveBytes: 0,
        chain: RawList(capacity: 64),
        previous: (newest.number, RecordRef())))
  }

  /// Publishes this store's version as the newest to all sessions of the file.
  func publish(version: UInt64) {
    if options.durability == .none { session.table[.unsynced] = 1 }
    publishFileEnd()
    session.table[.newest] = version
  }

  deinit {
    shared.pointee.newlyFree.deallocate()
    shared.deinitialize(count: 1)
    shared.deallocate()
    writer.pointee.deallocate()
    writer.deinitialize(count: 1)
    writer.deallocate()
  }

  // MARK: The write lock

  /// Waits until no other thread or process writes, acquires the write lock, and catches up with what others have
  /// committed.
  func acquireWriteLock() throws(StorageError) {
    mutex.lock()
    shared.pointee.waitingWriterCount += 1
    while shared.pointee.isWriterActive { writerFinished.wait(mutex) }
    shared.pointee.waitingWriterCount -= 1
    let isClosed = shared.pointee.isClosed
    if !isClosed { markWriterActive() }
    mutex.unlock()
    guard !isClosed else { throw Self.closed }
    do throws(StorageError) { try session.acquireWriteLock() } catch {
      releaseLocalWriteLock()
      throw error
    }
    try catchUpOrRelease()
  }

  /// Acquires the write lock if it is free. Returns whether it was.
  func tryAcquireWriteLock() throws(StorageError) -> Bool {
    guard try tryAcquireLocalWriteLock() else { return false }
    do throws(StorageError) {
      guard try session.tryAcquireWriteLock() else {
        releaseLocalWriteLock()
        return false
      }
    } catch {
      releaseLocalWriteLock()
      throw error
    }
    try catchUpOrRelease()
    return true
  }

  private func catchUpOrRelease() throws(StorageError) {
    do throws(StorageError) { try catchUp() } catch {
      releaseWriteLock()
      throw error
    }
  }

  /// Acquires the write lock among the threads of this session only, if it is free.
  func tryAcquireLocalWriteLock() throws(StorageError) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    guard !shared.pointee.isWriterActive else { return false }
    markWriterActive()
    return true
  }

  /// Marks the writer as active and enters its epoch. Under the mutex, or before the store is shared.
  private func markWriterActive() {
    shared.pointee.isWriterActive = true
    shared.pointee.writerEpoch = base.enterEpoch()
  }

  /// Starts a new epoch for the writer, which must hold no pointer into the file at this moment.
  @inline(__always)
  func renewWriterEpoch() {
    guard base.encryptedFile != nil else { return }
    base.leaveEpoch(shared.pointee.writerEpoch)
    shared.pointee.writerEpoch = base.enterEpoch()
  }

  /// Runs `body`, which enters epochs of its own, outside of the writer's epoch.
  func withoutWriterEpoch<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    base.leaveEpoch(shared.pointee.writerEpoch)
    defer { shared.pointee.writerEpoch = base.enterEpoch() }
    return try body()
  }

  func releaseWriteLock() {
    if let next = successor {
      successor = nil
      next.releaseWriteLock()
    } else {
      session.releaseWriteLock()
    }
    releaseLocalWriteLock()
  }

  /// Transfers the write lock to the store that replaces this one, in the same session with another file. Writers of
  /// that store wait until the caller releases the lock.
  func transferWriteLock(to next: Store) {
    next.publish(version: next.firstVersion)
    next.markWriterActive()
    successor = next
  }

  func releaseLocalWriteLock() {
    base.leaveEpoch(shared.pointee.writerEpoch)
    mutex.lock()
    shared.pointee.isWriterActive = false
    // A thread that finds the store closed does not acquire the lock, and so would wake no other: wake all of them.
    if shared.pointee.isClosed { writerFinished.broadcast() } else { writerFinished.signal() }
    mutex.unlock()
  }

  /// Acquires the write lock and begins a transaction. Returns the version that it will create.
  func beginWrite() throws(StorageError) -> UInt64 {
    guard !options.readOnly else { throw Self.readOnly }
    try acquireWriteLock()
    try checkWritable()
    return prepareTrees()
  }

  /// The same if the write lock is free; returns false otherwise.
  func beginWriteIfFree() throws(StorageError) -> Bool {
    guard !options.readOnly else { throw Self.readOnly }
    guard try tryAcquireWriteLock() else { return false }
    try checkWritable()
    _ = prepareTrees()
    return true
  }

  /// Throws, after releasing the write lock, if nothing may be written any more.
  private func checkWritable() throws(StorageError) {
    do throws(StorageError) {
      if let failure = mutex.withLock({ shared.pointee.failure }) { throw Self.poisoned(failure) }
      guard session.table[.failed] == 0 else { throw Self.poisonedElsewhere }
      try session.checkNames(isRateLimited: options.durability == .none)
    } catch {
      releaseWriteLock()
      throw error
    }
  }

  /// Whether a thread of this session waits for the write lock.
  var isWriterWaiting: Bool { mutex.withLock { shared.pointee.waitingWriterCount > 0 } }

  /// Begins a transaction on the newest version. Returns the version that it will create.
  func prepareTrees() -> UInt64 {
    let newest = mutex.withLock { shared.pointee.newest }
    writer.pointee.tables.removeAll()
    for index in 0..<newest.tableCount { writer.pointee.tables.append(newest.roots[index]) }
    writer.pointee.names = newest.names
    writer.pointee.savepoints = newest.savepoints
    writer.pointee.freedMetadata = []
    writer.pointee.tree.begin(newest.space, version: newest.number + 1)
    return newest.number + 1
  }

  /// Adds the extents that snapshots have released to the writer's free space. Under the write lock.
  func collectNewlyFree() {
    mutex.lock()
    defer { mutex.unlock() }
    for extent in shared.pointee.newlyFree.buffer { writer.pointee.freeSpace.free(extent) }
    shared.pointee.newlyFree.removeAll()
    shared.pointee.newlyFreeBytes = 0
  }

  var account: SpaceAccount {
    let account = try? withState { state, _ in state.account }
    return account ?? mutex.withLock { shared.pointee.account }
  }

  /// The account including the overhead of encryption.
  var fileAccount: SpaceAccount {
    var account = account
    account.addEncryptionOverhead(file.encryptionOverhead(account.file))
    return account
  }

  static var closed: StorageError {
    StorageError(.closed, "The database is closed; open it again.")
  }

  static var readOnly: StorageError {
    StorageError(
      .readOnly, "The database was opened read-only; open it for writing to change it.")
  }

  static var poisonedElsewhere: StorageError {
    StorageError(
      .poisoned,
      "A write of another process failed, so what is on disk is unknown. Close the database in all "
        + "processes and open it again to continue from its last durable commit.")
  }

  static func poisoned(_ failure: StorageError) -> StorageError {
    StorageError(
      .poisoned,
      "An earlier write failed, so what is on disk is unknown. Open the database again to continue "
        + "from its last durable commit. The failure: \(failure.message)",
      cause: failure.cause)
  }
}

extension StorageError {
  /// Translates an error of the operating system.
  init(system error: SystemError, _ what: String) {
    let code: Code =
      if error.isOutOfSpace {
        .outOfSpace
      } else if error.isPermissionDenied {
        .permissionDenied
      } else if error.isLocked {
        .busy
      } else if error.isAlreadyThere {
        .alreadyExists
      } else {
        .failed
      }
    let cure =
      error.isOutOfSpace
      ? "; free disk space, or raise the limit on file size (ulimit -f)" : ""
    self.init(code, "\(what): \(error)\(cure)", cause: error)
  }
}
