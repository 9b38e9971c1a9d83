// The allocation strategies, by name. Docs/Allocation.md compares them by measurement.

/// How a commit chooses free space for its blocks. A file may be written under different strategies over time, except
/// `wholePages` and `wholeUnits`, which require that all earlier commits used the same one.
public enum Allocation: String, Sendable, CaseIterable {
  /// Realm Core's rule: a free extent of exactly the size, else the smallest of at least twice the size, so that what
  /// is left over is large enough for another block.
  case exactOrTwice
  /// Best fit: the smallest free extent that is large enough, the lowest offset among equals. Keeps the file smallest;
  /// the blocks of one commit are scattered, and a durable commit waits for each page that they touch.
  case tightFit
  /// Allocates the blocks of one commit next to each other, in the parts of the file with the most free space, and
  /// short-lived nodes apart from rows. The file may become about a third larger; beyond that, or when it cannot grow,
  /// the remaining holes are filled as by `tightFit`.
  case clustered
  /// Uses only pages of 4 KiB that are entirely free, so that no page holds blocks of two commits. Required by
  /// encrypted files of earlier releases, whose pages are rewritten as a whole. The file grows when no page is free.
  case wholePages
  /// The same with units of 2 KiB, and the shortest run of free ones that holds a block. Required by encrypted files.
  case wholeUnits
}

extension Allocation {
  /// Whether no page holds blocks of two commits.
  var isolatesCommits: Bool { self == .wholePages || self == .wholeUnits }

  /// The bytes that are used together.
  var pageSize: Int { self == .wholeUnits ? Layout.pageSize / 2 : Layout.pageSize }

  /// The maximum rest of a unit that is left free so that the next block begins with a unit.
  var maxSkippedBytes: Int { self == .wholeUnits ? pageSize / 8 : 0 }
}

/// How soon a block is likely to be replaced.
enum BlockLifetime {
  /// Rows and the leaves that hold them.
  case long
  /// Inner nodes and commit records: most commits replace them.
  case short
}
