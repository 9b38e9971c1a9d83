// The state of one open file. Two parts: what all threads share, under the mutex; and what belongs to whoever has the
// writer's place. Both lie in raw memory, because stored properties of a class cost a check at each access.
import SystemIO

/// What all threads share; touched under the store's mutex only.
struct SharedState {
  var newest: VersionState
  var deferredFree: DeferredFreeExtents
  /// Extents that snapshots gave up since the writer last looked.
  var newlyFree = RawList<Extent>(capacity: 64)
  var newlyFreeBytes = 0
  /// The writer's counts, as of the newest commit.
  var liveBytes: Int
  var freeBytes: Int
  var overheadBytes: Int
  /// Of the free bytes, those that no commit can use because the rest of their page is not free, where blocks go into
  /// whole pages only.
  var scatteredBytes = 0
  /// Where automatic compaction stands; changed by the writer only.
  var evacuation: EvacuationState
  /// What a compaction cut off and left on disk behind the file's end.
  var tailBytes = 0
  /// The version that `retired`, the counts and the writer's state are of: behind the newest one where another opening
  /// committed since, 0 where this one has not needed them yet.
  var stateVersion: UInt64
  var stateFileSize: Int
  /// The file may be longer than its newest version says: it could not be cut yet.
  var cutIsDue = false
  /// The writer's state was added up anew: whoever kept notes about it begins again.
  var wasRebuilt = false
  var registry = SnapshotRegistry()
  var writerIsActive = false
  /// The visit to decrypted units of whoever has the writer's place.
  var writersVisit = 0
  /// Threads of this opening that wait for the writer's place.
  var writersWaiting = 0
  var isClosed = false
  /// The first write or sync that failed: nothing may be written any more.
  var failure: StorageError?
}

/// What belongs to the writer.
struct WriterState {
  var freeSpace: FreeSpace
  var tree: TreeWriter
  var tables: RawList<TableRoot>
  var names: [String]
  var savepoints: [SavepointEntry]
  /// Table lists of savepoints that the transaction drops or moves.
  var freedMetadata: [Extent] = []
  var liveBytes: Int
  /// Pieces of the records from the last checkpoint on.
  var chain: RawList<Extent>
  var chainBytes = 0
  var checkpointBytes = 0
  var previous: (version: UInt64, ref: RecordRef)
  var writes = RawList<PendingWrite>(capacity: 256)
  /// The changed nodes above the leaves, each behind those below it.
  var inner = RawList<NodeToPlace>()
  var record = RecordWriter()
  /// An allocation below the limit found no room: the limit is off, and the compaction that set it must give up.
  var gaveUpLimit = false
  /// Bytes that snapshots and savepoints alone keep, as of the commit's beginning.
  var pinnedBytes = 0
  /// Bytes of blocks and records that were placed since the file last grew only so that they lie side by side; nil before
  /// it did.
  var placedSinceGrowth: Int?
  /// The disk refused a growth that the commit could do without; not asked for again in this commit.
  var isRefusedGrowth = false
  /// Places of blocks that `SeededFault.reuseOneCommitEarly` wrote over.
  var reusedEarly: Set<Int> = []
  var staging = UnsafeMutableRawPointer.allocate(byteCount: Store.stagingSize, alignment: 16)

  func deallocate() {
    freeSpace.deallocate()
    tree.deallocate()
    tables.deallocate()
    chain.deallocate()
    writes.deallocate()
    inner.deallocate()
    record.deallocate()
    staging.deallocate()
  }
}

/// A changed node, and where the reference to it is: at a place in the node above, or, where that is nil, in the table of
/// this number.
struct NodeToPlace {
  var bytes: UnsafeMutableRawPointer
  var holder: UnsafeMutableRawPointer?
  var place: Int
}

/// A block with its place in the file, and its bytes in memory.
struct PendingWrite {
  var offset: Int
  var size: Int
  var bytes: UnsafeMutableRawPointer
}

final class Store: @unchecked Sendable {
  static let stagingSize = 1 << 18

