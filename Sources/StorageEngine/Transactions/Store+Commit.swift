// A commit, step by step:
//   1. every changed block gets a place in the free space, children before parents, and its checksum;
//   2. the record gets its places;
//   3. the file grows, if it must: a full disk is met here, with nothing written;
//   4. blocks and record are written, then the slot, then one sync;
//   5. the version is published, and what it freed becomes reusable.
// A failure before step 4 undoes the allocations; from step 4 on it also closes the database to writers, because what
// reached the disk is unknown. Why one sync is enough: Docs/FileFormat.md.
import SystemIO

/// What a commit did.
struct CommitReport {
  var version: UInt64
  /// Bytes of blocks that were written, the record not among them.
  var blockBytes: Int
  var recordBytes: Int
  var sizeBefore: Int
  var sizeAfter: Int
  /// What was cut off and stays on disk until the next opening.
  var left = 0
  var evacuation = EvacuationState()
}

/// What a compaction asks of a commit.
struct CommitRequest {
  /// What the commit's record shall say about automatic compaction, unless the commit itself ends that.
  var evacuation = EvacuationState()
  /// Cut the file to this length if everything from there on is free.
  var cutTo: Int?
  /// Cut it anywhere above if that takes at least this many bytes off.
  var minPartialTruncation: Int?
  /// Whether what is cut off leaves the disk at once.
  var truncates = true
  /// How much of it, at most; what is left does so with the commits that follow.
  var maxTruncationBytes = Int.max
  /// For how many commits to give up where there is no room.
  var backOffCommits = 0
  /// Write the free list whole, which moves all records that lie higher up.
  var forcesCheckpoint = false
}

extension Store {
  /// Commits the writer's trees; the caller has the writer's place and leaves it afterwards.
  func commit(_ request: CommitRequest) throws(StorageError) -> CommitReport {
    let sizeBefore = writer.pointee.freeSpace.end
    writer.pointee.gaveUpLimit = false
    writer.pointee.isRefusedGrowth = false
    writer.pointee.writes.removeAll()
    writer.pointee.pinnedBytes = mutex.withLock {
      session.clearStaleReaders()
      _ = noteReaders()
      return shared.pointee.deferredFree.bytes
    }
    collectNewlyFree()
    let slot: CommitSlot
    let record: CommitRecord
    let blockBytes: Int
    do throws(StorageError) {
      try checkFreeSpace()
      blockBytes = try placeBlocks()
      (record, slot) = try placeRecord(blockBytes, sizeBefore, request)
      if record.sizeAfter > sizeBefore { try grow(to: record.sizeAfter) }
    } catch {
      let isLonger = writer.pointee.freeSpace.end > sizeBefore
      undo(sizeBefore)
      // A part of the growth may have been taken from the disk already.
      if isLonger { _ = cut(to: sizeBefore, mutex.withLock { noteReaders() }) }
      throw error
    }
    let isCutEarly = options.seededFault == .truncateEarly && record.sizeAfter < sizeBefore
    // Who takes the writer's place after this process died here looks first at what it left.
    session.table[.committing] = session.number
    do throws(SystemError) {
      if isCutEarly { try file.resize(to: record.sizeAfter) }
      try write(slot, blockBytes)
    } catch {
      let failure = StorageError(system: error, "The commit could not be written")
      file.discard(newerThan: slot.version - 1)
      undo(sizeBefore)
      poison(failure)
      throw failure
    }
    let isLookedAt = publish(record, slot)
    session.table[.committing] = 0
    let left = settleTail(record.sizeAfter - sizeBefore, request, isLookedAt)
    return CommitReport(
      version: record.version, blockBytes: blockBytes,
      recordBytes: record.pieces.reduce(0) { $0 + $1.size }, sizeBefore: sizeBefore,
      sizeAfter: record.sizeAfter, left: left, evacuation: record.evacuation)
  }

  /// Gives back all that the failed commit had taken.
  private func undo(_ sizeBefore: Int) {
    writer.pointee.freeSpace.unreserveRegions()
    for write in writer.pointee.writes.buffer {
      writer.pointee.freeSpace.free(Extent(offset: write.offset, size: write.size))
    }
    if writer.pointee.freeSpace.end > sizeBefore { writer.pointee.freeSpace.truncate(to: sizeBefore) }
  }

