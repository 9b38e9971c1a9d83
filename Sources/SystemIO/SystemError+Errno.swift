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

  /// The thing asked for is not there.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Something of that name is there already.
  package var isAlreadyThere: Bool { code == EEXIST }

  /// The user, the file's mode or a read-only file system forbids it.
  package var isPermissionDenied: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// Another process holds a lock that excludes this.
  package var isLocked: Bool { code == EAGAIN || code == EBUSY }

  /// The process may map no more addresses.
  package var isOutOfAddresses: Bool { code == ENOMEM }

  /// Whatever read the pipe or the socket has closed it.
  package var isClosedPipe: Bool { code == EPIPE }

  /// The task that asked was cancelled.
  package var isCancellation: Bool { code == ECANCELED }
}

extension SystemError {
  /// `errno` of a request for memory or address space that was refused.
  package static var noMemory: Int32 { ENOMEM }

  /// `errno` of an input or output error, which some libraries also report for a write that was cut short.
  package static var inputOutput: Int32 { EIO }

  /// `errno` of a file in which there is nothing of what it should hold.
  package static var noData: Int32 { ENODATA }

  /// `errno` of something that the file system or the platform does not do.
  package static var notSupported: Int32 { EOPNOTSUPP }
}
