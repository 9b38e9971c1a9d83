// What a commit is asked for, and what it reports.

/// What compaction requests of a commit.
struct CommitRequest {
  /// The state of automatic compaction to record, unless the commit itself ends the compaction.
  var evacuation = EvacuationState()
  /// Truncate the file to this length if everything from there on is free.
  var truncateTo: Int?
  /// Truncate it at a higher offset if that removes at least this many bytes.
  var minPartialTruncation: Int?
  /// Whether the file is shortened on disk, too.
  var truncates = true
  /// The maximum number of bytes by which to shorten it; later commits remove the rest.
  var maxTruncationBytes = Int.max
  /// For how many commits compaction pauses when a block does not fit below the limit.
  var backOffCommits = 0
  /// Write the free list as a checkpoint, which moves all records that lie above the limit.
  var forcesCheckpoint = false
}

/// The result of a commit.
struct CommitReport {
  var version: UInt64
  /// The bytes of the blocks that were written, without the record.
  var blockBytes: Int
  var recordBytes: Int
  var sizeBefore: Int
  var sizeAfter: Int
  /// The truncated bytes that stay on disk until the next opening.
  var left = 0
  var evacuation = EvacuationState()
}

/// A commit whose blocks and record are placed, and not written yet.
struct PlacedCommit: ~Copyable {
  var record: CommitRecord
  var slot: CommitSlot
  var blockBytes: Int
}
