// The reasons for which a compaction is skipped, as values that a program can act on.

public import SystemIO

/// Why the file was not compacted; it is unchanged.
public enum CompactionSkip: Sendable, Equatable {
  /// This opening has just created the database.
  case newDatabase
  /// The predicate returned false.
  case predicateFalse(totalBytes: Int, usedBytes: Int)
  /// Another session has the file open; `pid` is its process, nil if the system does not report it.
  case openElsewhere(pid: Int32?)
  /// A snapshot is open. The label of the one with the oldest version, that version, when the snapshot began
  /// (nanoseconds since 1970), and the bytes that it retains.
  case snapshotHeld(by: String, version: UInt64, since: UInt64, bytesRetained: Int)
  /// The file has a savepoint, which a copy of one version would lose. The name of the oldest one, its version, when it
  /// was made (nanoseconds since 1970), and the bytes that it retains.
  case savepointHeld(name: String, version: UInt64, since: UInt64, bytesRetained: Int)
  /// A write transaction is open in this process.
  case writeTransactionOpen
  /// The database is in memory.
  case inMemory
  /// The database was opened for reading only.
  case readOnly
  /// The file was opened without a path, so a copy could not replace it.
  case noPath
  /// There is not enough disk space for the copy. `needed` is its size in bytes, as far as it was computed beforehand;
  /// `available` is nil if the system does not report it, or if the disk became full during the copy.
  case diskTooSmall(needed: Int, available: Int?)
  /// The process may not create files in the folder. The error of the system.
  case folderNotWritable(SystemError)
  /// The process may not give the copy the file's owner, group, mode, attributes and access list, so the copy would be
  /// accessible to other users than the file, or no longer to its own. The error of the system.
  case accessNotKept(SystemError)
  /// The observer canceled it.
  case cancelled
}

extension CompactionSkip: CustomStringConvertible {
  /// The reason as text, with the values that led to it and what can be done.
  public var description: String {
    switch self {
    case .newDatabase: "the database is new"
    case .predicateFalse(let total, let used):
      "the predicate returned false for \(total) bytes in all, \(used) of them used"
    case .openElsewhere(let pid):
      "the file is open elsewhere\(pid.map { ", in process \($0)" } ?? "")"
    // Without the time, since messages of a run must repeat.
    case .snapshotHeld(let label, let version, _, let bytes):
      "the snapshot \"\(label)\" is open on version \(version) and retains \(bytes) bytes"
    case .savepointHeld(let name, let version, _, let bytes):
      "the savepoint \"\(name)\" pins version \(version) and retains \(bytes) bytes; a copy would lose "
        + "it, so drop it first"
    case .writeTransactionOpen: "a write transaction is open"
    case .inMemory: "the database is in memory"
    case .readOnly: "the database was opened for reading only"
    case .noPath: "the file was given without a path"
    case .diskTooSmall(let needed, let available?):
      "the copy needs \(needed) bytes and \(available) are available on the disk"
    case .diskTooSmall(let needed, nil):
      "the disk became full while the copy of about \(needed) bytes was written"
    case .folderNotWritable(let refusal):
      "the copy cannot be made beside the file (\(refusal)); allow this user to write the folder"
    case .accessNotKept(let refusal):
      "the copy cannot have the file's owner and access rights (\(refusal)); compact it as the file's "
        + "owner, in the file's group, or as root"
    case .cancelled: "it was cancelled"
    }
  }
}
