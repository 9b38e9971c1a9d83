// How a database is to behave. Every threshold of the engine is here with its default and the reason for it.
public import SystemIO

/// The options of one open database.
public struct DatabaseOptions: Sendable {
  public enum Durability: Sendable {
    /// A commit is on disk when `commit` returns.
    case full
    /// Nothing is synced: a power loss may lose the file. The bytes are laid out exactly as under `full`, and a
    /// process that dies alone loses no commit, because the commit slot is written after what it names.
    case none
  }

  /// When a block that a commit freed may be used again. A block is born in version b and freed in version d.
  public enum Reclamation: Sendable {
    /// As soon as no registered snapshot s has b ≤ s < d.
    case exact
    /// When the oldest registered snapshot is d or newer: intermediate versions that nobody sees are kept.
    case oldestReader
  }

  /// What is checked when a file is opened, besides the commit slots, the commit record and the free list.
  public enum Verification: Sendable {
    /// The contents that the newest commit wrote: what a power loss can have torn.
    case newestCommit
    /// Every reachable block against its checksum. Reads the whole file.
    case everything
  }

  /// Who may have the file open at the same time.
  public enum Sharing: Sendable {
    /// Any number of openings, in this and in other processes, of which one writes at a time. A lock file beside the
    /// database coordinates them; it goes with the last of them.
    case processes
    /// This opening alone: every other one is refused with `busy`. Needs no lock file, and so works on file systems
    /// of other machines and where locks are missing.
    case exclusive
  }

  public var durability: Durability
  public var reclamation: Reclamation
  public var allocation: Allocation
  public var verification: Verification
  /// nil turns automatic compaction off.
  public var automaticCompaction: AutomaticCompaction?
  /// Whether automatic compaction also goes on while nobody writes, in a thread of its own; nil for in commits only: a
  /// thread, and work at a time when a program does nothing, are what a program asks for.
  public var idleCompaction: IdleCompaction?
  /// A file doubles until it has this many bytes, and grows by this many bytes from then on.
  public var growthStep: Int
  /// Values of at most this many bytes lie in the tree's leaves, longer ones in blocks of their own. At most 512.
  public var inlineValueLimit: Int
  /// Commits that write more bytes than this sync twice instead of being verified at the next open; 0 makes all do so.
  public var verifiedCommitLimit: Int
  /// Closing cuts the free bytes at the file's end.
  public var trimsOnClose: Bool
  /// A commit after which more versions than this could be read is refused with `tooManyVersions`, before it writes
  /// anything: those that are held, and its own. nil for no limit.
  public var maximumNumberOfActiveVersions: Int?
  /// Nothing is written, neither into the file nor beside it: the file and its folder need not be writable. What would
  /// write is refused with `readOnly`. A commit that a power loss tore is passed over and not repaired.
  public var readOnly = false
  /// A database to begin with: copied to the path where there is none yet, and not looked at where there is one.
  public var seedFile: FilePath?
  /// The most bytes that the file may grow to; nil for what the format can hold. A commit that needs more is undone
  /// with `limitExceeded`.
  public var maximumFileSize: Int?
  /// The most bytes of address space that the file may take, as where a system gives a process few (iOS). A file that
  /// is larger is refused at opening with `limitExceeded`, a commit that would make it so is undone with the same. nil
  /// for what the system gives, at most 64 GiB or twice the file.
  public var maximumMappedBytes: Int?
  /// nil always, except in the tests that show that they would find such a mistake.
  var seededFault: SeededFault?
  /// Copies of more bytes are written past the system's cache, while the next part is gathered.
  var longCopyThreshold = 64 << 20
  /// So are the blocks of durable commits of more bytes.
  var longCommitThreshold = 64 << 20
  /// The file is encrypted with this key, or a new one will be; nil for a plain file. Blocks are then placed by
  /// `Allocation.wholePages`, whatever `allocation` says.
  public var encryptionKey: EncryptionKey?
  /// Of an encrypted file at most so many bytes lie decrypted in memory, besides what is being looked at (Docs/Modes.md).
  /// At least 256 KiB.
  public var maximumDecryptedBytes = 64 << 20
  /// A file that is opened without a path is never shared, nor is an encrypted one.
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
