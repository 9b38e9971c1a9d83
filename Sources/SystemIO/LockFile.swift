// A file beside a database that processes map together and lock in parts. The locks belong to the open file description
// (Linux "OFD locks"): two openings in one process exclude each other as two processes do, a lock may be taken in one
// thread and given up in another, and the kernel takes it back when the process dies, however it dies.
public import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Memory that all openings of one file share, and its locks.
package final class LockFile: @unchecked Sendable {
  package let path: FilePath
  private let descriptor: Int32
  /// The identity of the file, independent of its name.
  package let identity: FileIdentity
  /// The mapped bytes; those past `size` must not be touched.
  package let base: UnsafeMutableRawPointer
  /// The most bytes that the file may have.
  package let capacity: Int

  /// Opens the file, making it for its owner alone where there is none, and maps `capacity` bytes of it.
  package init(_ path: FilePath, capacity: Int) throws(SystemError) {
    let descriptor = open(path.string, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last("open", path) }
    do {
      identity = FileIdentity(try FileFacts(ofOpen: descriptor, path))
      base = try Self.map(descriptor, capacity, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    self.capacity = capacity
  }

  private static func map(
    _ descriptor: Int32, _ capacity: Int, _ path: FilePath
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    let address = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let address, address != MAP_FAILED else { throw .last("mmap", path) }
    return address
  }

  deinit {
    munmap(base, capacity)
    // A child process that is being spawned holds a copy of the descriptor until it runs its program, and with it the
    // locks; so they are released by a call, not only by closing.
    _ = cplatform_lock_range(descriptor, 0, 0, 0, 0)
    close(descriptor)
  }

  /// The file's length.
  package var size: Int {
    get throws(SystemError) { try FileFacts(ofOpen: descriptor, path).size.bytes }
  }

  /// Whether the file's name still leads to it: it may have been removed meanwhile.
  package var isNamed: Bool { (try? FileIdentity(of: path)) == identity }

  /// Makes the file this long and zero: what was mapped of it is gone, for everyone.
  package func reset(to size: Int) throws(SystemError) {
    // A new file is empty already, and truncating it was a twentieth of the time to open a database.
    if try self.size > 0 {
      guard ftruncate(descriptor, 0) == 0 else { throw .last("ftruncate", path) }
    }
    try extend(0..<size)
  }

  /// Gives the file at least this length. On failure the length is what it was.
  package func grow(to size: Int) throws(SystemError) {
    let old = try self.size
    if size > old { try extend(old..<size) }
  }

  /// Extends the file, its space on disk reserved: a store into memory cannot fail for a full disk. Making each page of the
  /// mapping writable reserves it. `posix_fallocate` does too, but the first store into each page then reads it: opening a
  /// database took a seventh longer.
  private func extend(_ range: Range<Int>) throws(SystemError) {
    guard ftruncate(descriptor, off_t(range.upperBound)) == 0 else {
      throw .last("ftruncate", path)
    }
    if cplatform_populate(base, Int64(range.lowerBound), Int64(range.upperBound)) == 0 { return }
    do { try reserve(range) } catch {
      _ = ftruncate(descriptor, off_t(range.lowerBound))
      throw error
    }
  }

  /// Reserves space where the kernel cannot populate a mapping (Linux before 5.14, macOS), or reports why it could not.
  private func reserve(_ range: Range<Int>) throws(SystemError) {
    #if canImport(Glibc)
      var result: Int32
      repeat {
        result = posix_fallocate(descriptor, off_t(range.lowerBound), off_t(range.count))
      } while result == EINTR
      guard result == 0 else {
        throw SystemError(code: result, call: "posix_fallocate", path: path.string)
      }
    #else
      let zeros = [UInt8](repeating: 0, count: range.count)
      guard pwrite(descriptor, zeros, zeros.count, off_t(range.lowerBound)) == zeros.count else {
        throw .last("pwrite", path)
      }
    #endif
  }

  /// Gives the file the access rights of another one, whose users are to share it. A process that does not own the lock
  /// file leaves it as its owner made it.
  package func adoptAccess(of other: FilePath) {
    try? FileSystem.inheritAccess(of: other, descriptor: descriptor, path, as: .companion)
  }

  /// Locks the byte at `offset`, which need not be within the file. Waits while another opening has it.
  package func lock(_ offset: Int) throws(SystemError) {
    let result = cplatform_lock_range(descriptor, Int64(offset), 1, 1, 1)
    guard result == 0 else {
      throw SystemError(code: result, call: "fcntl(F_OFD_SETLKW)", path: path.string)
    }
  }

  /// Locks the byte; returns false where another opening has it.
  package func lockIfFree(_ offset: Int) throws(SystemError) -> Bool {
    let result = cplatform_lock_range(descriptor, Int64(offset), 1, 1, 0)
    if result == EAGAIN { return false }
    guard result == 0 else {
      throw SystemError(code: result, call: "fcntl(F_OFD_SETLK)", path: path.string)
    }
    return true
  }

  package func unlock(_ offset: Int) {
    _ = cplatform_lock_range(descriptor, Int64(offset), 1, 0, 0)
  }

  /// The first byte of the range that another opening has locked; nil where none is. Own locks do not count.
  package func firstLocked(
    in range: Range<Int>
  ) throws(SystemError) -> Int? {
    var found: Int64 = 0
    let result = cplatform_find_lock(
      descriptor, Int64(range.lowerBound), Int64(range.count), &found)
    guard result >= 0 else {
      throw SystemError(code: -result, call: "fcntl(F_OFD_GETLK)", path: path.string)
    }
    // A lock may begin before the range and reach into it.
    return result == 1 ? max(Int(found), range.lowerBound) : nil
  }
}

/// Words in memory that other processes may change at the same time, each access in one order that all agree on.
extension UnsafeMutableRawPointer {
  @inlinable @inline(__always)
  package func atomicLoad(_ offset: Int) -> UInt64 { cplatform_load64(self + offset) }

  @inlinable @inline(__always)
  package func atomicStore(_ value: UInt64, _ offset: Int) {
    cplatform_store64(self + offset, value)
  }

  /// Stores `next` where `expected` is; returns whether it was.
  @inlinable @inline(__always)
  package func atomicExchange(_ expected: UInt64, _ next: UInt64, _ offset: Int) -> Bool {
    cplatform_exchange64(self + offset, expected, next) == 1
  }
}

extension UnsafeRawPointer {
  /// Requests the cache line of this address without waiting for it.
  @inlinable @inline(__always)
  package func prefetch() { cplatform_prefetch(self) }
}

extension FileSystem {
  /// Whether the path lies on a file system whose memory other machines do not share with this one: a table in mapped
  /// memory and locks of one kernel would not reach them.
  package static func isOnNetwork(_ path: FilePath) throws(SystemError) -> Bool {
    networkKinds.contains(try typeName(at: path))
  }

  private static let networkKinds: Set<String> = [
    "nfs", "smb", "cifs", "smb2", "afs", "ceph", "9p", "smbfs", "afpfs", "webdav",
  ]
}

/// Zeros in memory that no other process has; takes memory only where it is touched.
package final class PrivateMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  private let size: Int

  package init(_ size: Int) throws(SystemError) {
    let address = mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let address, address != MAP_FAILED else { throw .last("mmap") }
    base = address
    self.size = size
  }

  deinit { munmap(base, size) }
}
