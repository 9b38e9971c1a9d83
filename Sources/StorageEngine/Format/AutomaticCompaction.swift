// The thresholds of automatic compaction and its three presets: what Realm documents, what Realm Core does, and the
// default of this engine. Docs/Compaction.md compares them.

/// How automatic compaction behaves. *Used bytes* are the file's length minus the free bytes: pinned and pending space
/// counts as used, because it cannot be moved.
public struct AutomaticCompaction: Sendable, Equatable {
  /// When blocks may be moved and the file may be truncated.
  public enum Access: String, Sendable {
    /// In every commit; open snapshots are not affected.
    case always
    /// Only in commits during which no snapshot is open, in this or any other process.
    case whenUnread
  }

  /// When the operating system gets back the space behind the new end of the file.
  public enum Truncation: String, Sendable {
    /// At once, at most `maxTruncationBytes` with each commit: both commit slots then name versions that end before the
    /// truncated part, so no reader can reach it.
    case immediate
    /// When the file is next opened by the only session that has it open. Until then the file keeps its length on disk,
    /// and growth reuses the tail. (Realm Core: `SlabAlloc::align_filesize_for_mmap`, called for the session
    /// initiator.)
    case onOpen
  }

  /// Files shorter than this many bytes are not compacted.
  public var minimumFile: Int
  /// Compaction begins when the free bytes exceed the used bytes by this factor.
  public var freeToUsedTrigger: Double
  /// The target length of the file: the used bytes times this factor, rounded up to 4 KiB.
  public var limitFactor: Double
  /// The smallest target length, in bytes.
  public var minimumLimit: Int
  /// How much the target length is raised when a block does not fit below it, as a share of the target (at least the
  /// size of the block), as long as the file still becomes shorter. Snapshots that come and go then reduce what is
  /// gained, instead of preventing it. nil gives up instead.
  public var limitStep: Double?
  /// A commit moves at most this share of the bytes that it wrote, plus the size of the free list and `baseBudget`.
  public var commitShare: Double
  /// Bytes that even an empty commit may move, so that compaction always terminates.
  public var baseBudget: Int
  /// Number of commits to wait after giving up.
  public var backOffCommits: Int
  /// Number of commits after which a waiting compaction scans the tables again.
  public var waitingCommits: Int
  /// When blocks may be moved and the file may be truncated.
  public var access: Access
  /// When the file is shortened on disk.
  public var truncation: Truncation
  /// While compaction waits for a snapshot, the unreferenced end of the file is truncated as soon as it has this many
  /// bytes; nil truncates only at the target length.
  public var minPartialTruncation: Int?
  /// The maximum number of bytes by which one commit shortens the file on disk. The rest follows with later commits, in
  /// a step of idle compaction, or at closing. Truncating is expensive because the kernel drops the cached pages: a
  /// commit that truncated a large tail at once would take tens of times as long as its neighbors (Docs/Compaction.md).
  public var maxTruncationBytes: Int

  public init(
    minimumFile: Int = 1 << 20, freeToUsedTrigger: Double = 2.0, limitFactor: Double = 1.5,
    minimumLimit: Int = 64 << 10, limitStep: Double? = 0.125, commitShare: Double = 0.5,
    baseBudget: Int = 4 << 10, backOffCommits: Int = 10, waitingCommits: Int = 1000,
    access: Access = .always, truncation: Truncation = .immediate,
    minPartialTruncation: Int? = 1 << 20,
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
  /// As Realm documents it: "only takes place when the file is not being accessed".
  public static let documented = AutomaticCompaction(access: .whenUnread, minPartialTruncation: nil)
  /// As Realm Core does it: in every commit, abandoned when a block does not fit, and the file is shortened on disk at
  /// the next opening.
  public static let realmCompatible = AutomaticCompaction(
    limitStep: nil, truncation: .onOpen, minPartialTruncation: nil)
  /// In every commit, and the file is shortened on disk as soon as no reader can reach its end. The default. The other
  /// two presets are equally safe and hold disk space for longer.
  public static let eager = AutomaticCompaction()
}

extension DatabaseOptions {
  /// Manages space as Realm Core does: its automatic compaction, its allocation strategy, its free list, which each
  /// commit writes whole and in one piece, and values of more than 64 bytes each in a block of its own (array_binary.hpp).
  /// What a process that died has pinned stays pinned.
  /// With many small extents the list is long, it is new in each commit, and it fits only where nothing else is: under a
  /// pin the file becomes up to twice as long as with the defaults.
  public static var realmCompatible: DatabaseOptions {
    var options = DatabaseOptions()
    options.takeRealmCompatible()
    return options
  }

  /// Sets what `realmCompatible` sets, and nothing else.
  public mutating func takeRealmCompatible() {
    allocation = .exactOrTwice
    automaticCompaction = .realmCompatible
    freeListRecords = .whole
    inlineValueLimit = 64
    deadReaders = .held
  }
}
