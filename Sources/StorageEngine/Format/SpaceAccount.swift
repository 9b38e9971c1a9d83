// The space account of a file, in which both the running account of the engine and the independent walk report.

/// The bytes of the file by their use; `live + free + pinned + pending + overhead == file`.
public struct SpaceAccount: Sendable, Equatable {
  /// The length of the file.
  public var file: Int
  /// Tree nodes and values that are reachable from the newest version, each rounded up to 8 bytes.
  public var live: Int
  /// Reusable by the next commit.
  public var free: Int
  /// Not reachable from the newest version, and pinned by a snapshot or savepoint.
  public var pinned: Int
  /// Needed only by the last durable version. Zero between commits: when a commit returns it is durable, or treated as
  /// durable.
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

  /// Adds the entries of an encrypted file's units, which lie outside of the logical length.
  mutating func addEncryptionOverhead(_ bytes: Int) {
    file += bytes
    overhead += bytes
  }

  /// The `usedBytes` of a launch callback: pinned and pending space counts as free, as in Realm Core.
  public var usedAtLaunch: Int { file - free - pinned - pending }
  /// The used bytes of the trigger of automatic compaction: pinned and pending space counts as used.
  public var usedForAutomatic: Int { file - free }
}

/// The result of the independent walk.
public struct SpaceAudit: Sendable {
  /// The account, recomputed from the file and the roots of the registered snapshots.
  public var account: SpaceAccount
  /// Every violated invariant, with offsets. Empty for a sound file.
  public var violations: [String]
  /// The number of rows of the newest version in all tables, counted one by one.
  public var rows: Int
  /// The number of blocks reachable from the newest version.
  public var liveBlocks: Int
  /// The number of extents that the next commit may use.
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
