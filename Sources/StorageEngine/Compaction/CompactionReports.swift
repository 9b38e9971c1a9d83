// What compaction says about itself: to the caller that asked for it, and as events where nobody asked.

/// What a launch predicate is given.
public struct LaunchUsage: Sendable, Equatable {
  /// The file's length.
  public var totalBytes: Int
  /// `SpaceAccount.usedAtLaunch`.
  public var usedBytes: Int
  public var account: SpaceAccount
}

extension LaunchUsage {
  init(_ account: SpaceAccount) {
    totalBytes = account.file
    usedBytes = account.usedAtLaunch
    self.account = account
  }
}

/// What came of the launch predicate.
public enum LaunchCompaction: Sendable, Equatable {
  /// No predicate was given.
  case notAsked
  /// There was no reason to ask: the file is new, or cannot be compacted in this mode.
  case notCalled(CompactionSkip)
  case declined(LaunchUsage)
  /// `rewritten` is how many bytes the compacted file took to write.
  case compacted(before: LaunchUsage, after: LaunchUsage, rewritten: Int)
  /// The predicate said yes, and compaction could not be done; the file is as it was.
  case skipped(LaunchUsage, CompactionSkip)

  /// Why the file was not compacted; nil where it was, or nobody asked.
  public var skip: CompactionSkip? {
    switch self {
    case .notAsked, .compacted: nil
    case .notCalled(let skip), .skipped(_, let skip): skip
    case .declined(let usage):
      .predicateFalse(totalBytes: usage.totalBytes, usedBytes: usage.usedBytes)
    }
  }
}

/// What came of `Database.compact()`.
public enum CompactionOutcome: Sendable, Equatable {
  case compacted(before: SpaceAccount, after: SpaceAccount, rewritten: Int)
  /// The file is as it was.
  case skipped(CompactionSkip)
}

/// How far a compaction or a copy is.
public struct CompactionProgress: Sendable, Equatable {
  /// Live bytes of the old file that were copied, of `bytesTotal` that there are. Equal at the last report.
  public var bytesDone: Int
  public var bytesTotal: Int
}

/// What whoever hears of the progress answers.
public enum CompactionDirective: Sendable {
  case `continue`
  /// The copy is removed; the file stays as it is.
  case cancel
}

/// Hears how far the copy is: at the beginning, after every MiB or so, and at the end. Called on the thread that
/// copies, which waits for the answer.
public typealias CompactionObserver = (CompactionProgress) -> CompactionDirective

/// What compacting now would come to.
public struct CompactionEstimate: Sendable, Equatable {
  /// Why it would be skipped; nil where nothing stands in the way.
  public var skip: CompactionSkip?
  public var before: SpaceAccount
  /// The file's length afterwards: exact, by the same walk that writes the copy.
  public var resultBytes: Int
  /// Bytes handed to the operating system: exact for a plain file, nearly so for an encrypted one.
  public var bytesToWrite: Int
  /// The room that the copy takes while both files are there.
  public var diskNeeded: Int
  /// Bytes that the disk has left; nil where it does not tell.
  public var diskAvailable: Int?
  /// An estimate: the first part of the copy was made, synced and removed again, and its time scaled by the bytes. nil
  /// where no such sample could be written.
  public var nanoseconds: UInt64?
}

/// One step of automatic compaction.
public struct CompactionStep: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Idle until now: blocks are moved from this commit on.
    case started
    /// It would begin, but for a snapshot.
    case delayed
    /// It is at work and cannot end, because of a snapshot; or may not go on while one is open.
    case waiting
    /// It goes on after it waited, or in a session that follows the one that began it.
    case resumed
    /// A block found no room below the limit: it is higher from now on.
    case raised
    /// It waits, and a part of what is above the limit was cut off meanwhile.
    case shortened
    /// The file was cut at the limit.
    case finished
    /// It gave up, and waits for some commits before it looks again.
    case abandoned
  }

  public var kind: Kind
  /// The commit in which it happened.
  public var version: UInt64
  /// What decided.
  public var condition: AutomaticCondition
  /// The file's length when this compaction began, and after the step.
  public var before: Int
  public var after: Int
  /// Bytes copied in order to compact that no earlier step has told of.
  public var rewritten: Int

  /// What decided, in words.
  public var reason: String { condition.explanation() }
}
