// The placement of a commit's blocks and record. Nothing here accesses the file, except to grow it.

extension Store {
  /// Allocates an extent for every changed block and computes its checksum. Returns the bytes of the blocks.
  func placeBlocks() throws(StorageError) -> Int {
    let tables = writer.pointee.tables.buffer
    writer.pointee.freeSpace.beginCommit(
      expecting: writer.pointee.tree.arena.bytesAllocated,
      replacing: writer.pointee.tree.freed.buffer.reduce(0) { $0 + $1.space })
    writer.pointee.changedInnerNodes.removeAll()
    for index in tables.indices where tables[index].root.isDirty {
      let root = tables[index].root.address
      try placeLeaves(
        UnplacedNode(bytes: root, parent: nil, referenceOffset: index), tables[index].kind)
    }
    try placeInnerNodes()
    let bytes = writer.pointee.writes.buffer.reduce(0) { $0 + $1.size }
    try placeSavepoints()
    writer.pointee.writes.buffer.sortByOffset()
    return bytes
  }

  /// Allocates the changed leaves at or below a node in key order, and collects the changed nodes above them.
  private func placeLeaves(_ node: UnplacedNode, _ kind: KeyKind) throws(StorageError) {
    let view = Node(node.bytes)
    let isInner = view.level > 0
    for index in 0..<view.count {
      let slot = view.slot(index, kind)
      guard slot & Node.referenceBit != 0 else { continue }
      let referenceOffset = Int(slot & 0xFFFF)
      let ref = BlockRef(node.bytes, at: referenceOffset)
      guard ref.isDirty else { continue }
      if isInner {
        try placeLeaves(
          UnplacedNode(bytes: ref.address, parent: node.bytes, referenceOffset: referenceOffset),
          kind)
      } else {
        try placeBlock(ref.address, ref.size, .long).store(node.bytes, at: referenceOffset)
      }
    }
    if isInner { writer.pointee.changedInnerNodes.append(node) } else { try place(node, .long) }
  }

  /// Allocates inner nodes level by level from below: the nearer to the root, the sooner a node is replaced, and nodes
  /// that are replaced together leave whole pages.
  private func placeInnerNodes() throws(StorageError) {
    let nodes = writer.pointee.changedInnerNodes.buffer
    var left = nodes.count
    var level = 1
    while left > 0 {
      for node in nodes where Node(node.bytes).level == level {
        try place(node, .short)
        left -= 1
      }
      level += 1
    }
  }

  private func place(_ node: UnplacedNode, _ life: BlockLifetime) throws(StorageError) {
    let ref = try placeBlock(node.bytes, Node(node.bytes).size, life)
    if let parent = node.parent {
      ref.store(parent, at: node.referenceOffset)
    } else {
      writer.pointee.tables[node.referenceOffset].root = ref
    }
  }

  func placeBlock(
    _ bytes: UnsafeMutableRawPointer, _ size: Int, _ life: BlockLifetime
  ) throws(StorageError) -> BlockRef {
    let space = roundedUp(size)
    let offset =
      if let offset = seededOffset(space) { offset } else { try allocate(space, life) }
    let version = writer.pointee.tree.version
    writer.pointee.writes.append(PendingWrite(offset: offset, size: space, bytes: bytes))
    return BlockRef(
      offset: offset, size: size, birth: version,
      checksum: Checksum.of(bytes, count: space, seed: version))
  }

