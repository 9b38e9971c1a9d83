// The state of automatic compaction and the reason for it, as values from which messages are made.

/// What automatic compaction is doing after the newest commit.
public struct AutomaticState: Sendable, Equatable {
  /// The stages of automatic compaction.
  public enum Stage: String, Sendable, CaseIterable {
    /// There is nothing to do, or it may not begin.
    case idle
    /// Each commit moves blocks below the limit.
    case evacuating
    /// All blocks are moved, or none may be moved now. The file is truncated when no snapshot uses blocks above the
    /// limit.
    case waiting
    /// It gave up, and lets some commits pass before it tries again.
    case blocked
  }

  public var stage: Stage
  /// The version of the commit that entered this stage; 0 if the file has always been in it.
  public var since: UInt64
  /// Why it is idle, what it waits for, or why it gave up.
  public var condition: AutomaticCondition
  /// While evacuating or waiting: the length to which the file is to be truncated.
  public var limit: Int?
  /// While blocked: the version that tries again. While waiting: the version that scans the tables again.
  public var until: UInt64?
  /// Bytes copied since this compaction began.
  public var moved: Int
}

/// The oldest snapshot that delays compaction.
public struct AutomaticPin: Sendable, Equatable {
  /// The version that the snapshot pins.
  public var version: UInt64
  /// The label that `beginSnapshot` was given; empty if none.
  public var label: String
  /// The bytes in the way that this snapshot and younger ones pin.
  public var bytes: Int
}

/// Why automatic compaction is in its stage, or did what it did.
public enum AutomaticCondition: Sendable, Equatable {
  // Idle.
  case switchedOff
  case fileTooSmall(file: Int, minimum: Int)
  case tooLittleFree(free: Int, used: Int, factor: Double)
  /// It would begin if the pinned bytes, which count as used, were free.
  case pinned(AutomaticPin, free: Int, used: Int, factor: Double)
  /// The next commit begins.
  case due(free: Int, used: Int, factor: Double, limit: Int)
  // In any stage, with `Access.whenUnread`.
  case blockedByReaders(AutomaticPin, snapshots: Int)
  // Evacuating.
  case moving(limit: Int)
  // Waiting.
  /// What the newest commit freed is reusable by the next one.
  case awaitingNextCommit(limit: Int)
  case blockedBySnapshot(AutomaticPin, limit: Int)
  // Blocked.
  case noSpaceBelowLimit(limit: Int, until: UInt64)
  case commitFailed(until: UInt64)
  // What a step did.
  /// A block did not fit below the limit `from`.
  case limitRaised(from: Int, to: Int)
  /// The file's logical length is `length`; on disk it is still longer by `left` bytes.
  case truncated(length: Int, left: Int)
  /// This session continues what an earlier one began.
  case inherited(limit: Int)
}

extension AutomaticCondition {
  /// Describes the condition with the values that led to it. `bytes` formats byte counts.
  public func explanation(_ bytes: (Int) -> String = { "\($0) bytes" }) -> String {
    switch self {
    case .switchedOff: return "it is disabled"
    case .fileTooSmall(let file, let minimum):
      return "the file has \(bytes(file)), less than the minimum of \(bytes(minimum)) for "
        + "compaction"
    case .tooLittleFree(let free, let used, let factor):
      return "\(bytes(free)) free, no more than \(factor) times the \(bytes(used)) used"
    case .pinned(let pin, let free, let used, let factor):
      return "\(bytes(free)) free, no more than \(factor) times the \(bytes(used)) used; "
        + "\(bytes(pin.bytes)) of these are pinned by snapshots only, the oldest of them "
        + "\(pin.explanation)"
    case .due(let free, let used, let factor, let limit):
      return "\(bytes(free)) free, more than \(factor) times the \(bytes(used)) used; the limit is "
        + bytes(limit)
    case .blockedByReaders(let pin, let snapshots):
      return "\(snapshots) snapshots are open, the oldest of them \(pin.explanation)"
    case .moving(let limit):
      return "blocks above the limit of \(bytes(limit)) are being moved below it"
    case .awaitingNextCommit(let limit):
      return "the space above the limit of \(bytes(limit)) is free with the next commit"
    case .blockedBySnapshot(let pin, let limit):
      return "\(bytes(pin.bytes)) above the limit of \(bytes(limit)) are pinned by snapshots, the "
        + "oldest of them \(pin.explanation)"
    case .noSpaceBelowLimit(let limit, let until):
      return "a block did not fit below the limit of \(bytes(limit)); the next try is in version "
        + "\(until)"
    case .commitFailed(let until):
      return "a commit that moved blocks failed; the next try is in version \(until)"
    case .limitRaised(let from, let to):
      return "a block did not fit below the limit of \(bytes(from)); it is \(bytes(to)) now"
    case .truncated(let length, let left):
      let rest = left > 0 ? "; \(bytes(left)) of it stay on disk until the next opening" : ""
      return "the file was truncated to \(bytes(length))\(rest)"
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
