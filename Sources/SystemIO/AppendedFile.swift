// A file to which lines are added, each durable before the next: what a process leaves when it is killed, or the power is
// cut, ends with at most one torn line.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A regular file that is locked for as long as the object lives, and only appended to. Used by one thread at a time.
package final class AppendedFile {
  package let path: FilePath
  private let descriptor: Int32
  private let lock: WholeFileLock
  /// The file's length.
  package private(set) var size: Int

  /// The number of times that the file may be replaced while it is opened, before something else is wrong.
  private static let maxAttempts = 100

  /// Opens the file, creating it where there is none. Nil where another opening has it, in this process or another.
  package init?(_ path: FilePath) throws(SystemError) {
    for _ in 0..<Self.maxAttempts {
      let descriptor = try Self.open(path)
      var isOwned = true
      defer { if isOwned { close(descriptor) } }
      let lock: WholeFileLock?
      do throws(SystemError) { lock = try WholeFileLock(path) } catch {
        // Its last owner has removed it since it was opened.
        if error.isNotFound { continue }
        throw error
      }
      guard let lock else { return nil }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
      // The lock is that of the file which has the name now.
      guard (try? FileIdentity(of: path)) == FileIdentity(facts) else { continue }
      (self.path, self.descriptor, self.lock, size) = (path, descriptor, lock, Int(facts.st_size))
      isOwned = false
      return
    }
    throw SystemError(
      code: EAGAIN, call: "open", path: path.string,
      explanation: "this file is replaced again and again by another process")
  }

  deinit { close(descriptor) }

  private static func open(_ path: FilePath) throws(SystemError) -> Int32 {
    let isNew = !FileSystem.exists(path)
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let descriptor = openByPath(path.string, flags)
    guard descriptor >= 0 else { throw .last("open", path) }
    do throws(SystemError) {
      try RegularFile.check(descriptor, path)
      if isNew { try FileSystem.syncFolder(path.removingLastComponent()) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Adds the bytes, and returns when they are durable. After an error the file ends where it ended before, as far as the
  /// system allows.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    do throws(SystemError) {
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes {
          systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]))
        }
        guard count >= 0 else { throw .last("write", path) }
        done += count
      }
      try sync()
    } catch {
      _ = ftruncate(descriptor, off_t(size))
      throw error
    }
    size += bytes.count
  }

  /// Removes all bytes after the first `count`, durably.
  package func cut(to count: Int) throws(SystemError) {
    guard ftruncate(descriptor, off_t(count)) == 0 else { throw .last("ftruncate", path) }
    size = count
    try sync()
  }

  /// Removes the file's name, durably. Its bytes are gone with this object.
  package func remove() throws(SystemError) {
    try FileSystem.removeFile(path)
    try FileSystem.syncFolder(path.removingLastComponent())
  }

  private func sync() throws(SystemError) {
    #if canImport(Glibc)
      let result = fdatasync(descriptor)
    #else
      let result = fcntl(descriptor, F_FULLFSYNC)
    #endif
    guard result == 0 else { throw .last("fdatasync", path) }
  }
}

/// The C function: inside `AppendedFile` its name means the method.
private func openByPath(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  open(path, flags, 0o666)
}