  /// Allocates `size` bytes. While there is a limit, below it; if that fails the limit is raised, and dropped before
  /// the file grows.
  private func allocate(_ size: Int, _ life: BlockLifetime) throws(StorageError) -> Int {
    let state = writer
    let mayGrow = mayGrowForLocality
    if let offset = state.pointee.freeSpace.allocate(size, life, mayGrow: mayGrow) { return offset }
    // What exceeds the free space needs growth in any case.
    if mayGrow, state.pointee.freeSpace.expectedBytes > state.pointee.freeSpace.bytes {
      try growLogically(size)
      if let offset = state.pointee.freeSpace.allocate(size, life) { return offset }
    } else if mayGrow {
      // This growth is optional: it is done now, and if the system refuses it the commit continues without.
      let newEnd = state.pointee.freeSpace.end + growthStep
      if (try? extendFile(to: newEnd)) != nil {
        state.pointee.freeSpace.grow(to: newEnd)
        state.pointee.bytesSinceGrowth = 0
      } else {
        state.pointee.wasGrowthRefused = true
      }
      if let offset = state.pointee.freeSpace.allocate(size, life) { return offset }
    }
    while state.pointee.freeSpace.limit != Int.max {
      state.pointee.freeSpace.setLimit(raisedLimit(for: size) ?? Int.max)
      state.pointee.didExhaustLimit = state.pointee.freeSpace.limit == Int.max
      if let offset = state.pointee.freeSpace.allocate(size, life) { return offset }
    }
    try growLogically(size)
    guard
      let offset = state.pointee.freeSpace.allocate(size, life)
        ?? state.pointee.freeSpace.allocateInTail(size)
    else {
      preconditionFailure("A file that grew for a block must have space for it.")
    }
    return offset
  }

  /// A growth step is long-lived once this many times its bytes have been allocated since.
  private static let maxStepUses = 16

  private var growthStep: Int {
    max(roundedUp(options.growthStep, to: Layout.pageSize), Layout.pageSize)
  }

  /// Returns the next limit of a compaction if `size` bytes do not fit below the present one; nil if the file would not
  /// become shorter.
  private func raisedLimit(for size: Int) -> Int? {
    guard let share = options.automaticCompaction?.limitStep else { return nil }
    let limit = writer.pointee.freeSpace.limit
    let step = max(Int(Double(limit) * share), size)
    let raised = roundedUp(limit + step, to: Layout.pageSize)
    return raised < writer.pointee.freeSpace.end ? raised : nil
  }

  /// Whether the file may grow by a step only to keep a commit's blocks together: up to about 1.3 times the used bytes.
  /// Pinned space does not count as used, because it comes and goes, and a growth step taken for it would stay. A
  /// long-lived step is the last one: pages then become free about as fast as they are used, the holes suffice for the
  /// rest, and a file that grows by a step now and then would seem never to stop growing.
  private var mayGrowForLocality: Bool {
    let state = writer
    guard options.allocation == .clustered, state.pointee.freeSpace.limit == Int.max,
      !state.pointee.wasGrowthRefused,
      state.pointee.bytesSinceGrowth ?? 0 <= Self.maxStepUses * growthStep
    else { return false }
    let end = state.pointee.freeSpace.end
    let used = end - state.pointee.freeSpace.bytes - state.pointee.pinnedBytes
    return end >= growthStep && end + growthStep <= used + used * 9 / 32 + growthStep / 2
      && end + growthStep <= FileLimits(file, options).maxSize
  }

  /// Extends the file logically by what `size` bytes need; it is extended on disk when all blocks are placed.
  private func growLogically(_ size: Int) throws(StorageError) {
    let end = writer.pointee.freeSpace.end
    writer.pointee.freeSpace.unreserveRegions()
    let tail = writer.pointee.freeSpace.freeTailOffset
    let needed = writer.pointee.freeSpace.tailNeeded(for: size)
    var newEnd = end < growthStep ? end * 2 : end + growthStep
    if newEnd - tail < needed { newEnd = roundedUp(tail + needed, to: Layout.pageSize) }
    newEnd = try within(FileLimits(file, options), newEnd, minimum: tail + needed)
    writer.pointee.freeSpace.grow(to: newEnd)
  }

  /// Shortens a growth step to the limit, as long as what is needed fits.
  private func within(
    _ limits: FileLimits, _ end: Int, minimum: Int
  ) throws(StorageError) -> Int {
    guard end > limits.maxSize else { return end }
    guard minimum <= limits.maxSize else { throw limits.exceeded(by: minimum) }
    return limits.maxSize
  }

