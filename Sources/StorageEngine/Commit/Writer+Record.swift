// The record of a commit: its lists, its pieces, and whether the file ends earlier from it on.

extension Writer {
  /// Creates the commit's record, allocates its pieces and fills them. The blocks are placed.
  mutating func placeRecord(
    _ blockBytes: Int, _ sizeBefore: Int, _ request: CommitRequest
  ) throws(StorageError) -> PlacedCommit {
    var record = CommitRecord()
    record.version = changes.version
    record.sizeBefore = sizeBefore
    record.fileBefore = sizeBefore
    listBlocks(&record)
    record.liveBytes = liveBytes + blockBytes - changes.freedBytes
    seededFaults?.willEncode(&record, &self)
    if request.forcesCheckpoint || log.isCheckpointDue(context.options) {
      listFreeSpace(&record)
    } else {
      record.previous = log.newest
    }
    // Table lists of savepoints and pieces of records are in the order in which they were freed.
    record.freedMetadata.sort { $0.offset < $1.offset }
    try record.checkLists(against: allocator.space)
    record.evacuation = request.evacuation
    log.encoder.removeAll()
    let fields = record.encode(into: &log.encoder)
    let list =
      context.options.freeListRecords == .whole
      ? WholeFreeList(of: record, end: allocator.space.end) : nil
    if let list { log.encoder.pad(to: list.writtenBytes) }
    let memory = try allocatePieces(&record, reserving: list?.reservedBytes)
    allocator.space.unreserveRegions()
    record.sizeAfter = allocator.space.end
    decideTruncation(&record, request)
    log.encoder.setFixed(UInt64(record.sizeAfter), at: fields.sizeAfter)
    log.encoder.set(
      record.evacuation.encoded(paddedTo: fields.evacuation.count), at: fields.evacuation.lowerBound
    )
    let ref = RecordPiece.fill(
      memory, record.pieces, with: log.encoder.buffer, version: record.version)
    writes.sortByOffset()
    let slot = CommitSlot(
      version: record.version, record: ref, fileSize: record.sizeAfter,
      isContentSynced: blockBytes > context.options.verifiedCommitLimit)
    return PlacedCommit(record: record, slot: slot, blockBytes: blockBytes)
  }

  /// Fills the record's lists of what the commit wrote and freed.
  private func listBlocks(_ record: inout CommitRecord) {
    record.tables = changes.entries
    record.savepoints = changes.savepoints
    record.freedMetadata = changes.freedMetadata
    record.allocated = writes.extents
    let freed = changes.tree.freed.buffer
    record.freed.reserveCapacity(freed.count)
    for ref in freed {
      record.freed.append(
        DeferredFreeExtent(
          offset: ref.offset, size: ref.space, birth: ref.birth, death: record.version))
    }
    record.freed.withUnsafeMutableBufferPointer { freed in freed.sortRuns { $0.offset } }
  }

  /// Fills the record's free list as it is after blocks, and before the record, are placed.
  private mutating func listFreeSpace(_ record: inout CommitRecord) {
    allocator.space.unreserveRegions()
    record.sizeBefore = allocator.space.end
    record.freedMetadata += log.pieces.buffer
    var free = UniqueList<Extent>(capacity: allocator.space.extentCount + 8)
    allocator.space.enumerate { free.append($0) }
    var deferredFree = UniqueList<DeferredFreeExtent>(capacity: 0)
    readers.withLock { state in
      deferredFree.reserveCapacity(state.deferredFree.extentCount)
      state.deferredFree.enumerate { deferredFree.append($0) }
      // What snapshots have released since this commit began is not yet in the free space, nor is what is delayed.
      for extent in state.newlyFree.buffer { free.append(extent) }
      for extent in state.delayedFree.buffer { free.append(extent) }
    }
    free.sort { $0.offset }
    deferredFree.sort { $0.offset }
    record.free = LongList(free)
    record.deferredFree = LongList(deferredFree)
  }

  /// Allocates the pieces of the encoded record. Returns their memory, back to back.
  /// - Parameter reserved: with it, they are back to back in the file too, so that they are one, and cut out of an extent
  ///   that has so many bytes as well.
  private mutating func allocatePieces(
    _ record: inout CommitRecord, reserving reserved: Int?
  ) throws(StorageError) -> UnsafeMutableRawPointer {
    let sizes = RecordPiece.sizes(for: log.encoder.count)
    let bytes = sizes.reduce(0, +)
    let memory = changes.tree.arena.allocate(bytes)
    var bufferOffset = 0
    var start: Int?
    if let reserved {
      let size = max(bytes, reserved)
      let offset = try allocator.allocate(size, .short)
      if size > bytes {
        allocator.space.free(Extent(offset: offset + bytes, size: size - bytes))
      }
      start = offset
    }
    for size in sizes {
      let offset =
        if let start { start + bufferOffset } else { try allocator.allocateRecord(size) }
      record.pieces.append(Extent(offset: offset, size: size))
      writes.append(PendingWrite(offset: offset, size: size, bytes: memory + bufferOffset))
      bufferOffset += size
    }
    return memory
  }

  /// Decides whether the file is truncated, or the compaction ends otherwise. All blocks of the commit are placed by
  /// now.
  private func decideTruncation(_ record: inout CommitRecord, _ request: CommitRequest) {
    if allocator.didExhaustLimit {
      // The limit may be that of closing and not of a compaction. An idle state stays idle, since the record has no
      // space for another.
      guard record.evacuation.stage != .idle else { return }
      return record.evacuation.giveUp(
        .noSpaceBelowLimit, in: record.version, for: request.backOffCommits)
    }
    let limit = allocator.space.limit
    if limit != Int.max, record.evacuation.stage != .idle { record.evacuation.limit = limit }
    guard request.truncateTo != nil, limit < record.sizeAfter, record.sizeAfter == record.fileBefore
    else { return }
    let newEnd = limit
    let tail = allocator.space.freeTailOffset
    if tail <= newEnd {
      record.sizeAfter = newEnd
      record.evacuation = .idle(since: record.version)
    } else if let minimum = request.minPartialTruncation,
      record.sizeAfter - roundedUp(tail, to: Layout.pageSize) >= minimum
    {
      record.sizeAfter = roundedUp(tail, to: Layout.pageSize)
    }
  }
}
