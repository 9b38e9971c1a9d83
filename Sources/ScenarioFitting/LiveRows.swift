// Which rows a table has at a moment of the trace, in the order of their insertion: as a scenario's distributions of keys
// count them. Memory grows with the rows that are in the table at once, not with the records of the trace.

/// The keys of a table by insertion, with the rank of each.
struct LiveRows {
  /// As many rows as a table of a scenario may have, twice over for a table that grows.
  static let maxRows = 20_000_000

  private var slots: [Int64: Int32] = [:]
  /// The key of each slot, of deleted rows too until `compact`.
  private var keys: [Int64] = []
  /// A bit for each slot, 64 in a word, and the numbers of set bits as a Fenwick tree (1-based) over the words.
  private var words: [UInt64] = []
  private var tree: [Int32] = [0]
  private(set) var count = 0
  /// The greatest key so far; nil if there was no row.
  private(set) var greatestKey: Int64?

  /// Adds a row behind all others; does nothing if it is there.
  mutating func insert(_ key: Int64) {
    guard slots[key] == nil else { return }
    let slot = keys.count
    keys.append(key)
    greatestKey = max(greatestKey ?? key, key)
    if slot & 63 == 0 {
      words.append(0)
      appendNode()
    }
    slots[key] = Int32(slot)
    set(slot)
  }

  /// Returns how many rows were inserted before this one and are still there; nil if it is not there.
  func rank(of key: Int64) -> Int? {
    guard let slot = slots[key].map(Int.init) else { return nil }
    let (word, bit) = (slot >> 6, slot & 63)
    var rank = (words[word] & ((1 << UInt64(bit)) - 1)).nonzeroBitCount
    var node = word
    while node > 0 {
      rank += Int(tree[node])
      node -= node & -node
    }
    return rank
  }

  /// Removes a row and returns what `restore` needs; nil if it is not there.
  mutating func remove(_ key: Int64) -> Removed? {
    guard let slot = slots.removeValue(forKey: key) else { return nil }
    words[Int(slot) >> 6] &= ~(1 << UInt64(slot & 63))
    add(-1, atWord: Int(slot) >> 6)
    count -= 1
    return Removed(key: key, slot: slot)
  }

  struct Removed {
    fileprivate var key: Int64
    fileprivate var slot: Int32
  }

  /// Puts a removed row back where it was. Only before the next `compact`.
  mutating func restore(_ removed: Removed) {
    guard slots[removed.key] == nil else { return }
    slots[removed.key] = removed.slot
    set(Int(removed.slot))
  }

  /// Drops the slots of deleted rows, if they are more than the others.
  mutating func compact() {
    guard keys.count > 64, count < keys.count / 2 else { return }
    let live = keys.indices.filter { words[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }.map { keys[$0] }
    let greatest = greatestKey
    self = LiveRows()
    for key in live { insert(key) }
    greatestKey = greatest
  }

  private mutating func set(_ slot: Int) {
    words[slot >> 6] |= 1 << UInt64(slot & 63)
    add(1, atWord: slot >> 6)
    count += 1
  }

  private mutating func add(_ change: Int32, atWord word: Int) {
    var node = word + 1
    while node < tree.count {
      tree[node] += change
      node += node & -node
    }
  }

  private mutating func appendNode() {
    let node = tree.count
    var sum: Int32 = 0
    var step = 1
    while step < node & -node {
      sum += tree[node - step]
      step <<= 1
    }
    tree.append(sum)
  }
}