  /// Creates the commit's record, allocates its pieces and fills them.
  func placeRecord(
    _ blockBytes: Int, _ sizeBefore: Int, _ request: CommitRequest
  ) throws(StorageError) -> (CommitRecord, CommitSlot) {
    let state = writer
    var record = CommitRecord()
    record.version = state.pointee.tree.version
    record.sizeBefore = sizeBefore
    record.fileBefore = sizeBefore
    let freedBytes = listBlocks(&record)
    concealSeededReuse(&record)
    record.liveBytes = state.pointee.liveBytes + blockBytes - freedBytes
    let isCheckpoint =
      request.forcesCheckpoint || options.freeListRecords == .whole
      || state.pointee.chainBytes > max(state.pointee.checkpointBytes, Layout.pageSize)
      || (options.allocation.isolatesCommits && holdsManyPages)
    if isCheckpoint { listFreeSpace(&record) } else { record.previous = state.pointee.previous }
    // Table lists of savepoints and pieces of records are in the order in which they were freed.
    record.freedMetadata.sort { $0.offset < $1.offset }
    try checkLists(record)
    state.pointee.record.removeAll()
    record.evacuation = request.evacuation
    let fields = record.encode(into: &state.pointee.record)
    let list = options.freeListRecords == .whole ? wholeFreeList(of: record) : nil
    if let list { state.pointee.record.pad(to: list.writtenBytes) }
    let sizes = RecordPiece.sizes(for: state.pointee.record.count)
    let pieces = try allocatePieces(sizes, reserving: list?.reservedBytes)
    state.pointee.freeSpace.unreserveRegions()
    record.sizeAfter = state.pointee.freeSpace.end
    decideTruncation(&record, request)
    state.pointee.record.setFixed(UInt64(record.sizeAfter), at: fields.sizeAfter)
    state.pointee.record.set(
      record.evacuation.encoded(paddedTo: fields.evacuation.count), at: fields.evacuation.lowerBound
    )
    let memory = state.pointee.writes[state.pointee.writes.count - pieces.count].bytes
    let ref = RecordPiece.fill(
      memory, pieces, with: state.pointee.record.buffer, version: record.version)
    state.pointee.writes.buffer.sortByOffset()
    record.pieces = pieces
    let slot = CommitSlot(
      version: record.version, record: ref, fileSize: record.sizeAfter,
      isContentSynced: blockBytes > options.verifiedCommitLimit)
    return (record, slot)
  }

  /// If no two commits share a page, each record since the checkpoint occupies one. After eight of them a checkpoint of
  /// at most half a page is cheaper; a longer checkpoint waits longer.
  private var holdsManyPages: Bool {
    writer.pointee.chain.count > 8
      * (1 + writer.pointee.checkpointBytes / Layout.maxRecordPieceSize)
  }

  /// Decides whether the file is truncated, or the compaction ends otherwise. All blocks of the commit are placed by
  /// now.
  private func decideTruncation(_ record: inout CommitRecord, _ request: CommitRequest) {
    if writer.pointee.didExhaustLimit {
      // The limit may be that of closing and not of a compaction. An idle state stays idle, since the record has no
      // space for another.
      guard record.evacuation.stage != .idle else { return }
      return record.evacuation.giveUp(
        .noSpaceBelowLimit, in: record.version, for: request.backOffCommits)
    }
    let limit = writer.pointee.freeSpace.limit
    if limit != Int.max, record.evacuation.stage != .idle { record.evacuation.limit = limit }
    guard request.truncateTo != nil, limit < record.sizeAfter, record.sizeAfter == record.fileBefore
    else { return }
    let newEnd = limit
    let tail = writer.pointee.freeSpace.freeTailOffset
    if tail <= newEnd {
      record.sizeAfter = newEnd
      record.evacuation = .idle(since: record.version)
    } else if let minimum = request.minPartialTruncation,
      record.sizeAfter - roundedUp(tail, to: Layout.pageSize) >= minimum
    {
      record.sizeAfter = roundedUp(tail, to: Layout.pageSize)
    }
  }

