// The rows in which two versions of a tree differ. Copy-on-write leaves a block in place if nothing below it changed, so
// a block that both versions reference is passed without being read. Compaction writes a block to another place and
// thereby changes its parents: two nodes of equal bytes are passed as well, without reading what is below them.

/// A simultaneous walk of two versions of a tree in key order.
struct TreeDiff {
  /// Gets a key, and the value in the old and in the new version; nil for a version without the row.
  typealias Body = (TreeKey, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) -> Void

  private let roots: (old: TableRoot, new: TableRoot)
  private var old: DiffCursor
  private var new: DiffCursor
  /// Whether equal references lead to the same block: both versions are in one file.
  private let isSameFile: Bool

  init(_ old: TableRoot, _ oldSpace: BlockSpace, _ new: TableRoot, _ newSpace: BlockSpace) {
    roots = (old, new)
    self.old = DiffCursor(oldSpace, new.kind)
    self.new = DiffCursor(newSpace, new.kind)
    isSameFile = oldSpace.base == newSpace.base
  }

  /// The number of nodes that were read, in both trees.
  var nodesRead: Int { old.nodesRead + new.nodesRead }
  private var bytesRead: Int { old.bytesRead + new.bytesRead }

  /// Calls `body` with each row after `key` that differs, in key order, until about `limit` bytes of nodes were read.
  /// Returns the key to continue after; nil at the end.
  mutating func run(
    past key: OwnedKey?, limit: Int, _ body: Body
  ) throws(StorageError) -> OwnedKey? {
    if isSameFile, roots.old.root == roots.new.root { return nil }
    try begin(past: key)
    let begun = bytesRead
    while !old.isAtEnd || !new.isAtEnd {
      guard let passed = try step(body), bytesRead - begun >= limit else { continue }
      return OwnedKey(passed)
    }
    return nil
  }

  private mutating func begin(past key: OwnedKey?) throws(StorageError) {
    guard let key else {
      try old.begin(roots.old.root, past: nil)
      try new.begin(roots.new.root, past: nil)
      if !old.isAtEnd, !new.isAtEnd { _ = passEqualNodes() }
      return
    }
    try key.withKeyThrowing(roots.new.kind) { (key) throws(StorageError) in
      try old.begin(roots.old.root, past: key)
      try new.begin(roots.new.root, past: key)
    }
  }

  /// Passes the entries at the cursors, or reads a node. Returns the greatest key that was passed, if that is known.
  private mutating func step(_ body: Body) throws(StorageError) -> TreeKey? {
    if old.isAtEnd { return try passNew(body) }
    if new.isAtEnd { return try passOld(body) }
    switch (old.isAtRow, new.isAtRow) {
    case (true, true): return try passRows(body)
    case (false, false): return try passSubtrees()
    case (true, false):
      if Self.precedes(old.lowerBound, new.lowerBound) { return try passOld(body) }
      try new.descend()
    case (false, true):
      if Self.precedes(new.lowerBound, old.lowerBound) { return try passNew(body) }
      try old.descend()
    }
    return nil
  }

  /// The old version alone has what its cursor is at.
  private mutating func passOld(_ body: Body) throws(StorageError) -> TreeKey? {
    guard old.isAtRow, let key = old.lowerBound else {
      try old.descend()
      return nil
    }
    body(key, try old.value(), nil)
    old.advance()
    return key
  }

  /// The new version alone has what its cursor is at.
  private mutating func passNew(_ body: Body) throws(StorageError) -> TreeKey? {
    guard new.isAtRow, let key = new.lowerBound else {
      try new.descend()
      return nil
    }
    body(key, nil, try new.value())
    new.advance()
    return key
  }

  private mutating func passRows(_ body: Body) throws(StorageError) -> TreeKey? {
    guard let left = old.lowerBound, let right = new.lowerBound else { return nil }
    if left < right { return try passOld(body) }
    if right < left { return try passNew(body) }
    if try !hasSameValueBlock() {
      let (before, after) = (try old.value(), try new.value())
      if !Self.areEqual(before, after) { body(right, before, after) }
    }
    old.advance()
    new.advance()
    return right
  }

  private func hasSameValueBlock() throws(StorageError) -> Bool {
    guard isSameFile, let left = try old.valueBlock() else { return false }
    return try new.valueBlock() == left
  }

  private mutating func passSubtrees() throws(StorageError) -> TreeKey? {
    if isSameFile, try old.subtree() == new.subtree() {
      old.advance()
      new.advance()
      return nil
    }
    // What begins further left has rows that the other does not have; what is higher may contain the other.
    let (left, right) = (old.lowerBound, new.lowerBound)
    if Self.precedes(left, right) || old.level > new.level && !Self.precedes(right, left) {
      try old.descend()
      return nil
    }
    if Self.precedes(right, left) || new.level > old.level {
      try new.descend()
      return nil
    }
    try old.descend()
    try new.descend()
    return passEqualNodes()
  }

  /// Passes the nodes that the cursors are in if their bytes are equal: their rows, and what they reference. Returns the
  /// greatest key if they are leaves.
  private mutating func passEqualNodes() -> TreeKey? {
    guard isSameFile, Self.areEqual(old.node.contents, new.node.contents) else { return nil }
    let last = new.isAtRow ? new.lastKeyOfLeaf : nil
    old.leaveNode()
    new.leaveNode()
    return last
  }

  /// Returns whether a bound is below another, where nil is below every key.
  private static func precedes(_ a: TreeKey?, _ b: TreeKey?) -> Bool {
    guard let b else { return false }
    return a.map { $0 < b } ?? true
  }

  private static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count == b.count && TreeKey.compare(a, b) == 0
  }
}

extension Node {
  fileprivate var contents: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: size)
  }
}
