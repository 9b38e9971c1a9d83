// Parts of files, for callers that do not have the file open: read a range, sync, hold a record lock. Like the rest of
// FileSystem this opens and closes, and so must not be used on what LMDB or SQLite has open in this process.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A regular file open for reading anywhere in it.
package final class FileReader {
  let descriptor: Int32
  let path: FilePath

  package init(_ path: FilePath) throws(SystemError) {
    descriptor = try RegularFile.open(path, O_RDONLY)
    self.path = path
  }

  deinit { close(descriptor) }

  /// Fills `buffer` from `offset` on, and returns how many bytes were read: fewer only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(descriptor, piece.baseAddress, piece.count, off_t(offset + done))
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("pread", path)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// So many bytes from `offset` on; fewer only at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: SystemError?
    var done = 0
    bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemError) { done = try read(into: buffer, at: offset) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return Array(bytes[..<done])
  }
}

extension FileSystem {
  /// Whether this process may write the file, or make files in the folder.
  package static func isWritable(_ path: FilePath) -> Bool { access(path.string, W_OK) == 0 }

  /// Makes a file's bytes durable.
  package static func syncFile(_ path: FilePath) throws(SystemError) {
    let descriptor = open(path.string, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
  }
}

/// An exclusive POSIX record lock on the first byte of a file, held until `release`.
///
/// It excludes other processes, never this one, and goes when this process closes any descriptor of the file: so it
/// must be released before a library that locks the same file opens it.
package final class RecordLock {
  private var descriptor: Int32

  /// Takes the lock. Where there is no such file it is made, with the access rights of `companion` as far as this process
  /// may give them. Error `isLocked` where another process has the lock.
  package init(_ path: FilePath, companion: FilePath? = nil) throws(SystemError) {
    let flags = O_RDWR | O_CLOEXEC
    descriptor = open(path.string, flags)
    if descriptor < 0, errno == ENOENT {
      descriptor = open(path.string, flags | O_CREAT | O_EXCL, companion == nil ? 0o666 : 0o600)
      if descriptor >= 0, let companion {
        try? FileSystem.inheritAccess(
          of: companion, descriptor: descriptor, path, as: .companion)
      }
      // Another process made it meanwhile.
      if descriptor < 0, errno == EEXIST { descriptor = open(path.string, flags) }
    }
    guard descriptor >= 0 else { throw .last("open", path) }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0
    range.l_len = 1
    while fcntl(descriptor, F_SETLK, &range) != 0 {
      if errno == EINTR { continue }
      let code = errno == EACCES ? EAGAIN : errno
      close(descriptor)
      descriptor = -1
      throw SystemError(code: code, call: "fcntl", path: path.string)
    }
  }

  deinit { release() }

  /// Releases the lock. Calling it again does nothing.
  package func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}

/// A lock on a folder, held by one process at a time, for as long as the object lives; others wait. It is independent of
/// locks on files in the folder, and ends with its process.
package final class FolderLock {
  private var descriptor: Int32

  /// Waits until no other process has it.
  package init(_ path: FilePath) throws(SystemError) {
    descriptor = open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    while flock(descriptor, LOCK_EX) != 0 {
      if errno == EINTR { continue }
      let error = SystemError.last("flock", path)
      close(descriptor)
      descriptor = -1
      throw error
    }
  }

  deinit { release() }

  /// Releases the lock. Calling it again does nothing.
  package func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}

/// A lock on a whole file or on a folder against every other opening of it, in this process or another, that takes such a
/// lock, shared or not. Released with this object.
package final class WholeFileLock: Sendable {
  private let descriptor: Int32

  /// Nil where the file is locked already.
  package init?(_ path: FilePath) throws(SystemError) {
    // A folder can be opened to read only.
    let flags = FileSystem.isFolder(path) ? O_RDONLY | O_DIRECTORY : O_RDWR
    descriptor = open(path.string, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open", path) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return nil }
      throw .last("flock", path)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

/// The identity of the file or folder that a path leads to, after following links: two paths to one file have equal
/// identities.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let node: UInt64

  package init(of path: FilePath) throws(SystemError) {
    self.init(try FileFacts(of: path))
  }

  init(_ facts: FileFacts) { (device, node) = (facts.device, facts.node) }

  init(_ facts: stat) {
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    node = UInt64(facts.st_ino)
  }
}
