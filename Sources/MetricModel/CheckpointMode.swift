// How far a checkpoint goes: what an engine with a write-ahead log beside its file can be asked for.

/// SQLite's four, by its names.
package enum CheckpointMode: String, Sendable, Codable, Hashable, CaseIterable {
  /// Moves into the file what no reader stands in the way of. Waits for nobody.
  case passive
  /// Moves all of it, while nobody writes; gives up where a reader needs an older version.
  case full
  /// The same, and the next commit begins the log anew.
  case restart
  /// The same, and the log is cut to nothing.
  case truncate
}
