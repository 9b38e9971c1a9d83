// Visits every block of a version once, checks the invariants TREE-1 to TREE-7 except TREE-5, and collects the extents
// of the blocks. Blocks that the walk of another version has visited are not entered again: all below them is shared.

struct TreeWalk {
  private let space: BlockSpace
  /// Offsets of blocks visited in other versions.
  private var visited: Set<Int> = []
  /// Offsets of blocks first visited in this version.
  private var visitedInVersion: Set<Int> = []
  private var extents: [Extent] = []
  var violations: [String] = []

  init(space: BlockSpace) { self.space = space }

  /// Returns the extents collected since the last call.
  mutating func takeExtents() -> [Extent] {
    defer { extents = [] }
    return extents
  }

  /// Ends the version: what is walked from here on is another one, which may share blocks with those before.
  mutating func endVersion() {
    visited.formUnion(visitedInVersion)
    visitedInVersion = []
  }

  /// Walks a table. Returns its rows, without those below blocks visited before.
  mutating func walk(_ table: TableRoot) -> Int {
    guard !table.root.isNull else { return 0 }
    return walk(table.root, table.kind, level: nil, above: nil, below: nil)
  }

  /// Records a visit to a block. Returns false if it was visited before, or fails a check.
  private mutating func record(_ ref: BlockRef, _ birthLimit: UInt64?) -> Bool {
    guard !visited.contains(ref.offset) else { return false }
    guard visitedInVersion.insert(ref.offset).inserted else {
      violations.append("TREE-6: the block at offset \(ref.offset) is reached twice")
      return false
    }
    extents.append(Extent(offset: ref.offset, size: ref.space))
    guard space.matches(ref) else {
      violations.append("TREE-1: \(space.mismatch(ref).message)")
      return false
    }
    if let birthLimit, ref.birth > birthLimit {
      violations.append("TREE-7: the block at offset \(ref.offset) is younger than its parent")
    }
    return true
  }

  private mutating func walk(
    _ ref: BlockRef, _ kind: KeyKind, level: Int?, above: TreeKey?, below: TreeKey?
  ) -> Int {
    guard record(ref, nil) else { return 0 }
    let node: Node
    do throws(StorageError) { node = try Node(ref, space, kind) } catch {
      violations.append("TREE-4: the block at offset \(ref.offset) is not a node: \(error.message)")
      return 0
    }
    if node.level != level ?? node.level {
      violations.append("TREE-3: the node at offset \(ref.offset) is on level \(node.level)")
      return 0
    }
    guard isPacked(node, kind) else {
      violations.append("TREE-4: the node at offset \(ref.offset) is not packed")
      return 0
    }
    checkOrder(node, ref, kind, above, below)
    var rows = 0
    for index in 0..<node.count {
      guard node.slot(index, kind) & Node.referenceBit != 0 else {
        rows += 1
        continue
      }
      guard let child = try? node.reference(index, kind) else { continue }
      if node.level == 0 {
        rows += 1
        _ = record(child, ref.birth)
      } else {
        if child.birth > ref.birth {
          violations.append(
            "TREE-7: the block at offset \(child.offset) is younger than its parent")
        }
        let upper = index + 1 < node.count ? node.key(index + 1, kind) : below
        let lower = index > 0 ? node.key(index, kind) : above
        rows += walk(child, kind, level: node.level - 1, above: lower, below: upper)
      }
    }
    return rows
  }

  private func isPacked(_ node: Node, _ kind: KeyKind) -> Bool {
    var end = Node.headerSize + node.count * Node.entrySize(kind, node.level)
    for index in 0..<node.count {
      if kind == .bytes {
        let slot = node.keySlot(index)
        guard Int(slot & 0xFFFF) == end else { return false }
        end += Int(slot >> 16)
      }
      let slot = node.slot(index, kind)
      let isReference = slot & Node.referenceBit != 0
      guard Int(slot & 0xFFFF) == end, isReference || node.level == 0 else { return false }
      let length = Int(slot >> 16 & 0x7FFF)
      guard !isReference || length == BlockRef.size else { return false }
      end += length
    }
    return end == node.size && node.count <= Node.maxEntries(node.level)
  }

  private mutating func checkOrder(
    _ node: Node, _ ref: BlockRef, _ kind: KeyKind, _ above: TreeKey?, _ below: TreeKey?
  ) {
    // The first key of an inner node is not maintained.
    let first = node.level == 0 ? 0 : 1
    guard first < node.count else { return }
    for index in first..<node.count {
      let key = node.key(index, kind)
      let ascends = index == first || node.key(index - 1, kind) < key
      let fits = above.map { !(key < $0) } ?? true
      let isBelow = below.map { key < $0 } ?? true
      if !ascends || !fits || !isBelow {
        violations.append("TREE-2: entry \(index) of the node at offset \(ref.offset)")
      }
    }
  }
}
