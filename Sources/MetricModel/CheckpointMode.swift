// The modes of a checkpoint of a write-ahead log.

/// SQLite's four modes, with SQLite's names.
package enum CheckpointMode: String, Sendable, Codable, Hashable, CaseIterable {
  /// Moves frames into the file up to the first that a reader needs. Does not wait.
  case passive
  /// Moves all frames while there is no writer; fails if a reader needs an older version.
  case full
  /// Like `full`, and the next commit restarts the log.
  case restart
  /// Like `full`, and the log is truncated to zero bytes.
  case truncate
}
