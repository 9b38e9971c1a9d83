// How a writer follows the commits of other sessions: those of its own process, whose state it takes over, and those of other
// processes, whose records it replays.
import SystemIO

extension Writer {
  /// Returns whether the state was replayed or taken over since the last call.
  mutating func consumeReloadFlag() -> Bool {
    defer { wasReloaded = false }
    return wasReloaded
  }

  /// Brings the state up to the newest version: the free space and the deferred free extents are those of the version
  /// that this session knew, so they are taken over from the session of this process that wrote last, or replayed from
  /// the records. A commit that another writer left unfinished when it died is recovered first. The lock must be that of all
  /// sessions.
  mutating func catchUp() throws(StorageError) {
    let table = context.session.table
    if table[.failed] != 0 { return }
    if table[.committing] != 0 { try recoverDeadCommit() }
    guard !readers.withLock({ $0.isCurrent }) else { return }
    dropOutdatedState()
    wasReloaded = true
    let slot = try context.slot(of: table[.newest])
    if LastWriters.shared.withLast(besides: context, { takeOver(from: &$0, slot) }) { return }
    try reload(slot)
  }

  /// Frees the memory of an outdated state, before another takes as much.
  private mutating func dropOutdatedState() {
    readers.withLock { $0.dropOutdatedExtents() }
    allocator.space = FreeSpace(end: Layout.blocksStart)
  }

  /// Replays the newest version's state from its records.
  private mutating func reload(_ slot: CommitSlot) throws(StorageError) {
    let session = context.session
    let found = readers.withLock { _ in
      session.clearStaleReaders()
      return session.registeredVersions()
    }
    let state = try LoadedState(
      slot, base: context.base, context.options, registered: found)
    let length = slot.fileSize
    let tail: Int
    do throws(SystemError) { tail = max(0, try context.file.size - length) } catch {
      throw StorageError(system: error, "The file's length cannot be read")
    }
    load(state, context.foreignSpace(ofLength: length), tailBytes: tail)
    isTruncationDue = tail > 0 && context.options.automaticCompaction?.truncation == .immediate
  }

  /// Takes over the state of another session of this process if that is the newest version's, and frees what that session has
  /// otherwise. Returns false if the state must be replayed.
  ///
  /// The other session is then as after a commit of this one: its account remains, and it catches up before it writes.
  private mutating func takeOver(from other: inout Writer, _ slot: CommitSlot) -> Bool {
    guard other.readers.withLock({ $0.isCurrent }) else {
      other.dropOutdatedState()
      return false
    }
    guard !other.isPoisoned, context.options.hasSameSpace(as: other.context.options) else {
      return false
    }
    precondition(
      other.log.newest.version == slot.version && other.allocator.space.end == slot.fileSize,
      "Between transactions a writer's state is that of a version.")
    allocator.takeOver(from: &other.allocator)
    swap(&log, &other.log)
    liveBytes = other.liveBytes
    isTruncationDue = other.isTruncationDue
    let space = context.foreignSpace(ofLength: slot.fileSize)
    other.readers.withLock { other in readers.withLock { $0.takeOver(from: &other, space) } }
    return true
  }

  /// Recovers from a writer that died during its commit, or before it had published it: what the slots contain is
  /// checked as at opening, made durable, and then published.
  private func recoverDeadCommit() throws(StorageError) {
    LastWriters.shared.removeAny(ofFileOf: context)
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

extension DatabaseOptions {
  /// Whether a session with these options continues what one with the others has of the space, as if it were its own.
  fileprivate func hasSameSpace(as other: DatabaseOptions) -> Bool {
    takesOverState && other.takesOverState && allocation == other.allocation
      && reclamation == other.reclamation && freeListRecords == other.freeListRecords
      && automaticCompaction == other.automaticCompaction
  }
}
