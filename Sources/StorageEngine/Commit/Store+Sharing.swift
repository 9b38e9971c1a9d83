// Following the commits of other sessions: the writer's free space and deferred free extents are of the version that it
// knew, so they are rebuilt from the records. A commit that another writer left unfinished when it died is recovered
// first.
import SystemIO

/// The writer's state of one version, rebuilt from its records.
struct LoadedState: ~Copyable {
  let slot: CommitSlot
  let chain: RecordChain
  var free: FreeSpace
  var deferredFree: DeferredFreeExtents
}

extension LoadedState {
  /// Loads the state of the version in `slot`, given the registered versions.
  init(
    _ slot: CommitSlot, base: FileView, _ options: DatabaseOptions,
    registered: [(number: UInt64, readers: Int)]
  ) throws(StorageError) {
    let chain = try RecordChain(slot, base: base)
    let held =
      registered.flatMap { Array(repeating: $0, count: $1) }
      + chain.newest.savepoints.map(\.version)
    let rule = ReclamationRule(options.reclamation, held.filter { $0 < slot.version })
    let replay = try chain.freeSpace(pinnedBy: rule, options.allocation)
    let deferredFree = DeferredFreeExtents(
      options.reclamation, registered: held, extents: replay.pinned)
    self.init(slot: slot, chain: chain, free: replay.free, deferredFree: deferredFree)
  }

  var account: SpaceAccount {
    let pieces = chain.pieces.joined().reduce(0) { $0 + $1.size }
    return SpaceAccount(
      file: slot.fileSize, live: chain.newest.liveBytes, free: free.bytes,
      pinned: deferredFree.bytes,
      pending: 0,
      overhead: Layout.blocksStart + pieces + SavepointEntry.listBytes(chain.newest.savepoints))
  }
}

/// The newest version's account and savepoints.
struct StateView {
  let account: SpaceAccount
  let savepoints: [SavepointEntry]
}

extension Store {
  /// The number of the newest version, of whatever session.
  var newest: UInt64 { session.table[.newest] }

  /// Returns whether the writer's state was reloaded since the last call.
  func consumeReloadFlag() -> Bool {
    mutex.withLock {
      defer { shared.pointee.wasReloaded = false }
      return shared.pointee.wasReloaded
    }
  }

  /// Brings the writer's state up to the newest version. The caller holds the write lock of all processes.
  func catchUp() throws(StorageError) {
    if session.table[.failed] != 0 { return }
    if session.table[.committing] != 0 { try recoverDeadCommit() }
    guard mutex.withLock({ !isCurrent }) else { return }
    let found = mutex.withLock {
      session.clearStaleReaders()
      return session.registeredVersions()
    }
    let number = session.table[.newest]
    try install(
      LoadedState(
        try slot(of: number), base: base, options,
        registered: found.versions.filter { $0.number <= number }))
  }

  /// Recovers from a writer that died during its commit, or before it had published it: what the slots contain is
  /// checked as at opening, made durable, and then published.
  private func recoverDeadCommit() throws(StorageError) {
    let opened = try OpenedFile(file, options, truncates: false)
    if options.durability == .none { session.table[.unsynced] = 1 }
    publishFileEnd()
    session.table[.newest] = opened.slot.version
    session.table[.committing] = 0
    // This session's state is invalid even if the version number is the same: its blocks may lie elsewhere.
    mutex.withLock { shared.pointee.stateVersion = 0 }
  }

  private func install(_ state: consuming LoadedState) throws(StorageError) {
    let record = state.chain.newest
    var tables = RawList<TableRoot>(capacity: 16)
    defer { tables.deallocate() }
    for table in record.tables { tables.append(table.root) }
    let version = VersionState(
      number: record.version, fileSize: record.sizeAfter, liveBytes: record.liveBytes,
      names: record.tables.map(\.name), roots: tables.start,
      space: space(of: record.sizeAfter), savepoints: record.savepoints)
    let tail: Int
    do throws(SystemError) { tail = max(0, try file.size - record.sizeAfter) } catch {
      throw StorageError(system: error, "The file's length cannot be read")
    }
    let account = state.account
    mutex.lock()
    shared.pointee.deferredFree = writer.pointee.load(state)
    shared.pointee.newlyFree.removeAll()
    shared.pointee.newlyFreeBytes = 0
    shared.pointee.newest = version
    shared.pointee.setAccount(account, of: record.version)
    shared.pointee.isTruncationDue =
      tail > 0 && options.automaticCompaction?.truncation == .immediate
    shared.pointee.tailBytes = tail
    shared.pointee.wasReloaded = true
    mutex.unlock()
    restore(record.evacuation)
  }

  /// Calls `body` with the account of the newest version and its pinned extents. Uses this session's state if that is
  /// current; else replays the records. A registered reader slot keeps the file's length meanwhile, and the replay is
  /// repeated if another commit overwrote the records.
  func withState<Result>(
    _ body: (StateView, borrowing DeferredFreeExtents) -> Result
  ) throws(StorageError) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    let table = session.table
    guard !shared.pointee.isClosed, !isCurrent else {
      if !shared.pointee.isClosed { syncReaderTable() }
      return body(
        StateView(
          account: shared.pointee.account, savepoints: shared.pointee.newest.savepoints),
        shared.pointee.deferredFree)
    }
    let readerSlot = try session.acquireReaderSlot()
    defer { session.releaseReaderSlot(readerSlot) }
    while true {
      let number = table[.newest]
      table.setVersion(readerSlot, number | ReaderTable.isLoading)
      guard table[.newest] == number else { continue }
      do throws(StorageError) {
        let found = session.registeredVersions().excluding(number)
        let state = try LoadedState(
          try slot(of: number), base: base, options, registered: found)
        return body(
          StateView(account: state.account, savepoints: state.chain.newest.savepoints),
          state.deferredFree)
      } catch {
        guard table[.newest] != number else { throw error }
      }
    }
  }
}

extension RegisteredVersions {
  /// Returns the versions without one reader of this version, and without later versions.
  fileprivate func excluding(_ version: UInt64) -> [(number: UInt64, readers: Int)] {
    versions.compactMap { entry in
      let readers = entry.number == version ? entry.readers - 1 : entry.readers
      return entry.number > version || readers == 0 ? nil : (entry.number, readers)
    }
  }
}

extension SharedState {
  /// The account as of the newest commit and the last synchronization with the reader table.
  var account: SpaceAccount {
    SpaceAccount(
      file: stateFileSize, live: liveBytes, free: freeBytes, pinned: deferredFree.bytes, pending: 0,
      overhead: overheadBytes)
  }

  mutating func setAccount(_ account: SpaceAccount, of version: UInt64) {
    stateVersion = version
    stateFileSize = account.file
    liveBytes = account.live
    freeBytes = account.free
    overheadBytes = account.overhead
  }
}

extension WriterState {
  /// Continues from the loaded state; the tables are set when a transaction begins. Returns the deferred free extents,
  /// which belong to the shared state.
  mutating func load(_ state: consuming LoadedState) -> DeferredFreeExtents {
    let record = state.chain.newest
    liveBytes = record.liveBytes
    previous = (record.version, state.slot.record)
    chain.removeAll()
    for piece in state.chain.pieces.joined() { chain.append(piece) }
    let bytes = state.chain.pieces.map { $0.reduce(0) { $0 + $1.size } }
    checkpointBytes = bytes[0]
    chainBytes = bytes.dropFirst().reduce(0, +)
    freeSpace = state.free
    return state.deferredFree
  }
}
