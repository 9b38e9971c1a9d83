// Replaces nodes of the path in memory: by a larger one, or by two when a node is full.

extension TreeWriter {
  mutating func freeNode(_ node: UnsafeMutableRawPointer) {
    arena.freeNode(node, roundedUp(Node(node).size))
  }

  /// Makes the parent of the last step, or the table, refer to the node that replaces it.
  mutating func attach(
    _ table: inout TableRoot, _ kind: KeyKind, _ node: UnsafeMutableRawPointer
  ) {
    let ref = BlockRef(dirty: node, size: Node(node).size)
    if depth == 1 {
      table.root = ref
    } else {
      setReference(path[depth - 2].node, path[depth - 2].index, kind, ref)
    }
  }

  mutating func split(_ table: inout TableRoot, _ kind: KeyKind) {
    let step = path[depth - 1]
    let full = Node(step.node)
    let cut = splitPoint(full, kind, appending: isAppending(step, full))
    let left = copyRange(full, 0, cut, kind)
    let right = copyRange(full, cut, full.count, kind)
    let separator = full.key(cut, kind)
    let rightCell = Cell.reference(BlockRef(dirty: right, size: Node(right).size))
    if depth == 1 {
      let leftCell = Cell.reference(BlockRef(dirty: left, size: Node(left).size))
      let first = full.key(0, kind)
      let size =
        Node.headerSize + 2 * (Node.entrySize(kind, full.level + 1) + BlockRef.size)
        + first.bytes.count
        + separator.bytes.count
      let root = arena.allocateNode(size)
      var builder = NodeBuilder(root, kind, level: full.level + 1, count: 2)
      builder.append(first, leftCell)
      builder.append(separator, rightCell)
      table.root = BlockRef(dirty: root, size: builder.finish())
    } else {
      attach(&table, kind, left)
      _ = path.popLast()
      path[depth - 1].index += 1
      insert(&table, separator, rightCell, replacing: 0)
    }
    // The separator points into the full node, so this is freed last.
    freeNode(step.node)
  }

  /// Returns whether the entry that made the node overflow is the last of the whole tree: rows inserted in key order
  /// then fill nodes instead of leaving them half full.
  private func isAppending(_ step: Step, _ node: Node) -> Bool {
    guard step.index == node.count - 1 else { return false }
    for level in 0..<depth - 1 where path[level].index != Node(path[level].node).count - 1 {
      return false
    }
    return true
  }

  private func splitPoint(_ node: Node, _ kind: KeyKind, appending: Bool) -> Int {
    if appending { return node.count - 1 }
    let half = (node.cellStart(0, kind) + node.size) / 2
    var cut = 1
    while cut < node.count - 1, node.cellStart(cut, kind) < half { cut += 1 }
    return cut
  }

  mutating func copyRange(
    _ node: Node, _ from: Int, _ to: Int, _ kind: KeyKind
  ) -> UnsafeMutableRawPointer {
    let size =
      Node.headerSize + (to - from) * Node.entrySize(kind, node.level) + node.cellStart(to, kind)
      - node.cellStart(from, kind)
    let part = arena.allocateNode(size)
    var builder = NodeBuilder(part, kind, level: node.level, count: to - from)
    builder.append(node, from, to)
    builder.finish()
    return part
  }
}
