// Moves blocks that reach past a limit, in the order of the tables and of their keys, until a budget is used up. Moving
// is copying into the transaction: the commit then places the copy below the limit.

struct Mover {
  let limit: Int
  /// Bytes that may still be moved. A leaf that is only looked at costs one for each entry, so that a walk over much
  /// that is in place already is spread over commits too.
  private var budget: Int
  /// Bytes moved.
  private(set) var moved = 0

  init(limit: Int, budget: Int) {
    self.limit = limit
    self.budget = budget
  }

  /// Goes on at the table and key; answers where to go on next time, or nil at the end.
  mutating func move(
    _ state: UnsafeMutablePointer<WriterState>, table first: Int, key: StoredKey?
  ) throws(StorageError) -> (table: Int, key: StoredKey?)? {
    var table = first
    var key = key
    while table < state.pointee.tables.count {
      let root = state.pointee.tables.start + table
      if root.pointee.root.isNull {
        (table, key) = (table + 1, nil)
        continue
      }
      if budget < 0 { return (table, key) }
      key = try moveLeaf(state, root, from: key)
      if key == nil { table += 1 }
    }
    moved += try state.pointee.moveSavepointLists(above: limit)
    return nil
  }

  /// Moves the path and the values of the leaf that holds `key`; answers the first key of the next leaf.
  private mutating func moveLeaf(
    _ state: UnsafeMutablePointer<WriterState>, _ root: UnsafeMutablePointer<TableRoot>,
    from key: StoredKey?
  ) throws(StorageError) -> StoredKey? {
    let kind = root.pointee.kind
    let survey = try self.survey(root.pointee, key, state.pointee.tree.space)
    budget -= survey.entries
    if survey.outliers > 0 {
      moved += survey.outliers
      budget -= survey.outliers
      let target = key ?? survey.firstKey
      try target.withKeyThrowing(kind) { (key) throws(StorageError) in
        try state.pointee.tree.descend(root, key)
      }
      try state.pointee.tree.copyValues(above: limit, kind)
    }
    return survey.nextKey
  }

  private struct Survey {
    /// Bytes of the path and of the leaf's values that reach past the limit.
    var outliers = 0
    var entries = 0
    var firstKey = StoredKey(Key(0))
    /// What separates the leaf from the next one.
    var nextKey: StoredKey?
  }

  private func survey(
    _ table: TableRoot, _ stored: StoredKey?, _ space: BlockSpace
  ) throws(StorageError) -> Survey {
    var survey = Survey()
    var ref = table.root
    let kind = table.kind
    var levelAbove = Int.max
    while true {
      let node = try Node(ref, space, kind)
      // A damaged reference may lead back up.
      guard node.level < levelAbove else { throw Node.malformed(ref) }
      levelAbove = node.level
      if !ref.isDirty, ref.end > limit { survey.outliers += ref.space }
      if node.level == 0 {
        survey.entries = node.count
        survey.firstKey = StoredKey(node.key(0, kind))
        for index in 0..<node.count
        where node.slot(index, kind) & Node.referenceBit != 0 {
          let value = try node.reference(index, kind)
          if !value.isDirty, value.end > limit { survey.outliers += value.space }
        }
        return survey
      }
      let index = stored.map { $0.withKey(kind) { node.childIndex($0) } } ?? 0
      if index + 1 < node.count { survey.nextKey = StoredKey(node.key(index + 1, kind)) }
      ref = try node.reference(index, kind)
    }
  }
}

extension StoredKey {
  func withKeyThrowing<R>(
    _ kind: KeyKind, _ body: (Key) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    guard kind == .bytes else { return try body(Key(number)) }
    return try bytes.withBytes { (bytes) throws(StorageError) in try body(Key(bytes)) }
  }
}

extension TreeWriter {
  /// Copies the values of the current leaf that reach past the limit.
  mutating func copyValues(above limit: Int, _ kind: KeyKind) throws(StorageError) {
    let leaf = path[depth - 1].node
    let view = Node(leaf)
    for index in 0..<view.count where view.slot(index, kind) & Node.referenceBit != 0 {
      let ref = try view.reference(index, kind)
      guard !ref.isDirty, ref.end > limit else { continue }
      guard space.matches(ref) else { throw space.mismatch(ref) }
      let value = UnsafeRawBufferPointer(start: try space.resolve(ref), count: ref.size)
      let copy = copyValue(value)
      freed.append(ref)
      setReference(leaf, index, kind, copy)
    }
  }
}
