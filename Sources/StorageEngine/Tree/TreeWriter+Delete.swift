// Deletion. A node that becomes small is merged with a neighbor if both fit into three quarters of a node, so that the
// tree shrinks with its rows and does not split again at the next insertion.

extension TreeWriter {
  /// Deletes the row. Returns false if there is none.
  mutating func delete(
    _ table: inout TableRoot, _ key: TreeKey
  ) throws(StorageError) -> Bool {
    // Look up first: deleting a key that does not exist must not copy a path.
    guard try TreeReader.find(table, key, space) != nil else { return false }
    try descend(&table, key)
    let step = path[depth - 1]
    let leaf = Node(step.node)
    let slot = leaf.slot(step.index, key.kind)
    if slot & Node.referenceBit != 0 {
      let ref = BlockRef(leaf.bytes, at: Int(slot & 0xFFFF))
      if !ref.isDirty { freed.append(ref) }
    }
    table.rows -= 1
    try removeEntry(&table, key.kind)
    return true
  }

  /// Removes the entry of the last step and rebalances upward.
  private mutating func removeEntry(
    _ table: inout TableRoot, _ kind: KeyKind
  ) throws(StorageError) {
    let step = path[depth - 1]
    let old = Node(step.node)
    if old.count == 1 {
      freeNode(step.node)
      if depth == 1 {
        table.root = BlockRef()
        return
      }
      _ = path.popLast()
      return try removeEntry(&table, kind)
    }
    let size =
      old.size - Node.entrySize(kind, old.level)
      - (old.cellStart(step.index + 1, kind) - old.cellStart(step.index, kind))
    let node = arena.allocateNode(size)
    var builder = NodeBuilder(node, kind, level: old.level, count: old.count - 1)
    builder.append(old, 0, step.index)
    builder.append(old, step.index + 1, old.count)
    builder.finish()
    freeNode(step.node)
    path[depth - 1].node = node
    attach(&table, kind, node)
    try rebalance(&table, kind)
  }

  /// Merges the node of the last step with a neighbor if it is small; removes a root that has a single child.
  private mutating func rebalance(
    _ table: inout TableRoot, _ kind: KeyKind
  ) throws(StorageError) {
    let node = Node(path[depth - 1].node)
    if depth == 1 {
      guard node.level > 0, node.count == 1 else { return }
      let child = try node.reference(0, kind)
      freeNode(path[0].node)
      table.root = child
      return
    }
    guard node.isSmall else { return }
    let parent = Node(path[depth - 2].node)
    let index = path[depth - 2].index
    for left in [index, index - 1] where left >= 0 && left + 1 < parent.count {
      if try canMerge(parent, left, kind) { return try merge(&table, left, kind) }
    }
  }

  private func canMerge(
    _ parent: Node, _ left: Int, _ kind: KeyKind
  ) throws(StorageError) -> Bool {
    let first = try Node(parent.reference(left, kind), space, kind)
    let second = try Node(parent.reference(left + 1, kind), space, kind)
    // A separator may be longer than the key that it replaces.
    let longer = kind == .bytes && first.level > 0 ? Layout.maxKeyLength : 0
    return first.count + second.count <= Node.maxEntries(first.level) * 3 / 4
      && first.size + second.size + longer <= Node.maxBytes(first.level) * 3 / 4
  }

  /// Merges the parent's children `left` and `left + 1` into one node.
  private mutating func merge(
    _ table: inout TableRoot, _ left: Int, _ kind: KeyKind
  ) throws(StorageError) {
    let parent = path[depth - 2].node
    let firstBytes = try dirtyChild(parent, left, kind)
    let secondBytes = try dirtyChild(parent, left + 1, kind)
    let first = Node(firstBytes)
    let second = Node(secondBytes)
    let isInner = first.level > 0
    // The first key of an inner node is not maintained; the separator of the two children is in the parent.
    let separator = Node(parent).key(left + 1, kind)
    var size = first.size + second.size - Node.headerSize
    if isInner { size += separator.bytes.count - second.key(0, kind).bytes.count }
    let node = arena.allocateNode(size)
    var builder = NodeBuilder(node, kind, level: first.level, count: first.count + second.count)
    builder.append(first, 0, first.count)
    if isInner { builder.append(separator, .reference(try second.reference(0, kind))) }
    builder.append(second, isInner ? 1 : 0, second.count)
    builder.finish()
    freeNode(firstBytes)
    freeNode(secondBytes)
    setReference(parent, left, kind, BlockRef(dirty: node, size: Node(node).size))
    _ = path.popLast()
    path[depth - 1].index = left + 1
    try removeEntry(&table, kind)
  }
}
