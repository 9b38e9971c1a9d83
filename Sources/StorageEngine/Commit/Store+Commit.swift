// A commit, step by step:
//   1. every changed block is placed in the free space, children before parents, and gets its checksum;
//   2. the record is placed;
//   3. the file grows, if it must: a full disk is detected here, with nothing written;
//   4. blocks and record are written, then the slot, then one sync;
//   5. the version is published, and what it freed becomes reusable.
// A failure before step 4 undoes the allocations. A failure from step 4 on also poisons the database, because what
// reached the disk is unknown. Why one sync is enough: Docs/FileFormat.md.
import SystemIO

/// The result of a commit.
struct CommitReport {
  var version: UInt64
  /// The bytes of the blocks that were written, without the record.
  var blockBytes: Int
  var recordBytes: Int
  var sizeBefore: Int
  var sizeAfter: Int
  /// The truncated bytes that stay on disk until the next opening.
  var left = 0
  var evacuation = EvacuationState()
}

/// What compaction requests of a commit.
struct CommitRequest {
  /// The state of automatic compaction to record, unless the commit itself ends the compaction.
  var evacuation = EvacuationState()
  /// Truncate the file to this length if everything from there on is free.
  var truncateTo: Int?
  /// Truncate it at a higher offset if that removes at least this many bytes.
  var minPartialTruncation: Int?
  /// Whether the file is shortened on disk, too.
  var truncates = true
  /// The maximum number of bytes by which to shorten it; later commits remove the rest.
  var maxTruncationBytes = Int.max
  /// For how many commits compaction pauses when a block does not fit below the limit.
  var backOffCommits = 0
  /// Write the free list as a checkpoint, which moves all records that lie above the limit.
  var forcesCheckpoint = false
}

extension Store {
  /// Commits the writer's trees. The caller holds the write lock and releases it afterwards.
  func commit(_ request: CommitRequest) throws(StorageError) -> CommitReport {
    let sizeBefore = writer.pointee.freeSpace.end
    writer.pointee.didExhaustLimit = false
    writer.pointee.wasGrowthRefused = false
    writer.pointee.writes.removeAll()
    writer.pointee.pinnedBytes = mutex.withLock {
      session.clearStaleReaders()
      _ = syncReaderTable()
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
      undoAllocations(sizeBefore)
      // The file may have grown in part.
      if isLonger { _ = truncateFile(to: sizeBefore, mutex.withLock { syncReaderTable() }) }
      throw error
    }
    let isTruncatedEarly = options.seededFault == .truncateEarly && record.sizeAfter < sizeBefore
    // If this process dies from here on, the session that acquires the write lock next recovers the commit first.
    session.table[.committing] = session.number
    do throws(SystemError) {
      if isTruncatedEarly { try file.resize(to: record.sizeAfter) }
      try write(slot, blockBytes)
    } catch {
      let failure = StorageError(system: error, "The commit could not be written")
      file.discard(newerThan: slot.version - 1)
      undoAllocations(sizeBefore)
      poison(failure)
      throw failure
    }
    let hasLoadingReaders = publish(record, slot)
    session.table[.committing] = 0
    let left = truncateAfterCommit(record.sizeAfter - sizeBefore, request, hasLoadingReaders)
    return CommitReport(
      version: record.version, blockBytes: blockBytes,
      recordBytes: record.pieces.reduce(0) { $0 + $1.size }, sizeBefore: sizeBefore,
      sizeAfter: record.sizeAfter, left: left, evacuation: record.evacuation)
  }

  /// Frees everything that the failed commit has allocated.
  private func undoAllocations(_ sizeBefore: Int) {
    writer.pointee.freeSpace.unreserveRegions()
    for write in writer.pointee.writes.buffer {
      writer.pointee.freeSpace.free(Extent(offset: write.offset, size: write.size))
    }
    if writer.pointee.freeSpace.end > sizeBefore {
      writer.pointee.freeSpace.truncate(to: sizeBefore)
    }
  }

  private func grow(to size: Int) throws(StorageError) {
    do { try extendFile(to: size) } catch {
      throw StorageError(
        system: error, "The file cannot grow to \(size) bytes; the commit was rolled back")
    }
  }

  /// Adjusts the tail after the logical end of the file has moved by `change`. Returns the bytes behind the end on
  /// disk.
  private func truncateAfterCommit(
    _ change: Int, _ request: CommitRequest, _ hasLoadingReaders: Bool
  ) -> Int {
    mutex.withLock {
      shared.pointee.tailBytes = max(0, shared.pointee.tailBytes - change)
      if change < 0, request.truncates { shared.pointee.isTruncationDue = true }
    }
    return truncateTail(atMost: request.maxTruncationBytes, hasLoadingReaders)
  }

  /// Truncates the tail behind the logical end that is due, at most `bytes` of it. Returns the bytes that are left.
  /// Called under the write lock, after a commit.
  @discardableResult
  func truncateTail(atMost bytes: Int, _ hasLoadingReaders: Bool) -> Int {
    let (isDue, known) = mutex.withLock {
      (shared.pointee.isTruncationDue, shared.pointee.tailBytes)
    }
    // Read from the file, since growth that failed may have removed more, and truncation must never extend the file.
    guard isDue, bytes > 0, let size = try? file.size else { return known }
    let tail = max(0, size - writer.pointee.freeSpace.end)
    let left = max(0, tail - bytes)
    let didTruncate =
      tail == 0 || truncateFile(to: writer.pointee.freeSpace.end + left, hasLoadingReaders)
    return mutex.withLock {
      shared.pointee.tailBytes = didTruncate ? left : tail
      shared.pointee.isTruncationDue = shared.pointee.tailBytes > 0
      return shared.pointee.tailBytes
    }
  }

