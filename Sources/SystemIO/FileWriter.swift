// A new file, written from its beginning to its end in pieces.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file being written. Used by one thread at a time.
package final class FileWriter {
  private let descriptor: Int32
  private let path: FilePath
  /// The number of bytes written so far.
  package private(set) var bytesWritten = 0

  /// Makes the file; an error that `isAlreadyThere` where there is one of that name. A draft is its owner's alone, until
  /// it is given other access rights.
  package init(new path: FilePath, isDraft: Bool = false) throws(SystemError) {
    let mode: mode_t = isDraft ? 0o600 : 0o666
    descriptor = open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    self.path = path
    guard descriptor >= 0 else { throw .last("open", path) }
  }

  /// Makes a draft with room for so many bytes, so that writing them later cannot fail for want of it; an error that
  /// `isOutOfSpace` where there is none, and then no file. Where the system cannot reserve, zeros are written. (macOS:
  /// nothing is reserved.)
  package convenience init(draft path: FilePath, reserving bytes: Int) throws(SystemError) {
    try self.init(new: path, isDraft: true)
    guard bytes > 0 else { return }
    #if canImport(Glibc)
      do throws(SystemError) { try reserve(bytes) } catch {
        unlink(path.string)
        throw error
      }
    #endif
  }

  #if canImport(Glibc)
    /// The C library writes zeros by itself where a file system cannot reserve, but not where the system refuses the call.
    private func reserve(_ bytes: Int) throws(SystemError) {
      let code = posix_fallocate(descriptor, 0, off_t(bytes))
      guard code != 0 else { return }
      guard code == ENOSYS else {
        throw SystemError(code: code, call: "posix_fallocate", path: path.string)
      }
      let zeros = [UInt8](repeating: 0, count: min(bytes, 1 << 18))
      var done = 0
      while done < bytes {
        let count = pwrite(descriptor, zeros, min(zeros.count, bytes - done), off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .last("pwrite", path) }
        done += count
      }
    }
  #endif

  /// Gives the file the access rights of `original`, as far as `role` asks for them.
  package func inheritAccess(of original: FilePath, as role: AccessRole) throws(SystemError) {
    try FileSystem.inheritAccess(of: original, descriptor: descriptor, path, as: role)
  }

  /// Gives `body` the file's descriptor, for a library that writes into it.
  package func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result { body(descriptor) }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes[done...]))
      guard count >= 0 else { throw .last("write", path) }
      done += count
      bytesWritten += count
    }
  }

  /// Returns when all that was written is durable.
  package func sync() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }
}
