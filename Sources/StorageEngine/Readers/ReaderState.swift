// What the threads of a session share about a file: the newest version, which versions are pinned and what they retain,
// and the account of the space. It is reached only under the mutex of `Readers`, and so are the methods below.
import SystemIO

struct ReaderState: ~Copyable {
  let context: FileContext
  /// The newest version that this session has read or committed.
  var newest: VersionState
  /// What commits freed and registered versions retain, as of `stateVersion`.
  var deferredFree: DeferredFreeExtents
  /// Extents that became free when snapshots ended, which the writer has not collected yet, and their bytes.
  private(set) var newlyFree = UniqueList<Extent>(capacity: 64)
  private(set) var newlyFreeBytes = 0
  /// What the newest commit freed under a pin and no version retains, if the options delay its use by one commit.
  private(set) var delayedFree = UniqueList<Extent>(capacity: 64)
  /// What the newest commit freed and no version retains.
  private var freedAtOnce = UniqueList<Extent>(capacity: 64)
  /// The space account as of the newest commit.
  private(set) var liveBytes = 0
  var freeBytes = 0
  private(set) var overheadBytes = 0
  /// Free bytes that no commit can use because the rest of their page is in use, with the strategy `wholePages`.
  var scatteredBytes = 0
  /// The state of automatic compaction; changed only by the holder of the write lock.
  var evacuation = EvacuationState()
  /// The bytes behind the logical end of the file that are still on disk.
  var tailBytes = 0
  /// The version of the deferred free extents, the account and the writer's state: older than the newest if another
  /// session has committed since; 0 if this session has not needed them yet.
  private(set) var stateVersion: UInt64 = 0
  /// The pinned bytes of that version whose extents are not among the deferred free ones: 0, unless it is outdated.
  private var unlistedPinnedBytes = 0
  private(set) var stateFileSize = 0
  /// The snapshots of this session.
  var registry = SnapshotRegistry()
  /// The number of extents for which the lists above keep their memory.
  private static let retainedExtents = 256
  /// Reader slots that this session owns and does not use.
  private var idleSlots = UniqueList<Int32>(capacity: 64)
  private(set) var isClosed = false
  /// The registered versions when they were last read; a member only for its memory.
  private var registered = RegisteredVersions()

  init(_ context: FileContext, newest: VersionState) {
    self.context = context
    self.newest = newest
    deferredFree = DeferredFreeExtents(context.options.reclamation)
  }

  /// Whether the state is that of the newest version, of whatever session.
  var isCurrent: Bool { stateVersion == context.newestVersion }

  /// The account as of the newest commit and the last synchronization with the reader table.
  var account: SpaceAccount {
    SpaceAccount(
      file: stateFileSize, live: liveBytes, free: freeBytes,
      pinned: deferredFree.bytes + unlistedPinnedBytes, pending: 0,
      overhead: overheadBytes)
  }

  mutating func setAccount(_ account: SpaceAccount, of version: UInt64) {
    stateVersion = version
    unlistedPinnedBytes = account.pinned - deferredFree.bytes
    stateFileSize = account.file
    liveBytes = account.live
    freeBytes = account.free
    overheadBytes = account.overhead
  }

  /// Sets the account that is read once the session was left.
  mutating func setAccount(_ account: SpaceAccount) { setAccount(account, of: stateVersion) }

  /// Marks the state as outdated, even if its version has the newest number.
  mutating func invalidate() { stateVersion = 0 }

  /// Closes the store for all threads. Returns false, without a change, if a snapshot is open.
  mutating func closeIfUnpinned() -> Bool {
    guard registry.count == 0 else { return false }
    isClosed = true
    return true
  }

  /// Opens the store again after `closeIfUnpinned`, because closing failed.
  mutating func reopen() { isClosed = false }

  // MARK: Deferred free space

  /// Counts what became free when versions were unregistered.
  private mutating func countFreed(_ freed: Int) {
    // DEFERRED-4: the sum of the extents goes down exactly by those that became free.
    precondition(freed >= 0, "A version that ends defers nothing (DEFERRED-4).")
    newlyFreeBytes += freed
    freeBytes += freed
  }

