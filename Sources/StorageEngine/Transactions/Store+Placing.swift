// Where a commit's blocks and its record go. Nothing here touches the file.

extension Store {
  /// Gives every changed block its place and checksum; answers their bytes.
  func placeBlocks() throws(StorageError) -> Int {
    let tables = writer.pointee.tables.buffer
    writer.pointee.freeSpace.beginCommit(
      expecting: writer.pointee.tree.arena.bytesAllocated,
      replacing: writer.pointee.tree.freed.buffer.reduce(0) { $0 + $1.space })
    writer.pointee.inner.removeAll()
    for index in tables.indices where tables[index].root.isDirty {
      let root = tables[index].root.address
      try placeLeaves(NodeToPlace(bytes: root, holder: nil, place: index), tables[index].kind)
    }
    try placeInnerNodes()
    let bytes = writer.pointee.writes.buffer.reduce(0) { $0 + $1.size }
    try placeSavepoints()
    writer.pointee.writes.buffer.sortByOffset()
    return bytes
  }

  /// Places the changed leaves at or below a node, in the order of their keys, and notes the changed nodes above them.
  private func placeLeaves(_ node: NodeToPlace, _ kind: KeyKind) throws(StorageError) {
    let view = Node(node.bytes)
    let isInner = view.level > 0
    for index in 0..<view.count {
      let slot = view.slot(index, kind)
      guard slot & Node.referenceBit != 0 else { continue }
      let place = Int(slot & 0xFFFF)
      let ref = BlockRef(node.bytes, at: place)
      guard ref.isDirty else { continue }
      if isInner {
        try placeLeaves(NodeToPlace(bytes: ref.address, holder: node.bytes, place: place), kind)
      } else {
        try placeBlock(ref.address, ref.size, .long).store(node.bytes, at: place)
      }
    }
    if isInner { writer.pointee.inner.append(node) } else { try place(node, .long) }
  }

