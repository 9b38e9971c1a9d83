// What the database refused and why. A code exists where a caller reacts to it differently; the message carries the
// rest: what was checked, where in the file, and what can be done.
public import SystemIO

/// A database operation that failed.
public struct StorageError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// The file is ours, of a format version that came after this library.
    case newerFormat
    /// The file is ours and a check of its contents failed.
    case corrupt
    /// The file is not ours, or of a format version that this library no longer reads.
    case notADatabase
    /// The file is shorter than its newest durable commit says.
    case truncated
    /// The disk, the quota or the process's file size limit is exhausted.
    case outOfSpace
    /// The file or its folder may not be read or written.
    case permissionDenied
    /// Another open database has the file.
    case busy
    /// Snapshots are open that exclude the operation.
    case snapshotsHeld
    /// The commit would exceed `DatabaseOptions.maximumNumberOfActiveVersions`.
    case tooManyVersions
    /// A file stands where one was to be created, or there is a savepoint of the name that one was to have.
    case alreadyExists
    /// There is no savepoint of that name.
    case notFound
    /// A write or a sync failed earlier: what is on disk is unknown until the database is opened again.
    case poisoned
    /// The file or its lock file was removed, renamed or replaced while it was open: nothing is written any more until
    /// all have closed it and one opened it anew.
    case displaced
    /// The caller wanted no more of it.
    case cancelled
    /// The database, the snapshot or the transaction has ended.
    case closed
    /// A key, a value or a table is outside of what the format holds, or of the wrong kind.
    case unsupported
    /// The database was opened to be read only.
    case readOnly
    /// A limit that the options or the process's address space set would be exceeded; nothing was changed.
    case limitExceeded
    /// The file is encrypted, and no key was given.
    case keyMissing
    /// The file is encrypted with another key.
    case keyWrong
    /// A key has not the length that keys have.
    case keyLength
    /// A key was given, and the file is not encrypted.
    case notEncrypted
    /// Anything else that the operating system reported.
    case failed
  }

  public let code: Code
  /// What went wrong and what can be done; where the operating system refused something, with its words.
  public let message: String
  /// What the operating system said, where it was asked.
  public let cause: SystemError?

  public init(_ code: Code, _ message: String, cause: SystemError? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
