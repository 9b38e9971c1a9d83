// What an engine says when it compacts, or does not.

/// One step of a compaction, or the reason why there was none.
package struct CompactionEvent: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable { case automatic, onLaunch, copy }

  package enum Outcome: String, Sendable, Codable {
    /// An automatic compaction began.
    case started
    /// An automatic compaction would begin, but for a pin.
    case delayed
    /// It is at work and cannot end or go on, because of a pin.
    case waiting
    /// It goes on after it waited, or in a launch that follows the one that began it.
    case resumed
    /// It waits, and a part of the file's end was cut off meanwhile.
    case shortened
    /// It ended with the file shortened; a launch compaction ended with the file replaced.
    case finished
    /// It gave up: no room, or a failed commit.
    case abandoned
    /// The policy was asked and said no.
    case declined
    /// The policy said yes, and the engine could not.
    case skipped
  }

  package var kind: Kind
  package var outcome: Outcome
  /// In words, with the values that decided.
  package var reason: String
  package var before: ByteCount
  package var after: ByteCount
  /// Bytes of data that were written again in order to compact; nil where the engine does not tell.
  package var rewritten: ByteCount?

  package init(
    kind: Kind, outcome: Outcome, reason: String, before: ByteCount, after: ByteCount,
    rewritten: ByteCount?
  ) {
    self.kind = kind
    self.outcome = outcome
    self.reason = reason
    self.before = before
    self.after = after
    self.rewritten = rewritten
  }
}
