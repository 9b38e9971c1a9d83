// Why a compaction was not done: a value that a program can act on, with its words in one place.

public import SystemIO

/// What kept the file from being compacted; it is as it was.
public enum CompactionSkip: Sendable, Equatable {
  /// The database was made by this very opening.
  case newDatabase
  /// The predicate said no.
  case predicateFalse(totalBytes: Int, usedBytes: Int)
  /// The file is open elsewhere; `pid` is the process, nil where the system does not tell.
  case openElsewhere(pid: Int32?)
  /// A snapshot is open: the label of the one with the oldest version, that version, when it began (nanoseconds since
  /// 1970), and the bytes of the file that are kept for it.
  case snapshotHeld(by: String, version: UInt64, since: UInt64, bytesRetained: Int)
  /// The file has a savepoint, which a copy would not: a copy is of one version. The oldest one's name, its version, when
  /// it was made (nanoseconds since 1970), and the bytes of the file that are kept for it.
  case savepointHeld(name: String, version: UInt64, since: UInt64, bytesRetained: Int)
  /// A write transaction is open in this process.
  case writeTransactionOpen
  /// There is no file.
  case inMemory
  /// The database was opened for reading only.
  case readOnly
  /// The file was given without a path, so a copy could not take its place.
  case noPath
  /// The disk has not the room for the copy beside the file. `needed` is the copy's size where it was reckoned
  /// beforehand, bytes both; `available` is nil where the disk does not tell, or ran full meanwhile.
  case diskTooSmall(needed: Int, available: Int?)
  /// The process may not make files beside the database. The system's refusal.
  case folderNotWritable(SystemError)
  /// The process may not give the copy the file's owner, group, mode, attributes and access list, so the copy would open
  /// the file to others than today, or close it to its users. The system's refusal.
  case accessNotKept(SystemError)
  /// The caller's answer to the progress was no.
  case cancelled
}

extension CompactionSkip: CustomStringConvertible {
  /// The reason in words, with the values that decided and what can be done.
  public var description: String {
    switch self {
    case .newDatabase: "the database is new"
    case .predicateFalse(let total, let used):
      "the predicate said no to \(total) bytes in all, \(used) of them used"
    case .openElsewhere(let pid):
      "the file is open elsewhere\(pid.map { ", in process \($0)" } ?? "")"
    // Without the time: what is said of a run must be the same each time.
    case .snapshotHeld(let label, let version, _, let bytes):
      "the snapshot \"\(label)\" is open on version \(version), and \(bytes) bytes are kept for it"
    case .savepointHeld(let name, let version, _, let bytes):
      "the savepoint \"\(name)\" keeps version \(version) and \(bytes) bytes for it; a copy would be without "
        + "it, so drop it first"
    case .writeTransactionOpen: "a write transaction is open"
    case .inMemory: "the database is in memory"
    case .readOnly: "the database was opened for reading only"
    case .noPath: "the file was given without a path"
    case .diskTooSmall(let needed, let available?):
      "the copy needs \(needed) bytes and the disk has \(available) left"
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
