// Where automatic compaction stands and what decides that: values for programs, from which the words for people are
// made.

/// What automatic compaction is doing after the newest commit.
public struct AutomaticState: Sendable, Equatable {
  public enum Stage: String, Sendable, CaseIterable {
    /// Nothing to do, or not allowed to begin.
    case idle
    /// Each commit moves blocks below the limit.
    case evacuating
    /// All is moved, or no one may move now; the file is cut as soon as nobody sees what lies above the limit.
    case waiting
    /// It gave up and lets commits pass before it looks again.
    case blocked
  }

  public var stage: Stage
  /// The commit since which it is so; 0 since the file was made.
  public var since: UInt64
  /// What decides: why it is idle, what it waits for, why it gave up.
  public var condition: AutomaticCondition
  /// While evacuating and waiting: the length to which the file shall be cut.
  public var limit: Int?
  /// While blocked: the version that looks again. While waiting: the one that walks through the tables again.
  public var until: UInt64?
  /// Bytes moved since this compaction began.
  public var moved: Int
}

/// The snapshot that stands in the way: the oldest of them.
public struct AutomaticPin: Sendable, Equatable {
  public var version: UInt64
  /// What `beginSnapshot` was given; empty where it has no name.
  public var label: String
  /// The bytes in the way that it and younger snapshots keep.
  public var bytes: Int
}

/// Why automatic compaction stands where it does, or did what it did.
public enum AutomaticCondition: Sendable, Equatable {
  // Idle.
  case switchedOff
  case fileTooSmall(file: Int, minimum: Int)
  case tooLittleFree(free: Int, used: Int, factor: Double)
  /// It would begin if these bytes, which count as used, were free.
  case pinned(AutomaticPin, free: Int, used: Int, factor: Double)
  /// The next commit begins.
  case due(free: Int, used: Int, factor: Double, limit: Int)
  // Idle, evacuating and waiting, where it works while nobody reads only.
  case blockedByReaders(AutomaticPin, snapshots: Int)
  // Evacuating.
  case moving(limit: Int)
  // Waiting.
  /// What the newest commit freed is free for the next one.
  case awaitingNextCommit(limit: Int)
  case blockedBySnapshot(AutomaticPin, limit: Int)
  // Blocked.
  case noSpaceBelowLimit(limit: Int, until: UInt64)
  case commitFailed(until: UInt64)
  // What a step did.
  /// There was no room for a block below the limit `from`.
  case limitRaised(from: Int, to: Int)
  /// The file ends at `length` now; on disk it is still longer by `left` bytes.
  case truncated(length: Int, left: Int)
  /// A session that follows another goes on with what that one began.
  case inherited(limit: Int)
}

extension AutomaticCondition {
  /// In words, with the values that decide; `bytes` says how byte counts are written.
  public func explanation(_ bytes: (Int) -> String = { "\($0) bytes" }) -> String {
    switch self {
    case .switchedOff: return "it is switched off"
    case .fileTooSmall(let file, let minimum):
      return "the file has \(bytes(file)), fewer than the \(bytes(minimum)) from which on it is "
        + "compacted"
    case .tooLittleFree(let free, let used, let factor):
      return "\(bytes(free)) free, no more than \(factor) times the \(bytes(used)) used"
    case .pinned(let pin, let free, let used, let factor):
      return "\(bytes(free)) free, no more than \(factor) times the \(bytes(used)) used; "
        + "\(bytes(pin.bytes)) of these are kept by snapshots alone, the oldest of them "
        + "\(pin.explanation)"
    case .due(let free, let used, let factor, let limit):
      return "\(bytes(free)) free, more than \(factor) times the \(bytes(used)) used; the limit is "
        + bytes(limit)
    case .blockedByReaders(let pin, let snapshots):
      return "\(snapshots) snapshots are open, the oldest of them \(pin.explanation)"
    case .moving(let limit): return "blocks above \(bytes(limit)) are moved below"
    case .awaitingNextCommit(let limit):
      return "what was moved away from above \(bytes(limit)) is free with the next commit"
    case .blockedBySnapshot(let pin, let limit):
      return "\(bytes(pin.bytes)) above the limit of \(bytes(limit)) are kept by snapshots, the "
        + "oldest of them \(pin.explanation)"
    case .noSpaceBelowLimit(let limit, let until):
      return "no room for a block below the limit of \(bytes(limit)); the next try is in version "
        + "\(until)"
    case .commitFailed(let until):
      return "a commit failed, and what it had moved with it; the next try is in version \(until)"
    case .limitRaised(let from, let to):
      return "no room for a block below the limit of \(bytes(from)); it is \(bytes(to)) now"
    case .truncated(let length, let left):
      let rest = left > 0 ? "; \(bytes(left)) behind it stay on disk until the next opening" : ""
      return "everything from \(bytes(length)) on is free and was cut off\(rest)"
    case .inherited(let limit):
      return "an earlier session began it; the limit is \(bytes(limit))"
    }
  }
}

extension AutomaticPin {
  var explanation: String {
    label.isEmpty ? "of version \(version)" : "\"\(label)\" of version \(version)"
  }
}
