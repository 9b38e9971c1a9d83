// The thresholds of automatic compaction, and the three presets: what the documents say, what Realm Core does, and what
// this engine would do if nobody had to be like anybody. Docs/Compaction.md compares them.

/// How automatic compaction behaves. Used bytes are here the file's bytes less the free ones: pinned and pending space
/// counts as used, because it cannot be moved out of the way.
public struct AutomaticCompaction: Sendable, Equatable {
  /// When blocks may be moved and the file be cut.
  public enum Access: String, Sendable {
    /// In every commit; snapshots are not disturbed by it.
    case always
    /// In commits during which no snapshot is open, in this process or another.
    case whenUnread
  }

  /// When the disk gets back what lies behind the new end of the file.
  public enum Truncation: String, Sendable {
    /// At once, `maxTruncationBytes` with each commit: no reader can see it, and both commit slots name versions that end before it.
    case immediate
    /// When the file is next opened by someone who is alone with it. Until then the file's length on disk stays, and
    /// growth takes it up again. (Realm Core: SlabAlloc::align_filesize_for_mmap, called for the session's initiator.)
    case onOpen
  }

  /// Files below this many bytes are left alone.
  public var minimumFile: Int
  /// Compaction begins when the free bytes are more than this many times the used ones.
  public var freeToUsedTrigger: Double
  /// The file's size to reach: this many times the used bytes, rounded up to 4 KiB.
  public var limitFactor: Double
  /// The least size to reach, in bytes.
  public var minimumLimit: Int
  /// Where a block finds no room below the size to reach, that is raised by this share of itself (at least by the
  /// block), as long as the file gets shorter at all: snapshots that come and go then cost some of what is won and not
  /// all of it. nil gives up at once.
  public var limitStep: Double?
  /// A commit moves at most this share of the bytes it wrote, plus the size of the free list and `baseBudget`.
  public var commitShare: Double
  /// Bytes that even an empty commit moves, so that compaction always ends.
  public var baseBudget: Int
  /// Commits to wait after giving up.
  public var backOffCommits: Int
  /// Commits after which a compaction that waits looks through the tables again.
  public var waitingCommits: Int
  public var access: Access
  public var truncation: Truncation
  /// While it waits for a snapshot, the end of the file that no one sees is cut off as soon as it has this many bytes;
  /// nil cuts at the limit only.
  public var minPartialTruncation: Int?
  /// At most this many bytes leave the disk with one commit, and the rest with those that follow, in a step of idle
  /// compaction, or with closing. What a cut costs is letting go of the cached pages, and a commit that cut off a large
  /// tail alone would be tens of times as long as its neighbours (Docs/Compaction.md).
  public var maxTruncationBytes: Int

  public init(
    minimumFile: Int = 1 << 20, freeToUsedTrigger: Double = 2.0, limitFactor: Double = 1.5,
    minimumLimit: Int = 64 << 10, limitStep: Double? = 0.125, commitShare: Double = 0.5,
    baseBudget: Int = 4 << 10, backOffCommits: Int = 10, waitingCommits: Int = 1000,
    access: Access = .always, truncation: Truncation = .immediate, minPartialTruncation: Int? = 1 << 20,
    maxTruncationBytes: Int = 1 << 20
  ) {
    self.minimumFile = minimumFile
    self.freeToUsedTrigger = freeToUsedTrigger
    self.limitFactor = limitFactor
    self.minimumLimit = minimumLimit
    self.limitStep = limitStep
    self.commitShare = commitShare
    self.baseBudget = baseBudget
    self.backOffCommits = backOffCommits
    self.waitingCommits = waitingCommits
    self.access = access
    self.truncation = truncation
    self.minPartialTruncation = minPartialTruncation
    self.maxTruncationBytes = maxTruncationBytes
  }
}

extension AutomaticCompaction {
  /// As the documents describe it: "only takes place when the file is not being accessed".
  public static let documented = AutomaticCompaction(access: .whenUnread, minPartialTruncation: nil)
  /// As Realm Core does it: in every commit, given up where there is no room, and the disk gets its space back at the
  /// next opening.
  public static let realmCompatible = AutomaticCompaction(
    limitStep: nil, truncation: .onOpen, minPartialTruncation: nil)
  /// In every commit, and the disk gets its space back as soon as no one can see it. The default: the other two are
  /// safe as well, and keep more of the disk for longer.
  public static let eager = AutomaticCompaction()
}

extension DatabaseOptions {
  /// Realm Core's habits of space: its automatic compaction and its rule for choosing a free place.
  public static var realmCompatible: DatabaseOptions {
    DatabaseOptions(allocation: .exactOrTwice, automaticCompaction: .realmCompatible)
  }
}
