// The log beside an engine's file: how an arm configures it, and clients that checkpoint it.
package import MetricModel

/// Settings of the log in an arm. A nil property is the engine's default.
package struct LogSpec: Hashable, Sendable, Codable {
  /// Pages after which a commit makes a passive checkpoint; 0 for never.
  package var checkpointPages: Int?
  /// The length in bytes to which the log is truncated when it is restarted.
  package var sizeLimit: Int?
  /// A write-ahead log, or a rollback journal instead.
  package var journal: JournalMode?

  package init(
    checkpointPages: Int? = nil, sizeLimit: Int? = nil, journal: JournalMode? = nil
  ) {
    self.checkpointPages = checkpointPages
    self.sizeLimit = sizeLimit
    self.journal = journal
  }

  /// Whether there is no write-ahead log.
  package var isRollback: Bool { journal.map { $0 != .writeAhead } ?? false }
}

/// Checkpoints the log, without waiting for readers or writers.
package struct CheckpointSpec: Hashable, Sendable, Codable {
  package var mode: CheckpointMode
  /// After every n commits; nil for once, when its phase begins.
  package var everyCommits: Int?

  package init(mode: CheckpointMode, everyCommits: Int? = nil) {
    self.mode = mode
    self.everyCommits = everyCommits
  }
}
