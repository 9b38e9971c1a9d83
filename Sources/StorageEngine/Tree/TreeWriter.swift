// Changes a tree by copy-on-write: the first change of a block copies it and its path to the root into memory, and adds
// the old blocks to the freed ones. Later changes of the same transaction are made in memory. Nothing is written here.

/// The state of one write transaction's trees.
struct TreeWriter: ~Copyable {
  struct Step {
    var node: UnsafeMutableRawPointer
    var index: Int
  }

  var space: BlockSpace
  /// The version that this transaction creates.
  var version: UInt64
  let inlineValueLimit: Int
  var arena = Arena()
  /// Blocks of earlier versions that the trees no longer reference.
  var freed = UniqueList<BlockRef>(capacity: 256)
  /// The path from the root to the leaf of the current operation.
  var path = UniqueList<Step>(capacity: TreeReader.maxLevels + 1)
  private let passedByAddress = PassedByAddress()
  var depth: Int { path.count }

  init(space: BlockSpace, version: UInt64, inlineValueLimit: Int) {
    self.space = space
    self.version = version
    self.inlineValueLimit = inlineValueLimit
  }

  /// Discards a transaction's changes and begins the next one.
  mutating func begin(_ space: BlockSpace, version: UInt64) {
    self.space = space
    self.version = version
    arena.reset()
    freed.removeAll()
    path.removeAll()
  }

  // MARK: Copying into memory

  /// Copies a block into memory. `space` verifies blocks at their first access, so a damaged block is never copied: the
  /// copy would get a valid checksum.
  mutating func copyNode(
    _ ref: BlockRef, _ kind: KeyKind
  ) throws(StorageError) -> UnsafeMutableRawPointer {
    space.prefetch(ref)
    let node = try Node(ref, space, kind)
    guard node.level < TreeReader.maxLevels, node.isConsistent(kind) else {
      throw Node.malformed(ref)
    }
    let copy = arena.allocateNode(ref.space)
    copy.copyMemory(from: node.bytes, byteCount: ref.space)
    // TREE-6: the version reaches the copy from here on, and no longer the block.
    freed.append(ref)
    return copy
  }

  mutating func dirtyRoot(_ table: inout TableRoot) throws(StorageError) {
    guard !table.root.isDirty else { return }
    let ref = table.root
    let copy = try copyNode(ref, table.kind)
    table.root = BlockRef(dirty: copy, size: ref.size)
  }

  /// Copies the child of a node in memory into memory, unless it is there.
  mutating func dirtyChild(
    _ node: UnsafeMutableRawPointer, _ index: Int, _ kind: KeyKind
  ) throws(StorageError) -> UnsafeMutableRawPointer {
    let view = Node(node)
    let ref = try view.reference(index, kind)
    if ref.isDirty { return ref.address }
    let copy = try copyNode(ref, kind)
    // TREE-3: a child is one level below its parent.
    guard Node(copy).level == view.level - 1 else { throw Node.malformed(ref) }
    setReference(node, index, kind, BlockRef(dirty: copy, size: ref.size))
    return copy
  }

  func setReference(
    _ node: UnsafeMutableRawPointer, _ index: Int, _ kind: KeyKind, _ ref: BlockRef
  ) {
    ref.store(node, at: Int(Node(node).slot(index, kind) & 0xFFFF))
  }

  /// Copies the path to `key` into memory. The last step is the leaf, with the lower bound of the key.
  mutating func descend(
    _ table: inout TableRoot, _ key: TreeKey
  ) throws(StorageError) {
    try dirtyRoot(&table)
    var node = table.root.address
    path.removeAll()
    while true {
      let view = Node(node)
      if view.level == 0 {
        // TREE-2: the lower bound is where the key is, or where it is inserted in order.
        path.append(Step(node: node, index: view.lowerBound(key)))
        return
      }
      let index = view.childIndex(key)
      path.append(Step(node: node, index: index))
      node = try dirtyChild(node, index, key.kind)
    }
  }

  // MARK: Values

  /// Returns a cell for the value: inline, or a reference to a copy in memory that the commit will write.
  mutating func makeCell(_ value: UnsafeRawBufferPointer) -> Cell {
    if value.count <= inlineValueLimit { return .inline(value) }
    return .reference(copyValue(value))
  }

  mutating func copyValue(_ value: UnsafeRawBufferPointer) -> BlockRef {
    let space = roundedUp(value.count)
    let copy = arena.allocate(space)
    Self.fill(copy, value)
    return BlockRef(dirty: copy, size: value.count)
  }

  /// Copies the value and fills with zeros up to the granule. The zeros are written last, since a row may be assigned
  /// its own bytes.
  private static func fill(_ block: UnsafeMutableRawPointer, _ value: UnsafeRawBufferPointer) {
    block.copyMemory(from: value.baseAddress!, byteCount: value.count)
    for offset in value.count..<roundedUp(value.count) { block.put8(0, offset) }
  }

