// The keys of a table in insertion order. The runner stores them itself, so that choosing a row to update or delete costs
// the engine under test nothing.

/// Keys in order of insertion, with selection by rank; deletion keeps the order.
package struct KeySet: Sendable {
  private var keys: [Int64] = []
  private var isLive: [Bool] = []
  /// Counts of live slots as a Fenwick tree, 1-based; empty while every slot is live.
  private var tree: [Int32] = []
  package private(set) var count = 0
  private var nextKey: Int64 = 0
  /// Whether keys were appended in ascending order only.
  private var isAscending = true

  package init() {}

  /// Appends the key after the greatest so far and returns it.
  package mutating func appendNext() -> Int64 {
    let key = nextKey
    append(key)
    return key
  }

  package mutating func append(_ key: Int64) {
    if key < nextKey { isAscending = false }
    keys.append(key)
    isLive.append(true)
    count += 1
    nextKey = max(nextKey, key + 1)
    if !tree.isEmpty { appendNode() }
  }

  /// A range that all keys are in, and most of its numbers where keys come and go in order; nil without a key.
  package var bounds: Range<Int64>? {
    guard count > 0 else { return nil }
    return (isAscending ? key(rank: 0) : 0)..<nextKey
  }

  /// Returns the key of the given rank, 0 ..< count, oldest first.
  package func key(rank: Int) -> Int64 { keys[slot(rank: rank)] }

  /// Removes and returns the key of the given rank.
  package mutating func remove(rank: Int) -> Int64 {
    let slot = slot(rank: rank)
    if tree.isEmpty { buildTree() }
    isLive[slot] = false
    count -= 1
    var node = slot + 1
    while node < tree.count {
      tree[node] -= 1
      node += node & -node
    }
    let key = keys[slot]
    if count < keys.count / 2 { dropDeadSlots() }
    return key
  }

  /// Removes the keys for whose rank `body` returns true, and returns them.
  package mutating func removeAll(where body: (_ rank: Int) -> Bool) -> [Int64] {
    dropDeadSlots()
    var removed: [Int64] = []
    var kept: [Int64] = []
    for (rank, key) in keys.enumerated() {
      if body(rank) { removed.append(key) } else { kept.append(key) }
    }
    keys = kept
    isLive = Array(repeating: true, count: kept.count)
    count = kept.count
    return removed
  }

  /// Returns the keys of 0 ..< bound that are missing, ascending.
  package func missing(below bound: Int) -> [Int64] {
    var present = [Bool](repeating: false, count: bound)
    for (key, live) in zip(keys, isLive) where live && key < bound { present[Int(key)] = true }
    return present.indices.lazy.filter { !present[$0] }.map(Int64.init)
  }

  private func slot(rank: Int) -> Int {
    precondition(rank >= 0 && rank < count, "rank \(rank) of \(count) keys")
    guard !tree.isEmpty else { return rank }
    var node = 0
    var left = Int32(rank)
    var step = 1 << (Int.bitWidth - 1 - (tree.count - 1).leadingZeroBitCount)
    while step > 0 {
      if node + step < tree.count, tree[node + step] <= left {
        node += step
        left -= tree[node]
      }
      step >>= 1
    }
    return node
  }

  /// Builds the tree. Every slot must be live.
  private mutating func buildTree() {
    tree = [0] + repeatElement(1, count: keys.count)
    for node in tree.indices.dropFirst() {
      let parent = node + (node & -node)
      if parent < tree.count { tree[parent] += tree[node] }
    }
  }

  private mutating func appendNode() {
    let node = tree.count
    var sum: Int32 = 1
    var step = 1
    while step < node & -node {
      sum += tree[node - step]
      step <<= 1
    }
    tree.append(sum)
  }

  private mutating func dropDeadSlots() {
    keys = zip(keys, isLive).lazy.filter(\.1).map(\.0)
    isLive = Array(repeating: true, count: keys.count)
    tree = []
  }
}
