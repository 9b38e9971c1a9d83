// Moves blocks that reach past a limit, in the order of tables and keys, until a budget is used up. To move a block is
// to copy it into the transaction: the commit then places the copy below the limit. A leaf's values are moved one by
// one, so that a commit stays within its budget however long they are.

struct Mover {
  let limit: Int
  /// The number of bytes that may be moved. An entry that is only examined counts as one, so that a scan over blocks
  /// that need not move is spread over several commits too.
  let budget: Int
  /// The used part of the budget.
  private var spent = 0
  /// Bytes of blocks that were above the limit. Exceeds the budget only if a single block and its path do.
  private(set) var moved = 0
  /// Bytes copied: the moved blocks, and the nodes on the path to them.
  private(set) var copied = 0

  init(limit: Int, budget: Int) {
    precondition(budget >= 0, "A budget is a number of bytes.")
    self.limit = limit
    self.budget = budget
  }

  /// Continues the scan. Returns where to continue next time, nil at the end.
  mutating func move(
    _ changes: inout PendingChanges, _ start: EvacuationState.Walk
  ) throws(StorageError) -> EvacuationState.Walk? {
    var walk = start
    while walk.table < changes.tables.count {
      if changes.tables[walk.table].root.isNull {
        walk = EvacuationState.Walk(table: walk.table + 1)
        continue
      }
      if spent >= budget, spent > 0 { return walk }
      switch try moveLeaf(&changes, walk.table, from: walk.key) {
      case .stopped(let key):
        walk.key = key
        return walk
      case .ended(let next?): walk.key = next
      case .ended(nil): walk = EvacuationState.Walk(table: walk.table + 1)
      }
    }
    let lists = try changes.moveSavepointLists(above: limit)
    (moved, copied) = (moved + lists, copied + lists)
    return nil
  }

  private enum LeafEnd {
    /// The budget does not allow more; the key is where to continue.
    case stopped(OwnedKey)
    /// The leaf is done; the key is the first of the next leaf.
    case ended(next: OwnedKey?)
  }

  /// Moves the blocks that are due on the path to the leaf with `key`, and among the leaf's values from there on.
  private mutating func moveLeaf(
    _ changes: inout PendingChanges, _ table: Int, from key: OwnedKey?
  ) throws(StorageError) -> LeafEnd {
    let kind = changes.tables[table].kind
    let survey = try self.survey(changes.tables[table], key, changes.tree.space)
    let start = key ?? survey.firstKey
    spent += survey.entries
    guard survey.pathOutliers > 0 || survey.firstValue > 0 else {
      return .ended(next: survey.nextKey)
    }
    guard take(survey.pathOutliers + survey.firstValue) else { return .stopped(start) }
    copied += survey.pathClean + survey.firstValue
    try start.withKeyThrowing(kind) { (key) throws(StorageError) in
      try changes.descend(table, key)
    }
    var isPaid = true
    let leaf = changes.tree.leaf
    for index in leaf.index..<Node(leaf.node).count {
      guard let ref = try changes.tree.outlier(index, kind, above: limit) else { continue }
      if !isPaid {
        guard take(ref.space) else {
          return .stopped(OwnedKey(Node(leaf.node).key(index, kind)))
        }
        copied += ref.space
      }
      isPaid = false
      try changes.tree.copyValue(index, kind, ref)
    }
    return .ended(next: survey.nextKey)
  }

  /// Takes these bytes from the budget if they fit; the first block to be moved always does.
  private mutating func take(_ bytes: Int) -> Bool {
    guard moved == 0 || spent + bytes <= budget else { return false }
    spent += bytes
    moved += bytes
    return true
  }

  private struct Survey {
    /// Bytes of the path's nodes that reach past the limit, and of those that are not in memory yet.
    var pathOutliers = 0
    var pathClean = 0
    /// The size of the first value to be moved.
    var firstValue = 0
    var entries = 0
    var firstKey = OwnedKey(number: 0)
    /// The separator between the leaf and the next one.
    var nextKey: OwnedKey?
  }

  private func survey(
    _ table: TableRoot, _ stored: OwnedKey?, _ space: BlockSpace
  ) throws(StorageError) -> Survey {
    var survey = Survey()
    var ref = table.root
    let kind = table.kind
    var levelAbove = Int.max
    while true {
      let node = try Node(ref, space, kind)
      // A damaged reference may point upward.
      guard node.level < levelAbove else { throw Node.malformed(ref) }
      levelAbove = node.level
      if !ref.isDirty {
        survey.pathClean += ref.space
        if ref.end > limit { survey.pathOutliers += ref.space }
      }
      if node.level == 0 {
        let start = stored.map { $0.withKey(kind) { node.lowerBound($0) } } ?? 0
        // Otherwise damaged separators would make the scan endless.
        if let stored, let next = survey.nextKey, !stored.isBelow(next, kind) {
          throw Node.malformed(table.root)
        }
        survey.entries = max(0, node.count - start)
        survey.firstKey = OwnedKey(node.key(0, kind))
        for index in start..<max(start, node.count)
        where node.slot(index, kind) & Node.referenceBit != 0 {
          let value = try node.reference(index, kind)
          if !value.isDirty, value.end > limit {
            survey.firstValue = value.space
            break
          }
        }
        return survey
      }
      let index = stored.map { $0.withKey(kind) { node.childIndex($0) } } ?? 0
      if index + 1 < node.count { survey.nextKey = OwnedKey(node.key(index + 1, kind)) }
      ref = try node.reference(index, kind)
    }
  }
}

extension TreeWriter {
  fileprivate var leaf: Step { path[depth - 1] }

  /// Returns the value of an entry of the current leaf if it is in the file and reaches past the limit.
  fileprivate func outlier(
    _ index: Int, _ kind: KeyKind, above limit: Int
  ) throws(StorageError) -> BlockRef? {
    let view = Node(leaf.node)
    guard view.slot(index, kind) & Node.referenceBit != 0 else { return nil }
    let ref = try view.reference(index, kind)
    return !ref.isDirty && ref.end > limit ? ref : nil
  }

  /// Copies that value into memory. A damaged block is never copied: the copy would get a valid checksum.
  fileprivate mutating func copyValue(
    _ index: Int, _ kind: KeyKind, _ ref: BlockRef
  ) throws(StorageError) {
    precondition(!ref.isDirty, "A value that is moved is in the file.")
    guard space.matches(ref) else { throw space.mismatch(ref) }
    let value = UnsafeRawBufferPointer(start: try space.resolve(ref), count: ref.size)
    let copy = copyValue(value)
    freed.append(ref)
    setReference(leaf.node, index, kind, copy)
  }
}
