// What another opening's commits mean for this one's writer: its free space and retired extents are of the version that
// it knew, so they are added up again from the records. And what a writer that died in a commit left is settled first.
import SystemIO

/// What a writer needs to know of a version: all that its records add up to.
struct LoadedState {
  let slot: CommitSlot
  let chain: RecordChain
  var free: FreeSpace
  var deferredFree: DeferredFreeExtents

  func deallocate() {
    free.deallocate()
    deferredFree.deallocate()
  }

  /// Of the version in `slot`, when these versions are registered.
  init(
    _ slot: CommitSlot, base: FileView, _ options: DatabaseOptions,
    registered: [(number: UInt64, readers: Int)]
  ) throws(StorageError) {
    self.slot = slot
    chain = try RecordChain(slot, base: base)
    let held =
      registered.flatMap { Array(repeating: $0, count: $1) }
      + chain.newest.savepoints.map(\.version)
    let rule = ReclamationRule(options.reclamation, held.filter { $0 < slot.version })
    let (free, kept) = try chain.freeSpace(pinnedBy: rule, options.allocation)
    self.free = free
    deferredFree = DeferredFreeExtents(
      options.reclamation, registered: held, extents: kept)
  }

  /// Of a file that was just opened, with nobody registered but its savepoints.
  init(_ opened: OpenedFile) {
    (slot, chain, free, deferredFree) = (opened.slot, opened.chain, opened.free, opened.deferredFree)
  }

  var account: SpaceAccount {
    let pieces = chain.pieces.joined().reduce(0) { $0 + $1.size }
    return SpaceAccount(
      file: slot.fileSize, live: chain.newest.liveBytes, free: free.bytes, pinned: deferredFree.bytes,
      pending: 0,
      overhead: Layout.blocksStart + pieces + SavepointEntry.listBytes(chain.newest.savepoints))
  }
}

/// What the newest version's records say, valid within the call that hands it out.
struct StateView {
  let account: SpaceAccount
  let deferredFree: DeferredFreeExtents
  let savepoints: [SavepointEntry]
}

extension Store {
  /// The newest version's number, whoever committed it.
  var newest: UInt64 { session.table[.newest] }

  /// Whether the writer's state was added up anew since this was asked last.
  func takeRebuilt() -> Bool {
    mutex.withLock {
      defer { shared.pointee.wasRebuilt = false }
      return shared.pointee.wasRebuilt
    }
  }

  /// Brings the writer's state up to the newest version. The caller has the writer's place, in all processes.
  func catchUp() throws(StorageError) {
    if session.table[.failed] != 0 { return }
    if session.table[.committing] != 0 { try settleDeadCommit() }
    guard mutex.withLock({ !isCurrent }) else { return }
    let found = mutex.withLock {
      session.clearStaleReaders()
      return session.registeredVersions()
    }
    let number = session.table[.newest]
    try adopt(
      LoadedState(
        try slot(of: number), base: base, options,
        registered: found.versions.filter { $0.number <= number }))
  }

  /// A writer died in its commit, or before it had published it: what the slots say now is checked as at opening, made
  /// durable, and then published.
  private func settleDeadCommit() throws(StorageError) {
    let opened = try OpenedFile(file, options, cuts: false)
    opened.free.deallocate()
    opened.deferredFree.deallocate()
    if options.durability == .none { session.table[.unsynced] = 1 }
    noteFileEnd()
    session.table[.newest] = opened.slot.version
    session.table[.committing] = 0
    // Not what this opening knew, even where the number is the same: places may be used otherwise.
    mutex.withLock { shared.pointee.stateVersion = 0 }
  }

  private func adopt(_ state: LoadedState) throws(StorageError) {
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
      state.deallocate()
      throw StorageError(system: error, "The file's length cannot be read")
    }
    writer.pointee.load(state)
    mutex.withLock {
      shared.pointee.deferredFree.deallocate()
      shared.pointee.deferredFree = state.deferredFree
      shared.pointee.newlyFree.removeAll()
      shared.pointee.newlyFreeBytes = 0
      shared.pointee.newest = version
      shared.pointee.take(state.account, of: record.version)
      shared.pointee.cutIsDue = tail > 0 && options.automaticCompaction?.truncation == .immediate
      shared.pointee.tailBytes = tail
      shared.pointee.wasRebuilt = true
    }
    adopt(record.evacuation)
  }

  /// The account of the newest version, and what is kept for whom. Of this opening's own state where that is of the
  /// newest version; else added up from the records, which stay as they are while a place in the table holds the file's
  /// length and is tried again where a commit came between.
  func withState<Result>(
    _ body: (StateView) -> Result
  ) throws(StorageError) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    let table = session.table
    guard !shared.pointee.isClosed, !isCurrent else {
      if !shared.pointee.isClosed { noteReaders() }
      return body(
        StateView(
          account: shared.pointee.account, deferredFree: shared.pointee.deferredFree,
          savepoints: shared.pointee.newest.savepoints))
    }
    let reader = try session.acquireReaderSlot()
    defer { session.releaseReaderSlot(reader) }
    while true {
      let number = table[.newest]
      table.setVersion(reader, number | ReaderTable.isLoading)
      guard table[.newest] == number else { continue }
      do throws(StorageError) {
        let found = session.registeredVersions().excluding(number)
        let state = try LoadedState(
          try slot(of: number), base: base, options, registered: found)
        defer { state.deallocate() }
        return body(
          StateView(
            account: state.account, deferredFree: state.deferredFree,
            savepoints: state.chain.newest.savepoints))
      } catch {
        guard table[.newest] != number else { throw error }
      }
    }
  }
}

extension RegisteredVersions {
  /// Without one reader of this version, and without versions after it.
  fileprivate func excluding(_ version: UInt64) -> [(number: UInt64, readers: Int)] {
    versions.compactMap { entry in
      let readers = entry.number == version ? entry.readers - 1 : entry.readers
      return entry.number > version || readers == 0 ? nil : (entry.number, readers)
    }
  }
}

extension SharedState {
  /// As of the newest commit, and of the readers that were noted last.
  var account: SpaceAccount {
    SpaceAccount(
      file: stateFileSize, live: liveBytes, free: freeBytes, pinned: deferredFree.bytes, pending: 0,
      overhead: overheadBytes)
  }

  mutating func take(_ account: SpaceAccount, of version: UInt64) {
    stateVersion = version
    stateFileSize = account.file
    liveBytes = account.live
    freeBytes = account.free
    overheadBytes = account.overhead
  }
}

extension WriterState {
  /// Goes on from there; the tables are taken over when a transaction begins.
  mutating func load(_ state: LoadedState) {
    freeSpace.deallocate()
    freeSpace = state.free
    let record = state.chain.newest
    liveBytes = record.liveBytes
    previous = (record.version, state.slot.record)
    chain.removeAll()
    for piece in state.chain.pieces.joined() { chain.append(piece) }
    let bytes = state.chain.pieces.map { $0.reduce(0) { $0 + $1.size } }
    checkpointBytes = bytes[0]
    chainBytes = bytes.dropFirst().reduce(0, +)
  }
}