  /// Synchronizes the registered versions with the reader table (SPACE-4). Returns whether a reader is still loading its
  /// roots from the file. The state must be current.
  ///
  /// A version that is neither registered here nor the newest is a registration that its reader's second check will
  /// reject.
  @discardableResult
  mutating func syncReaderTable() -> Bool {
    context.session.read(into: &registered)
    for savepoint in newest.savepoints { registered.add(savepoint.version) }
    let before = deferredFree.bytes
    deferredFree.synchronize(with: registered, newest: stateVersion, freed: &newlyFree)
    countFreed(before - deferredFree.bytes)
    return registered.isLoading
  }

  /// Removes one holder of a version.
  private mutating func unregister(_ version: UInt64) {
    let before = deferredFree.bytes
    deferredFree.unregister(version, freed: &newlyFree)
    countFreed(before - deferredFree.bytes)
  }

  /// Passes the extents that snapshots have released to `free`, and those that were delayed once no version is pinned.
  mutating func collectNewlyFree(_ free: (Extent) -> Void) {
    if deferredFree.isEmpty { endDelay() }
    for extent in newlyFree.buffer {
      free(extent)
      newlyFreeBytes -= extent.size
    }
    newlyFree.removeAll()
  }

  private mutating func forgetNewlyFree() {
    newlyFree.removeAll(retaining: Self.retainedExtents)
    delayedFree.removeAll(retaining: Self.retainedExtents)
    freedAtOnce.removeAll(retaining: Self.retainedExtents)
    newlyFreeBytes = 0
  }

  /// Frees the memory of a state that another session's commit has made outdated; the account remains. Many sessions may
  /// have the file open, and each that writes loads the state of the newest version anyway.
  mutating func dropOutdatedExtents() {
    guard !isClosed, !isCurrent else { return }
    forgetNewlyFree()
    guard !deferredFree.isEmpty else { return }
    unlistedPinnedBytes += deferredFree.bytes
    deferredFree = DeferredFreeExtents(context.options.reclamation)
  }

  /// Lets the next commit use what was delayed.
  private mutating func endDelay() {
    for extent in delayedFree.buffer { newlyFree.append(extent) }
    delayedFree.removeAll()
  }

  // MARK: Following commits

  /// Publishes a durable commit of this session. Frees in `space` what it freed and no version retains. Returns whether a
  /// reader is still loading its roots from the file.
  mutating func publish(
    _ version: VersionState, _ record: CommitRecord, overheadBytes: Int, in space: inout FreeSpace
  ) -> Bool {
    precondition(version.number > stateVersion, "A commit makes a newer version.")
    // First the version number, then the reader table: a reader that registered the previous version, and still found
    // it the newest afterwards, is in the table by now and pins what this commit freed. A later one is not.
    context.session.table[.newest] = version.number
    let hasLoadingReaders = syncReaderTable()
    // A savepoint that the commit drops ends before what the commit frees is deferred; one that it makes begins after.
    for dropped in newest.savepoints where !version.savepoints.contains(dropped) {
      unregister(dropped.version)
    }
    deferFrees(of: record, in: &space)
    for made in version.savepoints where made.version == version.number {
      deferredFree.register(made.version)
    }
    newest = version
    evacuation = record.evacuation
    stateVersion = record.version
    stateFileSize = record.sizeAfter
    liveBytes = record.liveBytes
    // SPACE-2: the running account is set from the state that the commit has left, not from differences.
    freeBytes = space.bytes + newlyFreeBytes
    self.overheadBytes = overheadBytes
    scatteredBytes = space.scatteredBytes
    // SPACE-1, as a sum; the walk finds out which bytes.
    assert(
      account.live + account.free + account.pinned + account.overhead == account.file,
      "Every byte of the file has one use (SPACE-1).")
    return hasLoadingReaders
  }

