// The errors of the database. There is a code where a caller reacts to it differently; the message has the rest: what
// was checked, where in the file, and what can be done.
public import SystemIO

/// A database operation that failed.
public struct StorageError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable {
    /// The file is a database of a format version newer than this library.
    case newerFormat
    /// The file is a database, and a check of its contents failed.
    case corrupt
    /// The file is not a database, or one of a format version that this library no longer reads.
    case notADatabase
    /// The file is shorter than its newest durable commit requires.
    case truncated
    /// The disk, the quota or the process's limit on file size is exhausted.
    case outOfSpace
    /// The file or its folder may not be read or written.
    case permissionDenied
    /// The file is open elsewhere in a way that excludes this opening.
    case busy
    /// Open snapshots prevent the operation.
    case snapshotsHeld
    /// The commit would exceed `DatabaseOptions.maximumNumberOfActiveVersions`.
    case tooManyVersions
    /// The file, or the savepoint of this name, exists already.
    case alreadyExists
    /// There is no savepoint of that name.
    case notFound
    /// A write or sync failed earlier: what is on disk is unknown until the database is opened again.
    case poisoned
    /// The file or its lock file was removed, renamed or replaced while it was open: nothing is written until all
    /// sessions have closed it and it is opened again.
    case displaced
    /// The caller canceled the operation.
    case cancelled
    /// The database, the snapshot or the transaction has ended.
    case closed
    /// A key, value or table exceeds the limits of the format or is of the wrong kind.
    case unsupported
    /// The database was opened read-only.
    case readOnly
    /// A limit of the options or of the process's address space would be exceeded; nothing was changed.
    case limitExceeded
    /// The file is encrypted, and no key was given.
    case keyMissing
    /// The file is encrypted with another key.
    case keyWrong
    /// The key does not have the required length.
    case keyLength
    /// A key was given, and the file is not encrypted.
    case notEncrypted
    /// Any other error of the operating system.
    case failed
  }

  public let code: Code
  /// What went wrong and what can be done, with the message of the operating system if it refused a call.
  public let message: String
  /// The error of the operating system, if a call failed.
  public let cause: SystemError?

  public init(_ code: Code, _ message: String, cause: SystemError? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}

extension StorageError {
  static var databaseClosed: StorageError {
    StorageError(.closed, "The database is closed; open it again.")
  }

  static var openedReadOnly: StorageError {
    StorageError(
      .readOnly, "The database was opened read-only; open it for writing to change it.")
  }

  static var poisonedElsewhere: StorageError {
    StorageError(
      .poisoned,
      "A write of another process failed, so what is on disk is unknown. Close the database in all "
        + "processes and open it again to continue from its last durable commit.")
  }

  /// The error of every commit after a write or sync that failed.
  static func poisoned(by failure: StorageError) -> StorageError {
    StorageError(
      .poisoned,
      "An earlier write failed, so what is on disk is unknown. Open the database again to continue "
        + "from its last durable commit. The failure: \(failure.message)",
      cause: failure.cause)
  }

  /// Translates an error of the operating system.
  init(system error: SystemError, _ what: String) {
    let code: Code =
      if error.isOutOfSpace {
        .outOfSpace
      } else if error.isPermissionDenied {
        .permissionDenied
      } else if error.isLocked {
        .busy
      } else if error.isAlreadyThere {
        .alreadyExists
      } else {
        .failed
      }
    let cure =
      error.isOutOfSpace
      ? "; free disk space, or raise the limit on file size (ulimit -f)" : ""
    self.init(code, "\(what): \(error)\(cure)", cause: error)
  }
}
