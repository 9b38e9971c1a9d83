// The options of a database. Every threshold of the engine is here with its default and its reason.
public import SystemIO

/// The options with which a database is opened.
public struct DatabaseOptions: Sendable {
  /// When a commit is durable.
  public enum Durability: Sendable {
    /// A commit is on disk when `commit` returns.
    case full
    /// Nothing is synced: a power loss may destroy the file. The bytes are laid out exactly as under `full`, and a
    /// process that is killed loses no commit, because the commit slot is written after what it names.
    case none
  }

  /// When a freed block may be reused. A block is *born* in the version of the commit that wrote it and *dies* in the
  /// version of the commit that freed it. (ZFS compares birth times of blocks with snapshots in the same way.)
  public enum Reclamation: Sendable {
    /// As soon as no pinned version s has birth ≤ s < death.
    case exact
    /// When the oldest pinned version is at least the death: also retains versions in between that no snapshot sees.
    case oldestReader
  }

  /// What of the free list a commit writes. Files of either kind are read in the same way.
  public enum FreeListRecords: Sendable {
    /// The difference from the previous commit's, and from time to time the whole list, in pieces of at most 2 KiB.
    case differences
    /// The whole list with each commit, its pieces side by side in one extent, as Realm Core writes its list
    /// (`GroupWriter::write_group`). Under a pin, what a commit freed is used from the next commit but one on
    /// (`GroupWriter::backdate`).
    case whole
  }

  /// What becomes of the snapshots of a process that died.
  public enum DeadReaders: Sendable {
    /// The next commit releases them: the kernel has released the process's lock.
    case released
    /// They pin their versions until all have closed the database, or another opening takes the dead one's entry. So does
    /// Realm Core, whose lock file counts readers (`db.cpp`).
    case held
  }

  /// What is verified when a file is opened, besides the commit slots, the commit record and the free list.
  public enum Verification: Sendable {
    /// The blocks that the newest commit wrote: what a power loss may have torn.
    case newestCommit
    /// Every reachable block against its checksum. Reads the whole file.
    case everything
  }

  /// Which other openings of the file are allowed.
  public enum Sharing: Sendable {
    /// Any number of openings, in this and in other processes, with one writer at a time. They coordinate through a
    /// lock file beside the database, which the last one to close removes.
    case processes
    /// Only this opening: any other fails with `busy`. Needs no lock file, and so works on network file systems and
    /// where byte locks are not supported.
    case exclusive
  }

  /// When a commit is durable. The default is `full`.
  public var durability: Durability
  /// When freed blocks may be reused. The default is `exact`.
  public var reclamation: Reclamation
  /// How free space is chosen for blocks. The default is `clustered`.
  public var allocation: Allocation
  /// What a commit writes of the free list. Only the preset `realmCompatible` writes the whole list.
  public var freeListRecords = FreeListRecords.differences
  /// What becomes of the snapshots of dead processes. Only the preset `realmCompatible` holds them.
  public var deadReaders = DeadReaders.released
  /// What opening verifies. The default is `newestCommit`.
  public var verification: Verification
  /// The thresholds of automatic compaction; nil disables it.
  public var automaticCompaction: AutomaticCompaction?
  /// Whether automatic compaction also continues while no transaction is open, in a background thread. nil, the
  /// default, compacts in commits only, since a thread and work at idle times should be requested explicitly.
  public var idleCompaction: IdleCompaction?
  /// The file doubles its length until it has this many bytes, and grows by this many bytes from then on.
  public var growthStep: Int
  /// Values of at most this many bytes are stored in the leaves, longer ones in blocks of their own. At most 512. In an
  /// encrypted file it is 1,008, whatever is set: see `EncryptedLayout.inlineValueLimit`.
  public var inlineValueLimit: Int
  /// Commits that write more bytes than this sync twice, so that the next opening need not verify them; 0 makes all
  /// commits do so.
  public var verifiedCommitLimit: Int
  /// Whether closing truncates the free bytes at the file's end.
  public var trimsOnClose: Bool
  /// The maximum number of versions that may be readable at the same time: the pinned ones and the newest. A commit
  /// that would exceed it fails with `tooManyVersions` before it writes anything. nil for no limit.
  public var maximumNumberOfActiveVersions: Int?
  /// Whether the database is opened read-only: nothing is written, neither to the file nor beside it, so the file and
  /// its folder need not be writable. Operations that write fail with `readOnly`. A torn commit is ignored and not
  /// repaired.
  public var readOnly = false
  /// A database that is copied to the path if no file exists there; ignored otherwise.
  public var seedFile: FilePath?
  /// The maximum length of the file on disk, in bytes; nil for the maximum of the format. A commit that needs more
  /// fails with `limitExceeded` and is rolled back.
  public var maximumFileSize: Int?
  /// The maximum number of bytes of address space to reserve for the file, for systems that limit it (iOS). Opening a
  /// larger file, or a commit that would make it larger, fails with `limitExceeded`. nil reserves what the system
  /// grants, at most 64 GiB or twice the file.
  public var maximumMappedBytes: Int?
  /// Set only by tests, to prove that they detect such mistakes.
  var seededFaults: (any SeededFaults)?
  /// Copies of more bytes than this bypass the page cache and are written in the background.
  var longCopyThreshold = 64 << 20
  /// So are the blocks of durable commits of more bytes than this.
  var longCommitThreshold = 64 << 20
  /// Whether it takes over the state of the session of its process that wrote last. Cleared only by tests, in which the
  /// sessions of one process stand for processes.
  var takesOverState = true
  /// The key with which the file is encrypted, or with which a new file will be; nil for a plain file. An encrypted
  /// file is allocated with `Allocation.wholeUnits`, whatever `allocation` is set to; one of an earlier release with
  /// `wholePages`.
  public var encryptionKey: EncryptionKey?
  /// Set only by tests, to write files as earlier releases did.
  var newFileLayout = EncryptedLayout.adjacentEntries
  /// The maximum number of decrypted bytes of an encrypted file to keep in memory, besides those in use
  /// (Docs/Modes.md). At least 256 KiB.
  public var maximumDecryptedBytes = 64 << 20
  /// Which other openings are allowed. A file opened without a path is never shared, nor is an encrypted one.
  public var sharing: Sharing

  public init(
    durability: Durability = .full, reclamation: Reclamation = .exact,
    allocation: Allocation = .clustered, verification: Verification = .newestCommit,
    automaticCompaction: AutomaticCompaction? = .eager,
    growthStep: Int = 1 << 20, inlineValueLimit: Int = 512, verifiedCommitLimit: Int = 4 << 20,
    trimsOnClose: Bool = true, sharing: Sharing = .processes
  ) {
    self.durability = durability
    self.reclamation = reclamation
    self.allocation = allocation
    self.verification = verification
    self.automaticCompaction = automaticCompaction
    self.growthStep = growthStep
    self.inlineValueLimit = inlineValueLimit
    self.verifiedCommitLimit = verifiedCommitLimit
    self.trimsOnClose = trimsOnClose
    self.sharing = sharing
  }
}

extension DatabaseOptions {
  /// The inline value limit for a file with this allocation.
  var usedInlineValueLimit: Int {
    allocation.isolatesCommits
      ? EncryptedLayout.inlineValueLimit : min(max(0, inlineValueLimit), 512)
  }
}
