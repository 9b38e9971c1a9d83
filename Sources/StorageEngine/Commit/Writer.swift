// The one writer of a file: the allocator, the changes of the open transaction, and the log that the next commit extends.
//
// The value exists once in a store and is reached only through a `WriteAccess`, that is, by the holder of the write lock.
// So a function with an `inout Writer`, like every method here, can only be called under that lock.
import SystemIO

struct Writer: ~Copyable {
  let context: FileContext
  /// What the writer publishes, and what keeps it from reusing space.
  let readers: Readers
  var changes: PendingChanges
  var allocator: FileAllocator
  var log: CommitLog
  /// The writes of the commit that is under way.
  var writes = BlockWrites()
  /// The changed nodes above the leaves, children before parents.
  var changedInnerNodes = UniqueList<UnplacedNode>(capacity: 64)
  /// The live bytes of the newest version.
  var liveBytes = 0
  /// Whether the file on disk is longer than its newest version and is still to be truncated.
  var isTruncationDue = false
  /// The first write or sync that failed; nothing may be written after it.
  private(set) var failure: StorageError?
  /// Whether the state was reloaded, so that state derived from it must be reset.
  private var wasReloaded = false
  /// The epoch of the writer's pointers into decrypted units.
  private var epoch = 0

  init(_ readers: Readers, newest: VersionState) {
    self.readers = readers
    context = readers.context
    changes = PendingChanges(newest, inlineValueLimit: readers.context.options.usedInlineValueLimit)
    allocator = FileAllocator(readers.context, end: newest.fileSize)
    log = CommitLog(version: newest.number)
  }

  // MARK: The epoch

  /// Enters an epoch, when the write lock is acquired.
  mutating func enterEpoch() { epoch = context.base.enterEpoch() }

  /// Leaves the epoch, before the write lock is released, or for an operation that enters epochs of its own.
  func leaveEpoch() { context.base.leaveEpoch(epoch) }

  /// Starts a new epoch. The writer must hold no pointer into the file at this moment.
  @inline(__always)
  mutating func renewEpoch() {
    guard context.base.encryptedFile != nil else { return }
    leaveEpoch()
    enterEpoch()
  }

  // MARK: Transactions

  /// Begins a transaction on the newest version. Errors: `poisoned`, `displaced`.
  mutating func beginTransaction() throws(StorageError) {
    if let failure { throw StorageError.poisoned(by: failure) }
    guard context.session.table[.failed] == 0 else { throw StorageError.poisonedElsewhere }
    try context.session.checkNames(isRateLimited: context.options.durability == .none)
    beginChanges()
  }

  mutating func beginChanges() {
    let newest = readers.newest
    precondition(
      newest.number == log.newest.version, "A transaction begins on the newest version's state.")
    changes.begin(on: newest)
  }

  /// Adds the extents that snapshots have released to the free space.
  mutating func collectNewlyFree() {
    readers.withLock { state in state.collectNewlyFree { allocator.space.free($0) } }
  }

  /// Whether a write or sync has failed, in this session or another.
  var isPoisoned: Bool { failure != nil || context.session.table[.failed] != 0 }

  /// Prevents all further commits, also of other sessions, because of `failure`.
  mutating func poison(_ failure: StorageError) {
    context.session.table[.failed] = context.session.number
    if self.failure == nil { self.failure = failure }
  }

  // MARK: Following other sessions

  /// Returns whether the state was reloaded since the last call.
  mutating func consumeReloadFlag() -> Bool {
    defer { wasReloaded = false }
    return wasReloaded
  }

  /// Brings the state up to the newest version: the free space and the deferred free extents are those of the version
  /// that this session knew, so they are rebuilt from the records. A commit that another writer left unfinished when it
  /// died is recovered first. The lock must be that of all sessions.
  mutating func catchUp() throws(StorageError) {
    let table = context.session.table
    if table[.failed] != 0 { return }
    if table[.committing] != 0 { try recoverDeadCommit() }
    guard !readers.withLock({ $0.isCurrent }) else { return }
    let session = context.session
    let found = readers.withLock { state in
      state.dropOutdatedExtents()
      session.clearStaleReaders()
      return session.registeredVersions()
    }
    let number = table[.newest]
    // Before another takes as much memory.
    allocator.space = FreeSpace(end: Layout.blocksStart)
    let state = try LoadedState(
      try context.slot(of: number), base: context.base, context.options,
      registered: found.versions.filter { $0.number <= number })
    let length = state.slot.fileSize
    let tail: Int
    do throws(SystemError) { tail = max(0, try context.file.size - length) } catch {
      throw StorageError(system: error, "The file's length cannot be read")
    }
    load(state, context.foreignSpace(ofLength: length), tailBytes: tail)
    isTruncationDue = tail > 0 && context.options.automaticCompaction?.truncation == .immediate
    wasReloaded = true
  }

  /// Recovers from a writer that died during its commit, or before it had published it: what the slots contain is
  /// checked as at opening, made durable, and then published.
  private func recoverDeadCommit() throws(StorageError) {
    let opened = try OpenedFile(context.file, context.options, truncates: false)
    context.publish(version: opened.slot.version)
    context.session.table[.committing] = 0
    // This session's state is invalid even if the version number is the same: its blocks may lie elsewhere.
    readers.withLock { $0.invalidate() }
  }

  /// Continues from the state of a version that was read from the file.
  mutating func load(_ state: consuming LoadedState, _ space: BlockSpace, tailBytes: Int) {
    let record = state.chain.newest
    let version = VersionState(record, space)
    // Sessions without automatic compaction do not continue what another has begun.
    let evacuation =
      context.options.automaticCompaction == nil ? EvacuationState() : record.evacuation
    let account = state.account
    log.load(state.chain, state.slot)
    liveBytes = record.liveBytes
    allocator.space = state.free
    allocator.space.setLimit(evacuation.allocationLimit)
    let scattered = allocator.space.scatteredBytes
    // A closure cannot consume what it captures.
    var deferredFree: DeferredFreeExtents? = state.deferredFree
    readers.withLock { shared in
      guard let extents = deferredFree.take() else { return }
      shared.follow(version, account, extents, evacuation, tailBytes: tailBytes)
      shared.scatteredBytes = scattered
    }
  }
}