  /// Extends the file to this length at least. It may be longer already: by the tail of a compaction, or by the growth
  /// of a writer that died.
  func extendFile(to size: Int) throws(SystemError) {
    if try file.size < size { try file.resize(to: size) }
    if session.table[.fileEnd] < UInt64(size) { session.table[.fileEnd] = UInt64(size) }
  }

  /// Truncates the file on disk. The commit is durable and ends the file here, so a failure costs disk space and
  /// nothing else: a later commit or the next opening truncates the rest. Postponed also while a reader is loading its
  /// roots, which may lie behind the end: without pages there, the access would fault.
  private func truncateFile(to size: Int, _ hasLoadingReaders: Bool) -> Bool {
    guard !hasLoadingReaders else { return false }
    // Published first: no reference behind it is followed from here on, not even a damaged one.
    session.table[.fileEnd] = UInt64(size)
    if (try? file.resize(to: size)) != nil { return true }
    publishFileEnd()
    return false
  }

  /// Publishes the length of the file on disk. Called under the write lock, or before any other session has the file.
  func publishFileEnd() {
    guard let size = try? file.size else { return }
    session.table[.fileEnd] = UInt64(size)
  }

  /// The shared word with the length on disk; nil if no other session can truncate the file.
  var sharedFileEnd: UnsafeMutableRawPointer? {
    session.isShared ? session.table.address(of: .fileEnd) : nil
  }

  /// Writes blocks and record, then the slot, and makes them durable.
  private func write(_ slot: CommitSlot, _ blockBytes: Int) throws(SystemError) {
    let isDurable = options.durability == .full
    // The previous version must be durable before any of this one is: another session may have committed it without a
    // sync.
    if isDurable, session.table[.unsynced] != 0 {
      try file.sync()
      session.table[.unsynced] = 0
    }
    file.begin(version: slot.version)
    if options.seededFault == .slotBeforeData { try writeSlot(slot) }
    if isLongCommit(blockBytes) { try writeGathered() } else { try writeCoalesced() }
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

  private static let maxCoalescedBytes = 1 << 22

  /// Writes adjacent blocks in one call: small ones are copied together, large ones are gathered (`pwritev`).
  private func writeCoalesced() throws(SystemError) {
    let writes = writer.pointee.writes.buffer
    let staging = writer.pointee.staging
    var from = 0
    while from < writes.count {
      var to = from + 1
      var end = writes[from].offset + writes[from].size
      while to < writes.count, writes[to].offset == end,
        end - writes[from].offset < Self.maxCoalescedBytes
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
      // Start writeback of long writes now, so that the disk is busy before the sync begins.
      if end - start >= Self.maxCoalescedBytes, options.durability == .full {
        file.advise(.writeSoon, start..<end)
      }
      from = to
    }
  }

  /// Publishes the version. Returns whether a reader is still loading its roots from the file.
  private func publish(_ record: CommitRecord, _ slot: CommitSlot) -> Bool {
    let state = writer
    if let placed = state.pointee.bytesSinceGrowth {
      state.pointee.bytesSinceGrowth =
        placed + state.pointee.writes.buffer.reduce(0) { $0 + $1.size }
    }
    let version = VersionState(
      number: record.version, fileSize: record.sizeAfter, liveBytes: record.liveBytes,
      names: state.pointee.names, roots: state.pointee.tables.start,
      space: BlockSpace(
        base: base, end: record.sizeAfter, verifiedBlocks: verifiedBlocks, fileEnd: sharedFileEnd),
      savepoints: state.pointee.savepoints)
    // Blocks written from memory need no verification.
    for write in state.pointee.writes.buffer {
      verifiedBlocks.markVerified(write.offset, write.size)
    }
    if record.sizeAfter < state.pointee.freeSpace.end {
      state.pointee.freeSpace.truncate(to: record.sizeAfter)
    }
    state.pointee.liveBytes = record.liveBytes
    state.pointee.previous = (record.version, slot.record)
    extendChain(record)
    let overhead =
      Layout.blocksStart + state.pointee.chainBytes + state.pointee.checkpointBytes
      + SavepointEntry.listBytes(record.savepoints)
    mutex.lock()
    defer { mutex.unlock() }
    // First the version number, then the reader table: a reader that registered the previous version, and still found
    // it the newest afterwards, is in the table by now and pins what this commit freed. A later one is not.
    session.table[.newest] = record.version
    let hasLoadingReaders = syncReaderTable()
    releaseSavepoints(missingIn: version)
    var joined = Extent(offset: 0, size: 0)
    for extent in record.freed where !shared.pointee.deferredFree.deferFree(extent) {
      if extent.offset == joined.end {
        joined.size += extent.size
      } else {
        if joined.size > 0 { state.pointee.freeSpace.free(joined) }
        joined = extent.extent
      }
    }
    if joined.size > 0 { state.pointee.freeSpace.free(joined) }
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
    return hasLoadingReaders
  }

  /// Extends the chain by this record, or starts a new chain if it is a checkpoint.
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
