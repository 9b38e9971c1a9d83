// A position in a tree at a row, or at a subtree that has not been read: a diff passes subtrees that both trees share
// without reading them.

struct DiffCursor {
  private let space: BlockSpace
  private let kind: KeyKind
  /// The nodes from the root on, each with the index of the current entry. Empty at the end.
  private var path: [(node: Node, index: Int)] = []
  private(set) var nodesRead = 0
  /// The bytes of the nodes that were read.
  private(set) var bytesRead = 0

  init(_ space: BlockSpace, _ kind: KeyKind) {
    self.space = space
    self.kind = kind
    path.reserveCapacity(8)
  }

  /// Moves to the root's first entry, or with `key` to the first row whose key is greater.
  mutating func begin(_ root: BlockRef, past key: TreeKey?) throws(StorageError) {
    path.removeAll(keepingCapacity: true)
    guard !root.isNull else { return }
    try enter(root, below: nil)
    guard let key else { return }
    while let (node, _) = path.last, node.level > 0 {
      path[path.count - 1].index = node.childIndex(key)
      try descend()
    }
    guard let leaf = path.last?.node else { return }
    let index = leaf.lowerBound(key)
    path[path.count - 1].index = index < leaf.count && leaf.isKey(index, key) ? index + 1 : index
    leaveFinishedNodes()
  }

  private mutating func enter(_ ref: BlockRef, below parent: Node?) throws(StorageError) {
    let node = try Node(ref, space, kind)
    guard node.level == parent.map({ $0.level - 1 }) ?? node.level,
      node.level < TreeReader.maxLevels
    else { throw Node.malformed(ref) }
    nodesRead += 1
    bytesRead += ref.size
    path.append((node, 0))
  }

  // MARK: The current entry

  var isAtEnd: Bool { path.isEmpty }
  var isAtRow: Bool { node.level == 0 }
  /// The node that the current entry is in.
  var node: Node { path[path.count - 1].node }
  private var index: Int { path[path.count - 1].index }
  /// The level of the current entry's node: a subtree one below is the child of a higher node than a row.
  var level: Int { node.level }

  /// The key of a row, or a key that no row of the subtree is below; nil if that is not known, for the leftmost subtree.
  var lowerBound: TreeKey? {
    for step in path.reversed() where step.index > 0 || step.node.level == 0 {
      return step.node.key(step.index, kind)
    }
    return nil
  }

  /// The root of the subtree.
  func subtree() throws(StorageError) -> BlockRef { try node.reference(index, kind) }

  /// The row's value if it has a block of its own; nil for a value in the leaf.
  func valueBlock() throws(StorageError) -> BlockRef? {
    guard node.slot(index, kind) & Node.referenceBit != 0 else { return nil }
    return try node.reference(index, kind)
  }

  func value() throws(StorageError) -> UnsafeRawBufferPointer {
    try node.value(index, kind, space)
  }

  /// The greatest key of the leaf that the current row is in.
  var lastKeyOfLeaf: TreeKey { node.key(node.count - 1, kind) }

  // MARK: Moving

  /// Moves to the first entry of the subtree.
  mutating func descend() throws(StorageError) {
    try enter(try subtree(), below: node)
  }

  /// Moves behind the row or subtree.
  mutating func advance() {
    path[path.count - 1].index += 1
    leaveFinishedNodes()
  }

  /// Moves behind the node that the current entry is in.
  mutating func leaveNode() {
    path[path.count - 1].index = node.count
    leaveFinishedNodes()
  }

  private mutating func leaveFinishedNodes() {
    while let (node, index) = path.last, index >= node.count {
      path.removeLast()
      if !path.isEmpty { path[path.count - 1].index += 1 }
    }
  }
}
