// Where a commit's blocks go, by name. Measured against each other in Docs/Allocation.md.

/// How a commit chooses among the free places of the file. Any file can be gone on with under any of them, but for
/// `wholePages`, which counts on all earlier commits having kept to it.
public enum Allocation: String, Sendable, CaseIterable {
  /// Realm Core's rule: a place of exactly the size, else the smallest of at least twice the size; what lies between is
  /// left for a block that fits it.
  case exactOrTwice
  /// The smallest place that fits, the lowest among equals. Keeps the file smallest; the blocks of one commit lie all
  /// over it, and a durable commit waits for each page that they touch.
  case tightFit
  /// The blocks of a commit side by side, in the parts of the file that have most room, and the nodes that soon change
  /// again apart from the rows. The file may be a third larger for it; when it would be more, or cannot grow, what is
  /// left is filled as by `tightFit`.
  case clustered
  /// Only in pages of 4 KiB that are free as a whole, so that no page ever holds blocks of two commits: what an
  /// encrypted file needs, whose pages are written anew as a whole. The file grows where no page is free.
  case wholePages
}

/// How soon a block is likely to be replaced.
enum BlockLifetime {
  /// Rows and the leaves that hold them.
  case long
  /// Nodes above the leaves, and commit records: many commits replace them.
  case short
}
