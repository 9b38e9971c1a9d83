// From `errno` to a SystemError: read at once after the failed call, before anything else can overwrite it.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SystemError {
  /// The error that the call just made left in `errno`.
  package static func last(_ call: String, _ path: FilePath? = nil) -> SystemError {
    SystemError(code: errno, call: call, path: path?.string ?? "")
  }

  /// The file or folder does not exist.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// A file or folder of that name exists already.
  package var isAlreadyThere: Bool { code == EEXIST }

  /// The user's rights, the file's mode or a read-only file system forbid the call.
  package var isPermissionDenied: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// Another process holds a conflicting lock.
  package var isLocked: Bool { code == EAGAIN || code == EBUSY }

  /// The process cannot map more address space.
  package var isOutOfAddresses: Bool { code == ENOMEM }

  /// The reading end of the pipe or the socket is closed.
  package var isClosedPipe: Bool { code == EPIPE }

  /// The task that made the call was canceled.
  package var isCancellation: Bool { code == ECANCELED }
}

extension SystemError {
  /// `errno` of a request for memory or address space that was refused.
  package static var noMemory: Int32 { ENOMEM }

  /// `errno` of an input or output error, which some libraries also report for a write that was cut short.
  package static var inputOutput: Int32 { EIO }

  /// `errno` of a file without the data that it should hold.
  package static var noData: Int32 { ENODATA }

  /// `errno` of an operation that the file system or the platform does not support.
  package static var notSupported: Int32 { EOPNOTSUPP }
}
