// Events of compaction.

/// One step of a compaction, or the reason why there was none.
package struct CompactionEvent: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable { case automatic, onLaunch, copy }

  package enum Outcome: String, Sendable, Codable {
    /// An automatic compaction started.
    case started
    /// A pin prevents an automatic compaction from starting.
    case delayed
    /// A running compaction cannot continue or finish because of a pin.
    case waiting
    /// The compaction continues after waiting, or in a later launch than the one that started it.
    case resumed
    /// The compaction waits, and a part of the file's end was truncated meanwhile.
    case shortened
    /// The compaction finished: the file is shorter, or was replaced by a compaction at launch.
    case finished
    /// The compaction was abandoned: no free space, or a failed commit.
    case abandoned
    /// The policy decided against a compaction.
    case declined
    /// The policy decided for a compaction, and the engine could not run it.
    case skipped
  }

  package var kind: Kind
  package var outcome: Outcome
  /// The reason in words, with the values that decided.
  package var reason: String
  package var before: ByteCount
  package var after: ByteCount
  /// Bytes of data that the compaction rewrote; nil if the engine does not report it.
  package var rewritten: ByteCount?
  /// What the policy was given at a launch; nil for other events, and where the engine does not report used bytes.
  package var callback: CallbackValues?

  package init(
    kind: Kind, outcome: Outcome, reason: String, before: ByteCount, after: ByteCount,
    rewritten: ByteCount?, callback: CallbackValues? = nil
  ) {
    self.kind = kind
    self.outcome = outcome
    self.reason = reason
    self.before = before
    self.after = after
    self.rewritten = rewritten
    self.callback = callback
  }
}

/// The two values that `shouldCompactOnLaunch` is called with.
package struct CallbackValues: Hashable, Sendable, Codable {
  /// The length of the file.
  package var totalBytes: ByteCount
  /// The file less all free-list space.
  package var usedBytes: ByteCount

  package init(totalBytes: ByteCount, usedBytes: ByteCount) {
    self.totalBytes = totalBytes
    self.usedBytes = usedBytes
  }

  /// nil where the engine does not report free space.
  package init?(_ space: SpaceUsage) {
    guard let used = space.usedAtLaunch else { return nil }
    self.init(totalBytes: space.file, usedBytes: used)
  }
}