  private func grow(to size: Int) throws(StorageError) {
    do { try lengthen(to: size) } catch {
      throw StorageError(
        system: error, "The file cannot grow to \(size) bytes; the commit was undone")
    }
  }

  /// The file's end has moved by `change`; answers what lies behind it on disk.
  private func settleTail(_ change: Int, _ request: CommitRequest, _ isLookedAt: Bool) -> Int {
    mutex.withLock {
      shared.pointee.tailBytes = max(0, shared.pointee.tailBytes - change)
      if change < 0, request.truncates { shared.pointee.cutIsDue = true }
    }
    return cutTail(atMost: request.maxTruncationBytes, isLookedAt)
  }

  /// Takes what is due to go from the file's end, or so many bytes of it; answers what is left. Called with the writer's
  /// place, after a commit.
  @discardableResult
  func cutTail(atMost bytes: Int, _ isLookedAt: Bool) -> Int {
    let (isDue, known) = mutex.withLock { (shared.pointee.cutIsDue, shared.pointee.tailBytes) }
    // Asked of the file, since growth that failed may have taken more off, and a cut must never make the file longer.
    guard isDue, bytes > 0, let size = try? file.size else { return known }
    let tail = max(0, size - writer.pointee.freeSpace.end)
    let left = max(0, tail - bytes)
    let isCut = tail == 0 || cut(to: writer.pointee.freeSpace.end + left, isLookedAt)
    return mutex.withLock {
      shared.pointee.tailBytes = isCut ? left : tail
      shared.pointee.cutIsDue = shared.pointee.tailBytes > 0
      return shared.pointee.tailBytes
    }
  }

  /// Gives the file this length at least. It may be longer already: what a compaction cut off may still be there, or the
  /// growth of a writer that died.
  func lengthen(to size: Int) throws(SystemError) {
    if try file.size < size { try file.resize(to: size) }
    if session.table[.fileEnd] < UInt64(size) { session.table[.fileEnd] = UInt64(size) }
  }

  /// The commit is durable and says that the file ends here, so a failure costs room on disk and nothing else: a later
  /// commit cuts what is left over, or the next opening. So does a reader that looks for its roots right now: they may lie
  /// behind the end, where no page would be left under its eyes.
  private func cut(to size: Int, _ isLookedAt: Bool) -> Bool {
    guard !isLookedAt else { return false }
    // Said first: what is behind it nobody follows a reference to, not even a damaged one.
    session.table[.fileEnd] = UInt64(size)
    if (try? file.resize(to: size)) != nil { return true }
    noteFileEnd()
    return false
  }

  /// Says how far the file reaches on disk. Called with the writer's place, or before anyone else has the file.
  func noteFileEnd() {
    guard let size = try? file.size else { return }
    session.table[.fileEnd] = UInt64(size)
  }

  /// Where that is said, if anyone else may cut the file.
  var sharedFileEnd: UnsafeMutableRawPointer? {
    session.isShared ? session.table.address(of: .fileEnd) : nil
  }

  /// Writes blocks and record in runs, then the slot, and makes them durable.
  private func write(_ slot: CommitSlot, _ blockBytes: Int) throws(SystemError) {
    let isDurable = options.durability == .full
    // The version before must be whole on disk before anything of this one is: another opening may have made it without.
    if isDurable, session.table[.unsynced] != 0 {
      try file.sync()
      session.table[.unsynced] = 0
    }
    file.begin(version: slot.version)
    if options.seededFault == .slotBeforeData { try writeSlot(slot) }
    if isLongCommit(blockBytes) { try writeLongRuns() } else { try writeRuns() }
    if slot.isContentSynced, isDurable { try file.sync() }
    try writeSlot(slot)
    if !isDurable {
      session.table[.unsynced] = 1
    } else if options.seededFault != .droppedSync {
      try file.sync()
    }
  }

  private func writeSlot(_ slot: CommitSlot) throws(SystemError) {
    let bytes = writer.pointee.staging
    slot.encode(into: bytes)
    try file.write(
      UnsafeRawBufferPointer(start: bytes, count: CommitSlot.size),
      at: Layout.slotOffset(of: slot.version))
  }

  private static let longestRun = 1 << 22

