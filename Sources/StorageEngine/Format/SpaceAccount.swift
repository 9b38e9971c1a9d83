// Where the bytes of the file are: the words in which the engine's running account and the independent walk answer.

/// The bytes of the file by what they are for; `live + free + pinned + pending + overhead == file`.
public struct SpaceAccount: Sendable, Equatable {
  /// The file's length.
  public var file: Int
  /// Tree nodes and values that the newest version reaches, each rounded up to 8 bytes.
  public var live: Int
  /// Reusable by the next commit.
  public var free: Int
  /// Not in the newest version, kept for a registered snapshot.
  public var pinned: Int
  /// Kept only because the last durable version needs it. Zero between commits: every commit is durable, or treated as
  /// durable, when it returns.
  public var pending: Int
  /// Header, commit slots, commit records with the free list, and the unused rest of their blocks.
  public var overhead: Int

  public init(file: Int, live: Int, free: Int, pinned: Int, pending: Int, overhead: Int) {
    self.file = file
    self.live = live
    self.free = free
    self.pinned = pinned
    self.pending = pending
    self.overhead = overhead
  }

  /// Counts the entries of an encrypted file's units, which lie outside of the logical length that blocks know.
  mutating func addEncryptionOverhead(_ bytes: Int) {
    file += bytes
    overhead += bytes
  }

  /// `usedBytes` of a launch callback: pinned and pending space counts as free, as Realm Core does there.
  public var usedAtLaunch: Int { file - free - pinned - pending }
  /// The used bytes of the automatic trigger: pinned and pending space counts as used.
  public var usedForAutomatic: Int { file - free }
}

/// What the independent walk found.
public struct SpaceAudit: Sendable {
  /// Recomputed from the file's own bytes and the roots of the registered snapshots.
  public var account: SpaceAccount
  /// Every rule that the file breaks, in words with offsets. Empty for a sound file.
  public var violations: [String]
  /// Rows of the newest version, over all tables, counted one by one.
  public var rows: Int
  /// Blocks that the newest version reaches.
  public var liveBlocks: Int
  /// Extents on the free list that the next commit may use.
  public var freeExtents: Int

  public init(
    account: SpaceAccount, violations: [String], rows: Int, liveBlocks: Int, freeExtents: Int
  ) {
    self.account = account
    self.violations = violations
    self.rows = rows
    self.liveBlocks = liveBlocks
    self.freeExtents = freeExtents
  }
}