  /// Fills the record's lists of what the commit wrote and freed. Returns the freed bytes.
  private func listBlocks(_ record: inout CommitRecord) -> Int {
    let state = writer
    record.tables.reserveCapacity(state.pointee.names.count)
    for (index, name) in state.pointee.names.enumerated() {
      record.tables.append(TableEntry(name: name, root: state.pointee.tables[index]))
    }
    record.savepoints = state.pointee.savepoints
    record.freedMetadata = state.pointee.freedMetadata
    record.allocated.reserveCapacity(32)
    for write in state.pointee.writes.buffer {
      if let last = record.allocated.indices.last, record.allocated[last].end == write.offset {
        record.allocated[last].size += write.size
      } else {
        record.allocated.append(Extent(offset: write.offset, size: write.size))
      }
    }
    let freed = state.pointee.tree.freed.buffer
    record.freed.reserveCapacity(freed.count)
    var bytes = 0
    for ref in freed {
      record.freed.append(
        DeferredFreeExtent(
          offset: ref.offset, size: ref.space, birth: ref.birth, death: record.version))
      bytes += ref.space
    }
    record.freed.sort { $0.offset < $1.offset }
    return bytes
  }

  /// Fills the record's free list as it is after blocks, and before the record, are placed.
  private func listFreeSpace(_ record: inout CommitRecord) {
    writer.pointee.freeSpace.unreserveRegions()
    record.sizeBefore = writer.pointee.freeSpace.end
    record.freedMetadata += writer.pointee.chain.buffer
    record.free.reserveCapacity(writer.pointee.freeSpace.extentCount + 8)
    writer.pointee.freeSpace.enumerate { record.free.append($0) }
    mutex.lock()
    defer { mutex.unlock() }
    shared.pointee.deferredFree.enumerate { record.deferredFree.append($0) }
    // What snapshots have released since this commit began is not yet in the free space.
    if shared.pointee.newlyFree.count > 0 {
      record.free.append(contentsOf: shared.pointee.newlyFree.buffer)
      record.free.sort { $0.offset < $1.offset }
    }
    record.deferredFree.sort { $0.offset < $1.offset }
  }

  /// The free list that is in one piece, with what the commit frees.
  private func wholeFreeList(of record: CommitRecord) -> WholeFreeList {
    WholeFreeList(
      entryCount: record.free.count + record.deferredFree.count + record.freed.count
        + record.freedMetadata.count,
      end: record.sizeBefore,
      maxExtentSize: record.free.reduce(0) { max($0, $1.size) }, version: record.version)
  }

  /// Allocates the pieces of the record.
  /// - Parameter reserved: with it, they are back to back, so that they are one, and cut out of an extent that has so many
  ///   bytes as well.
  private func allocatePieces(
    _ sizes: [Int], reserving reserved: Int?
  ) throws(StorageError) -> [Extent] {
    let total = sizes.reduce(0, +)
    let memory = writer.pointee.tree.arena.allocate(total)
    var bufferOffset = 0
    var pieces: [Extent] = []
    let start = try reserved.map { (reserved) throws(StorageError) in
      let size = max(total, reserved)
      let start = try allocate(size, .short)
      if size > total {
        writer.pointee.freeSpace.free(Extent(offset: start + total, size: size - total))
      }
      return start
    }
    for size in sizes {
      let offset =
        if let start { start + bufferOffset } else { try allocate(size, .short) }
      pieces.append(Extent(offset: offset, size: size))
      writer.pointee.writes.append(
        PendingWrite(offset: offset, size: size, bytes: memory + bufferOffset))
      bufferOffset += size
    }
    return pieces
  }
}

extension UnsafeMutableBufferPointer<PendingWrite> {
  func sortByOffset() {
    var writes = self
    writes.sort { $0.offset < $1.offset }
  }
}
