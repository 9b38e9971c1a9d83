// Look-ups and cursors. Static functions over raw memory: a look-up costs a few cache lines and no reference counting.

enum TreeReader {
  /// The maximum depth of a tree: 2^48 blocks with two entries a node stay far below it.
  static let maxLevels = 40

  @inline(__always)
  static func find(
    _ table: TableRoot, _ key: TreeKey, _ space: BlockSpace
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    var ref = table.root
    if ref.isNull { return nil }
    var expected = -1
    while true {
      let node = try Node(ref, space, key.kind)
      let level = node.level
      guard expected < 0 || level == expected else { throw Node.malformed(ref) }
      if level == 0 {
        let index = node.lowerBound(key)
        guard index < node.count, node.isKey(index, key) else { return nil }
        return try node.value(index, key.kind, space)
      }
      ref = try node.reference(node.childIndex(key), key.kind)
      expected = level - 1
    }
  }
}

/// A cursor over a tree's entries, in key order or backward.
struct TreeCursor {
  private let space: BlockSpace
  private let kind: KeyKind
  /// The nodes from the root to the leaf, each with the index of the current entry.
  private var path: [(node: Node, index: Int)] = []

  /// Begins at the first entry whose key is not less than `key`, or at the first entry.
  init(_ table: TableRoot, from key: TreeKey?, _ space: BlockSpace) throws(StorageError) {
    self.space = space
    kind = table.kind
    path.reserveCapacity(8)
    guard !table.root.isNull else { return }
    try descend(table.root, key, expected: nil)
    if let leaf = path.last, leaf.index == leaf.node.count { try leaveLeaf() }
  }

  /// Begins at the last entry whose key is less than `key`, or at the last entry.
  init(_ table: TableRoot, endingBefore key: TreeKey?, _ space: BlockSpace) throws(StorageError) {
    self.space = space
    kind = table.kind
    path.reserveCapacity(8)
    guard !table.root.isNull else { return }
    try descend(table.root, key, expected: nil, toEnd: true)
    try retreat()
  }

  /// Descends to the first entry of a subtree whose key is not less than `key`; without a key to the first entry, or with
  /// `toEnd` behind the last.
  private mutating func descend(
    _ root: BlockRef, _ key: TreeKey?, expected: Int?, toEnd: Bool = false
  ) throws(StorageError) {
    var ref = root
    var expected = expected
    while true {
      let node = try Node(ref, space, kind)
      guard node.level == expected ?? node.level, node.level < TreeReader.maxLevels else {
        throw Node.malformed(ref)
      }
      if node.level == 0 {
        path.append((node, key.map { node.lowerBound($0) } ?? (toEnd ? node.count : 0)))
        return
      }
      let index = key.map { node.childIndex($0) } ?? (toEnd ? node.count - 1 : 0)
      path.append((node, index))
      ref = try node.reference(index, kind)
      expected = node.level - 1
    }
  }

  /// The leaf and the index of the current entry; nil at the end.
  @inline(__always)
  var current: (leaf: Node, index: Int)? { path.last.map { ($0.node, $0.index) } }

  func key() -> TreeKey { path[path.count - 1].node.key(path[path.count - 1].index, kind) }

  func value() throws(StorageError) -> UnsafeRawBufferPointer {
    let (leaf, index) = path[path.count - 1]
    return try leaf.value(index, kind, space)
  }

  mutating func advance() throws(StorageError) {
    path[path.count - 1].index += 1
    let leaf = path[path.count - 1]
    if leaf.index == leaf.node.count { try leaveLeaf() }
  }

  private mutating func leaveLeaf() throws(StorageError) {
    path.removeLast()
    while let parent = path.last {
      if parent.index + 1 < parent.node.count {
        path[path.count - 1].index += 1
        let ref = try parent.node.reference(parent.index + 1, kind)
        return try descend(ref, nil, expected: parent.node.level - 1)
      }
      path.removeLast()
    }
  }

  /// Moves to the entry before the current one.
  mutating func retreat() throws(StorageError) {
    path[path.count - 1].index -= 1
    if path[path.count - 1].index < 0 { try leaveLeafBackward() }
  }

  private mutating func leaveLeafBackward() throws(StorageError) {
    path.removeLast()
    while let parent = path.last {
      if parent.index > 0 {
        path[path.count - 1].index -= 1
        let ref = try parent.node.reference(parent.index - 1, kind)
        try descend(ref, nil, expected: parent.node.level - 1, toEnd: true)
        path[path.count - 1].index -= 1
        guard path[path.count - 1].index >= 0 else { throw Node.malformed(ref) }
        return
      }
      path.removeLast()
    }
  }
}
