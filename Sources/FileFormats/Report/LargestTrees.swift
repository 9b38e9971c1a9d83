// The largest trees of a file: a bounded number of them, however many the file has.

/// A table, an index or a named database.
package struct TreeUsage: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case table, index, database, schema, other
  }

  package var name: String
  package var kind: Kind
  /// The table that an index belongs to; nil for others.
  package var owner: String?
  /// The root's page number, or its offset in a format without pages.
  package var root: Int
  /// Rows or entries; nil where the file would have to be read for them further than it was.
  package var entries: Int?
  /// Pages, or nodes in a format without pages.
  package var pages = 0
  /// All bytes of the pages.
  package var bytes = 0
  /// Bytes of the pages that hold nothing; nil where the format has no such space, or it was not read.
  package var unused: Int?
  /// The longest path from the root to a leaf, in pages.
  package var depth = 0
  /// Whether the tree was read in whole; its figures are lower bounds otherwise.
  package var isComplete = true
}

/// The largest trees by bytes, and the sums of all.
package struct LargestTrees: Sendable, Equatable {
  package static let maxCount = 64
  /// The largest first; of equal ones those that were read first.
  package private(set) var list: [TreeUsage] = []
  package private(set) var count = 0
  package private(set) var bytes = 0

  package init() {}

  package mutating func add(_ tree: TreeUsage) {
    count += 1
    bytes += tree.bytes
    if list.count == Self.maxCount, let last = list.last, last.bytes >= tree.bytes { return }
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle].bytes >= tree.bytes { low = middle + 1 } else { high = middle }
    }
    list.insert(tree, at: low)
    if list.count > Self.maxCount { list.removeLast() }
  }
}