  /// Frees the block of an entry's value, if it has one in the file.
  private mutating func freeValue(_ node: Node, _ index: Int, _ kind: KeyKind) {
    guard let start = node.referenceStart(index, kind) else { return }
    let ref = BlockRef(node.bytes, at: start)
    if !ref.isDirty { freed.append(ref) }
  }

  // MARK: Inserting

  /// Inserts the row; replaces the value of an existing one if `replacing`. Returns whether there was none.
  @discardableResult
  mutating func put(
    _ table: inout TableRoot, _ key: TreeKey, _ value: UnsafeRawBufferPointer,
    replacing: Bool = true
  ) throws(StorageError) -> Bool {
    guard !table.root.isNull else {
      let cell = makeCell(value)
      let size = Node.headerSize + Node.entrySize(key.kind, 0) + key.bytes.count + cell.size
      let leaf = arena.allocateNode(size)
      var builder = NodeBuilder(leaf, key.kind, level: 0, count: 1)
      builder.append(key, cell)
      table.root = BlockRef(dirty: leaf, size: builder.finish())
      table.rows = 1
      return true
    }
    try descend(&table, key)
    let step = path[depth - 1]
    let leaf = Node(step.node)
    if step.index < leaf.count, leaf.isKey(step.index, key) {
      if replacing { replaceValue(&table, step, key, value) }
      return false
    }
    insert(&table, key, makeCell(value), replacing: 0)
    // TREE-5: the root counts the rows.
    table.rows += 1
    return true
  }

  /// Returns the value of a row as mutable bytes in memory; nil if there is no such row.
  mutating func mutableValue(
    _ table: inout TableRoot, _ key: TreeKey
  ) throws(StorageError) -> UnsafeMutableRawBufferPointer? {
    guard !table.root.isNull else { return nil }
    try descend(&table, key)
    let step = path[depth - 1]
    let leaf = Node(step.node)
    guard step.index < leaf.count, leaf.isKey(step.index, key) else { return nil }
    let slot = leaf.slot(step.index, key.kind)
    let offset = Int(slot & 0xFFFF)
    guard slot & Node.referenceBit != 0 else {
      return UnsafeMutableRawBufferPointer(start: step.node + offset, count: Int(slot >> 16))
    }
    var ref = BlockRef(leaf.bytes, at: offset)
    if !ref.isDirty {
      let old = ref
      let source = UnsafeRawBufferPointer(start: try space.resolve(old), count: old.size)
      ref = copyValue(source)
      freed.append(old)
      ref.store(step.node, at: offset)
    }
    return UnsafeMutableRawBufferPointer(start: ref.address, count: ref.size)
  }

  private mutating func replaceValue(
    _ table: inout TableRoot, _ step: Step, _ key: TreeKey,
    _ value: UnsafeRawBufferPointer
  ) {
    let leaf = Node(step.node)
    let slot = leaf.slot(step.index, key.kind)
    let offset = Int(slot & 0xFFFF)
    let isReference = slot & Node.referenceBit != 0
    if isReference, value.count > inlineValueLimit {
      let old = BlockRef(leaf.bytes, at: offset)
      if old.isDirty, old.space == roundedUp(value.count) {
        Self.fill(old.address, value)
        BlockRef(dirty: old.address, size: value.count).store(step.node, at: offset)
        return
      }
      freeValue(leaf, step.index, key.kind)
      copyValue(value).store(step.node, at: offset)
    } else if !isReference, value.count <= inlineValueLimit, value.count == Int(slot >> 16) {
      if let source = value.baseAddress {
        (step.node + offset).copyMemory(from: source, byteCount: value.count)
      }
    } else {
      freeValue(leaf, step.index, key.kind)
      insert(&table, key, makeCell(value), replacing: 1)
    }
  }

  /// Inserts an entry at the position of the last step, instead of `replacing` entries, and splits upward as needed.
  mutating func insert(
    _ table: inout TableRoot, _ key: TreeKey, _ cell: Cell, replacing: Int
  ) {
    let step = path[depth - 1]
    let old = Node(step.node)
    let level = old.level
    let count = old.count + 1 - replacing
    let size =
      old.size + Node.entrySize(key.kind, level) * (1 - replacing) + key.bytes.count + cell.size
      - (replacing == 0
        ? 0 : old.cellStart(step.index + 1, key.kind) - old.cellStart(step.index, key.kind))
    let node = arena.allocateNode(size)
    var builder = NodeBuilder(node, key.kind, level: level, count: count)
    builder.append(old, 0, step.index)
    builder.append(key, cell)
    builder.append(old, step.index + replacing, old.count)
    let written = builder.finish()
    assert(written == size, "A node's size is known before it is built (TREE-4).")
    freeNode(step.node)
    path[depth - 1].node = node
    if count > Node.maxEntries(level) || (size > Node.maxBytes(level) && count > 1) {
      split(&table, key.kind)
    } else {
      attach(&table, key.kind, node)
    }
  }
}
