// What compaction says about itself: to the caller that asked for it, and as events where nobody asked.

/// What a launch predicate is given.
public struct LaunchUsage: Sendable, Equatable {
  /// The file's length.
  public var totalBytes: Int
  /// `SpaceAccount.usedAtLaunch`.
  public var usedBytes: Int
  public var account: SpaceAccount
}

/// What came of the launch predicate.
public enum LaunchCompaction: Sendable, Equatable {
  /// No predicate was given.
  case notAsked
  /// There was no reason to ask: the file is new.
  case notCalled(reason: String)
  case declined(LaunchUsage)
  /// `rewritten` is how many bytes the compacted file took to write.
  case compacted(before: LaunchUsage, after: LaunchUsage, rewritten: Int)
  /// The predicate said yes, and compaction could not be done; the file is as it was.
  case skipped(LaunchUsage, reason: String)
}

/// What came of `Database.compact()`.
public enum CompactionOutcome: Sendable, Equatable {
  case compacted(before: SpaceAccount, after: SpaceAccount, rewritten: Int)
  /// The file is as it was.
  case skipped(reason: String)
}

/// One step of automatic compaction.
public struct CompactionStep: Sendable, Equatable {
  public enum Kind: String, Sendable { case started, finished, abandoned }

  public var kind: Kind
  /// The commit in which it happened.
  public var version: UInt64
  /// In words, with the values that decided.
  public var reason: String
  /// The file's length before and after the step.
  public var before: Int
  public var after: Int
  /// Bytes moved since this compaction started.
  public var rewritten: Int
}