  /// Level by level from below: the nearer to the root, the sooner a node is replaced, and what is replaced at about the
  /// same time leaves whole pages.
  private func placeInnerNodes() throws(StorageError) {
    let nodes = writer.pointee.inner.buffer
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

  private func place(_ node: NodeToPlace, _ life: BlockLifetime) throws(StorageError) {
    let ref = try placeBlock(node.bytes, Node(node.bytes).size, life)
    if let holder = node.holder {
      ref.store(holder, at: node.place)
    } else {
      writer.pointee.tables[node.place].root = ref
    }
  }

  func placeBlock(
    _ bytes: UnsafeMutableRawPointer, _ size: Int, _ life: BlockLifetime
  ) throws(StorageError) -> BlockRef {
    let space = roundedUp(size)
    let offset =
      if let place = seededPlace(space) { place } else { try allocate(space, life) }
    let version = writer.pointee.tree.version
    writer.pointee.writes.append(PendingWrite(offset: offset, size: space, bytes: bytes))
    return BlockRef(
      offset: offset, size: size, birth: version,
      checksum: Checksum.of(bytes, count: space, seed: version))
  }

  /// Room for `size` bytes. Below a limit first; where that fails the limit rises, and is given up before the file grows.
  private func allocate(_ size: Int, _ life: BlockLifetime) throws(StorageError) -> Int {
    let state = writer
    let mayGrow = mayGrowForLocality
    if let offset = state.pointee.freeSpace.allocate(size, life, mayGrow: mayGrow) { return offset }
    // What is more than the free space has to grow in any case.
    if mayGrow, state.pointee.freeSpace.expectedBytes > state.pointee.freeSpace.bytes {
      try growLogically(size)
      if let offset = state.pointee.freeSpace.allocate(size, life) { return offset }
    } else if mayGrow {
      // The file can do without; so what this takes is taken now, and where it is refused the commit goes on.
      let newEnd = state.pointee.freeSpace.end + growthStep
      if (try? lengthen(to: newEnd)) != nil {
        state.pointee.freeSpace.grow(to: newEnd)
        state.pointee.placedSinceGrowth = 0
      } else {
        state.pointee.isRefusedGrowth = true
      }
      if let offset = state.pointee.freeSpace.allocate(size, life) { return offset }
    }
    while state.pointee.freeSpace.limit != Int.max {
      state.pointee.freeSpace.setLimit(raisedLimit(for: size) ?? Int.max)
      state.pointee.gaveUpLimit = state.pointee.freeSpace.limit == Int.max
      if let offset = state.pointee.freeSpace.allocate(size, life) { return offset }
    }
    try growLogically(size)
    guard let offset = state.pointee.freeSpace.allocate(size, life) else {
      preconditionFailure("A file that grew for a block has room for it.")
    }
    return offset
  }

  /// A step of growth that so many times its bytes were placed in has lasted for long.
  private static let lastingSteps = 16

  private var growthStep: Int {
    max(roundedUp(options.growthStep, to: Layout.pageSize), Layout.pageSize)
  }

  /// The next limit of a compaction where there was no room for `size` bytes below the present one; nil where the file
  /// would not get shorter by it.
  private func raisedLimit(for size: Int) -> Int? {
    guard let share = options.automaticCompaction?.limitStep else { return nil }
    let limit = writer.pointee.freeSpace.limit
    let step = max(Int(Double(limit) * share), size)
    let raised = roundedUp(limit + step, to: Layout.pageSize)
    return raised < writer.pointee.freeSpace.end ? raised : nil
  }

  /// Whether the file may be a step longer only so that a commit's blocks lie side by side: about 1.3 times what is in
  /// use. What is kept for snapshots alone does not count: it comes and goes, and a step that the file took for it would
  /// stay. And a step that lasted for long is the last: pages come back about as fast as they are taken, the holes will do
  /// for the rest, and a file that goes on growing by a step now and then looks as if it never ended.
  private var mayGrowForLocality: Bool {
    let state = writer
    guard options.allocation == .clustered, state.pointee.freeSpace.limit == Int.max,
      !state.pointee.isRefusedGrowth,
      state.pointee.placedSinceGrowth ?? 0 <= Self.lastingSteps * growthStep
    else { return false }
    let end = state.pointee.freeSpace.end
    let used = end - state.pointee.freeSpace.bytes - state.pointee.pinnedBytes
    return end >= growthStep && end + growthStep <= used + used * 9 / 32 + growthStep / 2
      && end + growthStep <= FileLimits(file, options).longest
  }

  /// Makes the file longer by what `size` bytes need; the disk is asked when the commit has all its places.
  private func growLogically(_ size: Int) throws(StorageError) {
    let end = writer.pointee.freeSpace.end
    writer.pointee.freeSpace.unreserveRegions()
    let tail = writer.pointee.freeSpace.freeTailOffset
    let needed = writer.pointee.freeSpace.tailNeeded(for: size)
    var newEnd = end < growthStep ? end * 2 : end + growthStep
    if newEnd - tail < needed { newEnd = roundedUp(tail + needed, to: Layout.pageSize) }
    newEnd = try within(FileLimits(file, options), newEnd, least: tail + needed)
    writer.pointee.freeSpace.grow(to: newEnd)
  }

  /// A step of growth gives way to a limit as long as what is needed fits below it.
  private func within(
    _ limits: FileLimits, _ end: Int, least: Int
  ) throws(StorageError) -> Int {
    guard end > limits.longest else { return end }
    guard least <= limits.longest else { throw limits.exceeded(by: least) }
    return limits.longest
  }

  /// Makes the commit's record, finds room for it and fills its pieces.
  func placeRecord(
    _ blockBytes: Int, _ sizeBefore: Int, _ request: CommitRequest
  ) throws(StorageError) -> (CommitRecord, CommitSlot) {
    let state = writer
    var record = CommitRecord()
    record.version = state.pointee.tree.version
    record.sizeBefore = sizeBefore
    record.fileBefore = sizeBefore
    let freedBytes = describeBlocks(&record)
    hideSeededReuse(&record)
    record.liveBytes = state.pointee.liveBytes + blockBytes - freedBytes
    let isCheckpoint =
      request.forcesCheckpoint
      || state.pointee.chainBytes > max(state.pointee.checkpointBytes, Layout.pageSize)
      || (options.allocation == .wholePages && holdsManyPages)
    if isCheckpoint { describeFreeList(&record) } else { record.previous = state.pointee.previous }
    // Lists of savepoints and pieces of records, in the order in which they came.
    record.freedMetadata.sort { $0.offset < $1.offset }
    try checkLists(record)
    state.pointee.record.removeAll()
    record.evacuation = request.evacuation
    let late = record.encode(into: &state.pointee.record)
    let pieces = try allocatePieces(RecordPiece.sizes(for: state.pointee.record.count))
    state.pointee.freeSpace.unreserveRegions()
    record.sizeAfter = state.pointee.freeSpace.end
    decideCut(&record, request)
    state.pointee.record.setFixed(UInt64(record.sizeAfter), at: late.sizeAfter)
    state.pointee.record.set(
      record.evacuation.encoded(in: late.evacuation.count), at: late.evacuation.lowerBound)
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

  /// Where no two commits share a page, each record since the checkpoint keeps one: after eight of them a checkpoint of
  /// half a page or less is cheaper, and a longer one waits longer.
  private var holdsManyPages: Bool {
    writer.pointee.chain.count > 8 * (1 + writer.pointee.checkpointBytes / Layout.maxRecordPieceSize)
  }

  /// Whether the file is cut, or the compaction has met its end otherwise. All of this commit has its place now.
  private func decideCut(_ record: inout CommitRecord, _ request: CommitRequest) {
    if writer.pointee.gaveUpLimit {
      // A limit need not be a compaction's: closing sets one too. What was idle stays so, and has no room in the record
      // to say anything else.
      guard record.evacuation.stage != .idle else { return }
      return record.evacuation.giveUp(.noSpaceBelowLimit, in: record.version, for: request.backOffCommits)
    }
    let limit = writer.pointee.freeSpace.limit
    if limit != Int.max, record.evacuation.stage != .idle { record.evacuation.limit = limit }
    guard request.cutTo != nil, limit < record.sizeAfter, record.sizeAfter == record.fileBefore
    else { return }
    let cut = limit
    let tail = writer.pointee.freeSpace.freeTailOffset
    if tail <= cut {
      record.sizeAfter = cut
      record.evacuation = .idle(since: record.version)
    } else if let least = request.minPartialTruncation,
      record.sizeAfter - roundedUp(tail, to: Layout.pageSize) >= least
    {
      record.sizeAfter = roundedUp(tail, to: Layout.pageSize)
    }
  }

  /// The record's lists of what the commit wrote and freed; answers the freed bytes.
  private func describeBlocks(_ record: inout CommitRecord) -> Int {
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

  /// The whole free list, as it is between the placing of blocks and that of the record.
  private func describeFreeList(_ record: inout CommitRecord) {
    writer.pointee.freeSpace.unreserveRegions()
    record.sizeBefore = writer.pointee.freeSpace.end
    record.freedMetadata += writer.pointee.chain.buffer
    record.free.reserveCapacity(writer.pointee.freeSpace.extentCount + 8)
    writer.pointee.freeSpace.forEach { record.free.append($0) }
    mutex.lock()
    defer { mutex.unlock() }
    shared.pointee.deferredFree.forEach { record.deferredFree.append($0) }
    // What snapshots gave up since this commit began is not yet in the free space.
    if shared.pointee.newlyFree.count > 0 {
      record.free.append(contentsOf: shared.pointee.newlyFree.buffer)
      record.free.sort { $0.offset < $1.offset }
    }
    record.deferredFree.sort { $0.offset < $1.offset }
  }

  private func allocatePieces(_ sizes: [Int]) throws(StorageError) -> [Extent] {
    let memory = writer.pointee.tree.arena.allocate(sizes.reduce(0, +))
    var place = 0
    var pieces: [Extent] = []
    for size in sizes {
      let offset = try allocate(size, .short)
      pieces.append(Extent(offset: offset, size: size))
      writer.pointee.writes.append(
        PendingWrite(offset: offset, size: size, bytes: memory + place))
      place += size
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