  let file: any StorageFile
  let base: FileView
  /// nil where the system has no memory for it.
  private let verifiedBlocksMemory: ReservedMemory?
  /// Which blocks were verified since the file was opened.
  let verifiedBlocks: VerifiedBlockBitmap
  /// The newest version when the file was opened.
  private(set) var firstVersion: UInt64
  let options: DatabaseOptions
  /// This opening's place among all that share the file.
  let session: FileSession
  let mutex = ThreadMutex()
  private let writerLeft = ThreadCondition()
  /// What a compaction put in this store's place, until the writer's place is left there too: a thread that is slow to
  /// let go of a replaced store must not keep all that came after it. Set and read by the one with the writer's place.
  private var successor: Store?
  let shared: UnsafeMutablePointer<SharedState>
  let writer: UnsafeMutablePointer<WriterState>

  /// Of a file that this opening alone has, or is the first of all to have.
  convenience init(_ opened: OpenedFile, _ options: DatabaseOptions, _ session: FileSession) {
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
    let state = LoadedState(opened)
    shared.pointee.deferredFree.deallocate()
    shared.pointee.deferredFree = state.deferredFree
    shared.pointee.take(state.account, of: record.version)
    writer.pointee.load(state)
    adopt(record.evacuation)
    shared.pointee.scatteredBytes = writer.pointee.freeSpace.scatteredBytes
    shared.pointee.tailBytes = max(0, ((try? file.size) ?? 0) - record.sizeAfter)
  }

  /// Of a file that this opening has for itself.
  convenience init(
    alone file: any StorageFile, _ options: DatabaseOptions
  ) throws(StorageError) {
    self.init(try OpenedFile(file, options), options, try FileSession())
    announce()
  }

  /// Of a file that others have too: what the writer needs is read when it first writes.
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
        newest: newest, deferredFree: DeferredFreeExtents(options.reclamation), liveBytes: 0, freeBytes: 0,
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

  /// From here on this store's version is the newest for all that share the file.
  func announce() {
    if options.durability == .none { session.table[.unsynced] = 1 }
    noteFileEnd()
    session.table[.newest] = shared.pointee.newest.number
  }

  deinit {
    shared.pointee.deferredFree.deallocate()
    shared.pointee.newlyFree.deallocate()
    shared.deinitialize(count: 1)
    shared.deallocate()
    writer.pointee.deallocate()
    writer.deinitialize(count: 1)
    writer.deallocate()
  }

  // MARK: The writer's place

  /// Waits until no one else writes, in no process, and knows then what they wrote.
  func takeWriterPlace() throws(StorageError) {
    mutex.lock()
    shared.pointee.writersWaiting += 1
    while shared.pointee.writerIsActive { writerLeft.wait(mutex) }
    shared.pointee.writersWaiting -= 1
    let isClosed = shared.pointee.isClosed
    if !isClosed { occupy() }
    mutex.unlock()
    guard !isClosed else { throw Self.closed }
    do throws(StorageError) { try session.acquireWriteLock() } catch {
      leaveOwnPlace()
      throw error
    }
    try catchUpOrLeave()
  }

  /// Takes the writer's place, or answers false where someone has it.
  func takeWriterPlaceIfFree() throws(StorageError) -> Bool {
    guard try takeOwnPlaceIfFree() else { return false }
    do throws(StorageError) {
      guard try session.tryAcquireWriteLock() else {
        leaveOwnPlace()
        return false
      }
    } catch {
      leaveOwnPlace()
      throw error
    }
    try catchUpOrLeave()
    return true
  }

  private func catchUpOrLeave() throws(StorageError) {
    do throws(StorageError) { try catchUp() } catch {
      leaveWriterPlace()
      throw error
    }
  }

