// What may be asked of an engine that keeps a log or journal beside its file. The others refuse it.
package import MetricModel

/// Settings of the log. A nil property is the engine's default.
package struct LogSettings: Sendable, Hashable, Codable {
  /// Pages that the log has when a commit moves it into the file, as far as readers let it; 0 for never. Of a write-ahead
  /// log only.
  package var checkpointPages: Int?
  /// The length in bytes to which the log is truncated when it is restarted, and a rollback journal after a commit that
  /// does not delete it.
  package var keptBytes: Int?
  /// A write-ahead log, or a rollback journal in its place.
  package var journal: JournalMode?

  package init(
    checkpointPages: Int? = nil, keptBytes: Int? = nil, journal: JournalMode? = nil
  ) {
    self.checkpointPages = checkpointPages
    self.keptBytes = keptBytes
    self.journal = journal
  }
}

/// What a checkpoint did.
package struct CheckpointOutcome: Sendable, Hashable {
  /// Whether it gave up because of a reader of an older version, or a writer.
  package var isBusy: Bool
  /// Pages in the log, and those of them that are in the file too; -1 where it came to neither.
  package var loggedPages: Int
  package var movedPages: Int

  package init(isBusy: Bool, loggedPages: Int, movedPages: Int) {
    self.isBusy = isBusy
    self.loggedPages = loggedPages
    self.movedPages = movedPages
  }
}