  /// Frees what the commit freed, or defers it while a registered version retains it (DEFERRED-2), so that what the free
  /// list pins for a snapshot is what the snapshot reaches (SPACE-3).
  private mutating func deferFrees(of record: CommitRecord, in space: inout FreeSpace) {
    endDelay()
    freedAtOnce.removeAll()
    for extent in record.freed where !deferredFree.deferFree(extent) {
      let last = freedAtOnce.count - 1
      if last >= 0, freedAtOnce[last].end == extent.offset {
        freedAtOnce[last].size += extent.size
      } else {
        freedAtOnce.append(extent.extent)
      }
    }
    for extent in record.freedMetadata { freedAtOnce.append(extent) }
    guard context.options.freeListRecords == .whole, !deferredFree.isEmpty else {
      return space.free(freedAtOnce.buffer)
    }
    for extent in freedAtOnce.buffer {
      delayedFree.append(extent)
      newlyFreeBytes += extent.size
    }
  }

  /// Continues from the state of a version that another session or an earlier one committed.
  mutating func follow(
    _ version: VersionState, _ account: SpaceAccount, _ deferredFree: consuming DeferredFreeExtents,
    _ evacuation: EvacuationState, tailBytes: Int
  ) {
    precondition(tailBytes >= 0, "The file on disk is as long as its newest version at least.")
    self.deferredFree = deferredFree
    forgetNewlyFree()
    newest = version
    setAccount(account, of: version.number)
    self.tailBytes = tailBytes
    self.evacuation = evacuation
  }

  /// Continues from the state of another session of this process, which is that of the newest version. That session has then
  /// the account of the version and nothing else, as if this one had committed.
  mutating func takeOver(from other: inout ReaderState, _ space: BlockSpace) {
    precondition(
      other.isCurrent && deferredFree.isEmpty && newlyFree.isEmpty,
      "A state is taken over by a session that has none.")
    let account = other.account
    swap(&deferredFree, &other.deferredFree)
    swap(&newlyFree, &other.newlyFree)
    swap(&newlyFreeBytes, &other.newlyFreeBytes)
    swap(&delayedFree, &other.delayedFree)
    newest = VersionState(other.newest, space)
    setAccount(account, of: newest.number)
    other.setAccount(account, of: 0)
    scatteredBytes = other.scatteredBytes
    evacuation = other.evacuation
    tailBytes = other.tailBytes
  }

  // MARK: Reader slots

  /// Returns a reader slot for one snapshot, with what it records about itself. Errors: `closed`; `unsupported` if the
  /// table is full.
  mutating func acquireReaderSlot(label: String) throws(StorageError) -> Int {
    guard !isClosed else { throw StorageError.databaseClosed }
    let slot = try acquireReaderSlot()
    context.session.table.setDetails(slot, label: label, began: Clock.monotonicNanoseconds())
    return slot
  }

  mutating func acquireReaderSlot() throws(StorageError) -> Int {
    if let slot = idleSlots.popLast() { return Int(slot) }
    return try context.session.claimReaderSlot()
  }

  /// Unregisters a snapshot; the slot is reused by the next one of this session.
  mutating func releaseReaderSlot(_ slot: Int) {
    assert(
      context.session.owns(readerSlot: slot), "A slot is released by the session that owns it.")
    context.session.table.setVersion(slot, 0)
    idleSlots.append(Int32(truncatingIfNeeded: slot))
  }

  /// Takes over the idle slots of a store that this one replaces, in the same session.
  mutating func takeIdleSlots(of other: inout ReaderState) {
    precondition(
      context.session === other.context.session, "Reader slots stay in their session.")
    while let slot = other.idleSlots.popLast() { idleSlots.append(slot) }
  }

  /// Returns the unused reader slots to the table, for all sessions. Called before the session is left.
  mutating func releaseIdleSlots() {
    while let slot = idleSlots.popLast() {
      assert(
        context.session.owns(readerSlot: Int(slot)), "A session releases the slots that it owns.")
      context.session.table.release(Int(slot))
    }
  }
}