  /// The place among the threads of this opening alone.
  func takeOwnPlaceIfFree() throws(StorageError) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    guard !shared.pointee.isClosed else { throw Self.closed }
    guard !shared.pointee.writerIsActive else { return false }
    occupy()
    return true
  }

  /// From here on the writer's place is taken. Under the mutex, or by who made the store.
  private func occupy() {
    shared.pointee.writerIsActive = true
    shared.pointee.writersVisit = base.enterEpoch()
  }

  /// Who has the writer's place holds no pointer into the file at this moment: its visit to decrypted units begins anew.
  @inline(__always)
  func renewWritersVisit() {
    guard base.encryptedFile != nil else { return }
    base.leaveEpoch(shared.pointee.writersVisit)
    shared.pointee.writersVisit = base.enterEpoch()
  }

  /// Runs what makes visits of its own, without that of the writer's place.
  func withoutWritersVisit<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    base.leaveEpoch(shared.pointee.writersVisit)
    defer { shared.pointee.writersVisit = base.enterEpoch() }
    return try body()
  }

  func leaveWriterPlace() {
    if let next = successor {
      successor = nil
      next.leaveWriterPlace()
    } else {
      session.releaseWriteLock()
    }
    leaveOwnPlace()
  }

  /// The writer's place, which the caller has, is the next store's from here on: that of the same session, with another
  /// file. Its writers wait until the caller leaves the place.
  func handOver(to next: Store) {
    next.announce()
    next.occupy()
    successor = next
  }

  func leaveOwnPlace() {
    base.leaveEpoch(shared.pointee.writersVisit)
    mutex.lock()
    shared.pointee.writerIsActive = false
    // Whoever finds the store closed leaves without taking the place, and so wakes no one after itself.
    if shared.pointee.isClosed { writerLeft.broadcast() } else { writerLeft.signal() }
    mutex.unlock()
  }

  /// Takes the writer's place and prepares the trees for a transaction; answers the version that it will make.
  func beginWrite() throws(StorageError) -> UInt64 {
    guard !options.readOnly else { throw Self.readOnly }
    try takeWriterPlace()
    try checkSound()
    return prepareTrees()
  }

  /// The same where nobody writes; false where someone does.
  func beginWriteIfFree() throws(StorageError) -> Bool {
    guard !options.readOnly else { throw Self.readOnly }
    guard try takeWriterPlaceIfFree() else { return false }
    try checkSound()
    _ = prepareTrees()
    return true
  }

  /// Leaves the writer's place where nothing may be written any more.
  private func checkSound() throws(StorageError) {
    do throws(StorageError) {
      if let failure = mutex.withLock({ shared.pointee.failure }) { throw Self.poisoned(failure) }
      guard session.table[.failed] == 0 else { throw Self.poisonedElsewhere }
      try session.checkNames(isRateLimited: options.durability == .none)
    } catch {
      leaveWriterPlace()
      throw error
    }
  }

  /// Whether a thread of this opening waits for the writer's place.
  var isWriterWaiting: Bool { mutex.withLock { shared.pointee.writersWaiting > 0 } }

  /// Begins a transaction on the newest version; answers the version that it will make.
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

  /// Gives the writer what snapshots released since it last looked. Called with the writer's place.
  func collectNewlyFree() {
    mutex.lock()
    defer { mutex.unlock() }
    for extent in shared.pointee.newlyFree.buffer { writer.pointee.freeSpace.free(extent) }
    shared.pointee.newlyFree.removeAll()
    shared.pointee.newlyFreeBytes = 0
  }

  var account: SpaceAccount {
    let account = try? withState { $0.account }
    return account ?? mutex.withLock { shared.pointee.account }
  }

  /// The account of the file as it lies on disk.
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
      .readOnly, "The database was opened to be read only; open it for writing to change it.")
  }

  static var poisonedElsewhere: StorageError {
    StorageError(
      .poisoned,
      "A write of another process failed, so what is on disk is unknown. Close the database in all "
        + "processes and open it again to go on from its last durable commit.")
  }

  static func poisoned(_ failure: StorageError) -> StorageError {
    StorageError(
      .poisoned,
      "An earlier write failed, so what is on disk is unknown. Open the database again to go on "
        + "from its last durable commit. The failure: \(failure.message)",
      cause: failure.cause)
  }
}

extension StorageError {
  /// What the operating system said, as one of our codes.
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
      ? "; make room on the disk, or raise the limit on the size of files (ulimit -f)" : ""
    self.init(code, "\(what): \(error)\(cure)", cause: error)
  }
}