  /// Blocks that lie side by side go in one call: small ones are copied together, large ones are gathered.
  private func writeRuns() throws(SystemError) {
    let writes = writer.pointee.writes.buffer
    let staging = writer.pointee.staging
    var from = 0
    while from < writes.count {
      var to = from + 1
      var end = writes[from].offset + writes[from].size
      while to < writes.count, writes[to].offset == end, end - writes[from].offset < Self.longestRun
      {
        end += writes[to].size
        to += 1
      }
      let start = writes[from].offset
      if to == from + 1 {
        try file.write(
          UnsafeRawBufferPointer(start: writes[from].bytes, count: end - start), at: start)
      } else if end - start <= Self.stagingSize {
        for index in from..<to {
          (staging + (writes[index].offset - start)).copyMemory(
            from: writes[index].bytes, byteCount: writes[index].size)
        }
        try file.write(UnsafeRawBufferPointer(start: staging, count: end - start), at: start)
      } else {
        let pieces = writes[from..<to].map {
          UnsafeRawBufferPointer(start: $0.bytes, count: $0.size)
        }
        try file.write(pieces, at: start)
      }
      // What is long goes to the disk now, so that the disk is at work before the sync asks.
      if end - start >= Self.longestRun, options.durability == .full {
        file.advise(.writeSoon, start..<end)
      }
      from = to
    }
  }

  /// Answers whether a reader still looks for its roots in the file.
  private func publish(_ record: CommitRecord, _ slot: CommitSlot) -> Bool {
    let state = writer
    if let placed = state.pointee.placedSinceGrowth {
      state.pointee.placedSinceGrowth =
        placed + state.pointee.writes.buffer.reduce(0) { $0 + $1.size }
    }
    let version = VersionState(
      number: record.version, fileSize: record.sizeAfter, liveBytes: record.liveBytes,
      names: state.pointee.names, roots: state.pointee.tables.start,
      space: BlockSpace(
        base: base, end: record.sizeAfter, verifiedBlocks: verifiedBlocks, fileEnd: sharedFileEnd),
      savepoints: state.pointee.savepoints)
    // What was written from memory need not be verified when it is met.
    for write in state.pointee.writes.buffer { verifiedBlocks.markVerified(write.offset, write.size) }
    if record.sizeAfter < state.pointee.freeSpace.end { state.pointee.freeSpace.truncate(to: record.sizeAfter) }
    state.pointee.liveBytes = record.liveBytes
    state.pointee.previous = (record.version, slot.record)
    extendChain(record)
    let overhead =
      Layout.blocksStart + state.pointee.chainBytes + state.pointee.checkpointBytes
      + SavepointEntry.listBytes(record.savepoints)
    mutex.lock()
    defer { mutex.unlock() }
    // First the number, then the look at the readers: one that registered the version before, and still found it the
    // newest afterwards, is in the table by now and sees what this commit freed; a later one does not.
    session.table[.newest] = record.version
    let isLookedAt = noteReaders()
    releaseSavepoints(missingIn: version)
    var run = Extent(offset: 0, size: 0)
    for extent in record.freed where !shared.pointee.deferredFree.deferFree(extent) {
      if extent.offset == run.end {
        run.size += extent.size
      } else {
        if run.size > 0 { state.pointee.freeSpace.free(run) }
        run = extent.extent
      }
    }
    if run.size > 0 { state.pointee.freeSpace.free(run) }
    for extent in record.freedMetadata { state.pointee.freeSpace.free(extent) }
    registerSavepoints(madeBy: version)
    shared.pointee.newest = version
    shared.pointee.evacuation = record.evacuation
    shared.pointee.stateVersion = record.version
    shared.pointee.stateFileSize = record.sizeAfter
    shared.pointee.liveBytes = record.liveBytes
    shared.pointee.freeBytes = state.pointee.freeSpace.bytes + shared.pointee.newlyFreeBytes
    shared.pointee.overheadBytes = overhead
    shared.pointee.scatteredBytes = state.pointee.freeSpace.scatteredBytes
    return isLookedAt
  }

  /// The chain goes on with this record, or begins anew with it.
  private func extendChain(_ record: CommitRecord) {
    let bytes = record.pieces.reduce(0) { $0 + $1.size }
    if record.previous == nil {
      writer.pointee.chain.removeAll()
      writer.pointee.checkpointBytes = bytes
      writer.pointee.chainBytes = 0
    } else {
      writer.pointee.chainBytes += bytes
    }
    for piece in record.pieces { writer.pointee.chain.append(piece) }
  }
}
