// The reports of compaction: results for its caller, and steps of automatic compaction as events.

/// The argument of a launch predicate.
public struct LaunchUsage: Sendable, Equatable {
  /// The length of the file in bytes.
  public var totalBytes: Int
  /// `SpaceAccount.usedAtLaunch`.
  public var usedBytes: Int
  /// The complete account.
  public var account: SpaceAccount
}

extension LaunchUsage {
  init(_ account: SpaceAccount) {
    totalBytes = account.file
    usedBytes = account.usedAtLaunch
    self.account = account
  }
}

/// The result of the launch predicate.
public enum LaunchCompaction: Sendable, Equatable {
  /// No predicate was given.
  case notAsked
  /// The predicate was not called: the file is new, or cannot be compacted in this mode.
  case notCalled(CompactionSkip)
  case declined(LaunchUsage)
  /// `rewritten` is the number of bytes written for the compacted file.
  case compacted(before: LaunchUsage, after: LaunchUsage, rewritten: Int)
  /// The predicate returned true, but compaction was not possible; the file is unchanged.
  case skipped(LaunchUsage, CompactionSkip)

  /// Why the file was not compacted; nil if it was, or if there is no predicate.
  public var skip: CompactionSkip? {
    switch self {
    case .notAsked, .compacted: nil
    case .notCalled(let skip), .skipped(_, let skip): skip
    case .declined(let usage):
      .predicateFalse(totalBytes: usage.totalBytes, usedBytes: usage.usedBytes)
    }
  }
}

/// The result of `Database.compact()`.
public enum CompactionOutcome: Sendable, Equatable {
  case compacted(before: SpaceAccount, after: SpaceAccount, rewritten: Int)
  /// The file is unchanged.
  case skipped(CompactionSkip)
}

/// The progress of a compaction or copy.
public struct CompactionProgress: Sendable, Equatable {
  /// Live bytes of the old file copied so far, of `bytesTotal`. Equal in the last report.
  public var bytesDone: Int
  /// The live bytes of the old file.
  public var bytesTotal: Int
}

/// The return value of an observer of the progress.
public enum CompactionDirective: Sendable {
  case `continue`
  /// Stop: the copy is removed, and the file stays as it is.
  case cancel
}

/// Receives the progress of a copy: at the beginning, after about every MiB, and at the end. Called on the copying
/// thread, which waits for the return value.
public typealias CompactionObserver = (CompactionProgress) -> CompactionDirective

/// The estimated result of compacting now.
public struct CompactionEstimate: Sendable, Equatable {
  /// Why it would be skipped; nil if it would not.
  public var skip: CompactionSkip?
  /// The account before the compaction.
  public var before: SpaceAccount
  /// The length of the file afterwards, in bytes. Exact: computed by the same walk that writes the copy.
  public var resultBytes: Int
  /// Bytes passed to the operating system: exact for a plain file, approximate for an encrypted one.
  public var bytesToWrite: Int
  /// The disk space that the copy needs while both files exist, in bytes.
  public var diskNeeded: Int
  /// The disk space available, in bytes; nil if the system does not report it.
  public var diskAvailable: Int?
  /// The estimated duration in nanoseconds: the first part of the copy was written, synced and removed, and its time
  /// scaled by the bytes. nil if no such sample could be written.
  public var nanoseconds: UInt64?
}

/// A step of automatic compaction.
public struct CompactionStep: Sendable, Equatable {
  /// The kinds of steps.
  public enum Kind: String, Sendable, CaseIterable {
    /// It begins: blocks are moved from this commit on.
    case started
    /// It would begin if a snapshot did not prevent it.
    case delayed
    /// It has begun and cannot end because of a snapshot, or may not continue while one is open.
    case waiting
    /// It continues after waiting, or in a session that follows the one that began it.
    case resumed
    /// A block did not fit below the limit, which is higher from now on.
    case raised
    /// It waits, and a part of what is above the limit was truncated meanwhile.
    case shortened
    /// The file was truncated at the limit.
    case finished
    /// It gave up, and lets some commits pass before it tries again.
    case abandoned
  }

  public var kind: Kind
  /// The version of the commit in which it happened.
  public var version: UInt64
  /// Why it happened.
  public var condition: AutomaticCondition
  /// The length of the file when this compaction began, and after the step, in bytes.
  public var before: Int
  /// The length of the file after the step, in bytes.
  public var after: Int
  /// Bytes copied by compaction that no earlier step has reported.
  public var rewritten: Int

  /// Why it happened, as text.
  public var reason: String { condition.explanation() }
}
