// The placement of a commit's blocks: every changed block is allocated, children before parents, and gets its checksum.
// Nothing is written to the file but leaves that lie apart (Writer+LeafWriteback.swift).

/// A changed node, and the location of the reference to it: an offset in the parent, or, if that is nil, the index of
/// the table.
struct UnplacedNode {
  var bytes: UnsafeMutableRawPointer
  var parent: UnsafeMutableRawPointer?
  var referenceOffset: Int
}

extension Writer {
  /// Allocates an extent for every changed block and computes its checksum. Returns the bytes of the blocks.
  mutating func placeBlocks() throws(StorageError) -> Int {
    allocator.space.beginCommit(
      expecting: changes.tree.arena.bytesAllocated, replacing: changes.freedBytes)
    changedInnerNodes.removeAll()
    for index in 0..<changes.tables.count where changes.tables[index].root.isDirty {
      let root = changes.tables[index].root.address
      try placeLeaves(
        UnplacedNode(bytes: root, parent: nil, referenceOffset: index), changes.tables[index].kind)
    }
    startLeafWriteback()
    try placeInnerNodes()
    let bytes = writes.bytes
    try placeSavepoints(blockBytes: bytes)
    writes.sortByOffset()
    return bytes
  }

  /// Allocates the changed leaves at or below a node in key order, and collects the changed nodes above them.
  private mutating func placeLeaves(_ node: UnplacedNode, _ kind: KeyKind) throws(StorageError) {
    let view = Node(node.bytes)
    let isInner = view.level > 0
    guard isInner || view.hasReferences(kind) else { return try place(node, .long) }
    for index in 0..<view.count {
      guard let referenceOffset = view.referenceStart(index, kind),
        let ref = BlockRef.dirty(node.bytes, at: referenceOffset)
      else { continue }
      if isInner {
        try placeLeaves(
          UnplacedNode(bytes: ref.address, parent: node.bytes, referenceOffset: referenceOffset),
          kind)
      } else {
        try placeBlock(ref.address, ref.size, .long).store(node.bytes, at: referenceOffset)
      }
    }
    if isInner { changedInnerNodes.append(node) } else { try place(node, .long) }
  }

  /// Allocates inner nodes level by level from below: the nearer to the root, the sooner a node is replaced, and nodes
  /// that are replaced together leave whole pages.
  private mutating func placeInnerNodes() throws(StorageError) {
    let nodes = changedInnerNodes.buffer
    var left = nodes.count
    var level = 1
    while left > 0 {
      precondition(level < TreeReader.maxLevels, "The levels of a tree are limited (TREE-3).")
      for node in nodes where Node(node.bytes).level == level {
        try place(node, .short)
        left -= 1
      }
      level += 1
    }
  }

  private mutating func place(_ node: UnplacedNode, _ life: BlockLifetime) throws(StorageError) {
    let ref = try placeBlock(node.bytes, Node(node.bytes).size, life)
    if let parent = node.parent {
      ref.store(parent, at: node.referenceOffset)
    } else {
      changes.tables[node.referenceOffset].root = ref
    }
  }

  private mutating func placeBlock(
    _ bytes: UnsafeMutableRawPointer, _ size: Int, _ life: BlockLifetime
  ) throws(StorageError) -> BlockRef {
    let space = roundedUp(size)
    let offset = try allocator.allocate(space, life)
    let version = changes.version
    writes.append(PendingWrite(offset: offset, size: space, bytes: bytes))
    // TREE-7: a block is as young as the version, and its parent, which is changed too, gets the same birth.
    return BlockRef(
      offset: offset, size: size, birth: version,
      checksum: Checksum.of(bytes, count: space, seed: version))
  }

  // MARK: Savepoints

  /// Allocates the table lists of savepoints that this commit makes or moves. The tables are allocated already, in blocks
  /// of `blockBytes`.
  ///
  /// A snapshot reads such a list only while it begins, so a dropped list is not pinned: it is freed like the pieces of
  /// replaced records.
  private mutating func placeSavepoints(blockBytes: Int) throws(StorageError) {
    for index in changes.savepoints.indices {
      var list = changes.savepoints[index].list
      if list.isNull { list = encodeTableList(blockBytes: blockBytes) }
      guard list.isDirty else { continue }
      changes.savepoints[index].list = try placeBlock(list.address, list.size, .long)
    }
  }

  /// Encodes the transaction's table list as a dirty block.
  private mutating func encodeTableList(blockBytes: Int) -> BlockRef {
    var out = RecordWriter()
    out.put((liveBytes + blockBytes - changes.freedBytes) / Layout.granule)
    TableEntry.encode(changes.entries, into: &out)
    return changes.dirtyBlock(UnsafeRawBufferPointer(out.buffer))
  }
}
