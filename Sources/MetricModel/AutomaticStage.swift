// Automatic compaction, in the terms that scenarios, adapters and reports share.

/// The way in which an engine with several ways compacts automatically.
package enum AutomaticPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// As Realm's documentation describes it: compacts only without active readers.
  case documented
  /// As Realm Core does it: compacts in every commit; the file shrinks at the next opening.
  case realmCompatible = "realm-compatible"
  /// Compacts in every commit; the file shrinks as soon as no reader sees the cut space.
  case eager
  /// Compacts as eager, and in the background while there is no writer.
  case idle
  /// Merges sorted runs level by level, as RocksDB does by default.
  case leveled
  /// Merges sorted runs of similar age and size, all of them when the older versions exceed a share (RocksDB).
  case universal
  /// Merges no runs, and drops the oldest when all exceed a limit (RocksDB); here no limit is set, so no row is lost.
  case fifo
}

/// The stage of automatic compaction.
package enum AutomaticStage: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing to do, or not allowed to start.
  case idle
  /// Commits move data toward the start of the file.
  case evacuating
  /// All data is moved, or moving is not allowed now; the file is cut when no pin prevents it any more.
  case waiting
  /// Abandoned; it checks again after some commits.
  case blocked
}
