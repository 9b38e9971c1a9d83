// How many pages VACUUM would write for a tree. It adds the entries in their order, so that pages are filled one after the
// other: that is simulated. Where a tree gets a further level SQLite divides its pages evenly instead, hence the bounds.

struct SQLitePacking {
  private let leafCapacity: Int
  private let interiorCapacity: Int
  private let isIndex: Bool
  /// The leaves first, then the levels above them.
  private var levels = [Level()]
  private var entryBytes = 0

  private struct Level {
    /// Pages that were begun, and the bytes in the last of them.
    var pages = 1
    var used = 0
  }

  init(usableBytes: Int, isIndex: Bool) {
    leafCapacity = usableBytes - 8
    interiorCapacity = usableBytes - 12
    self.isIndex = isIndex
  }

  /// Adds the next entry in the tree's order: its bytes in a leaf, without the pointer.
  mutating func add(_ bytes: Int) {
    entryBytes += bytes + 2
    add(bytes + 2, to: 0)
  }

  private mutating func add(_ bytes: Int, to level: Int) {
    if level == levels.count { levels.append(Level()) }
    let capacity = level == 0 ? leafCapacity : interiorCapacity
    guard levels[level].used + bytes > capacity else {
      levels[level].used += bytes
      return
    }
    levels[level].pages += 1
    // A leaf of a table passes on a copy of its last key, other pages the entry itself.
    let movesUp = isIndex || level > 0
    levels[level].used = movesUp ? 0 : bytes
    add(movesUp ? (level == 0 ? bytes + 4 : bytes) : Self.tableDivider, to: level + 1)
  }

  /// A child's page, a key of typical size, and the pointer.
  private static let tableDivider = 9

  /// The pages of the tree, without overflow pages.
  var pages: ClosedRange<Int> {
    let simulated = levels.reduce(0) { $0 + $1.pages }
    // No page holds more than its capacity.
    let lower = max(1, (entryBytes + leafCapacity - 1) / leafCapacity)
    guard simulated > 1 else { return 1...1 }
    return min(lower, simulated)...simulated + levels.count + simulated / 32
  }
}
