// Writes past the system's cache, for much data that will not be read soon. The cache needs a page of memory for each page
// of the file, and on a virtual machine the host may have to find that page first: filling the cache then costs more than
// the disk does.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SystemStorageFile {
  /// The alignment in bytes of writes that bypass the cache: no disk has larger blocks.
  private static let block = 4096

  /// Writes whole blocks past the cache, and what is left at either end through it.
  public func writeDirect(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    let head = min(bytes.count, -offset & (Self.block - 1))
    guard let start = bytes.baseAddress, Int(bitPattern: start + head) % Self.block == 0,
      let direct = directDescriptor
    else { return try write(bytes, at: offset) }
    if head > 0 { try write(UnsafeRawBufferPointer(rebasing: bytes[..<head]), at: offset) }
    let whole = head + (bytes.count - head) & ~(Self.block - 1)
    var done = head
    while done < whole {
      let count = pwrite(direct, start + done, whole - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EINVAL || errno == EOPNOTSUPP { break }
      guard count >= 0 else { throw .last("pwrite", path) }
      done += count
      mutex.withLock { counters.pointee.written += count }
      // The kernel took a part: what is left may begin anywhere.
      if (offset + done) % Self.block != 0 { break }
    }
    guard done < bytes.count else { return }
    try write(UnsafeRawBufferPointer(rebasing: bytes[done...]), at: offset + done)
  }

  /// The descriptor for direct writes; nil if the file system or the platform has none, or while writes are stored through
  /// a mapping.
  private var directDescriptor: Int32? {
    mutex.withLock {
      guard counters.pointee.stores == nil else { return nil }
      let direct = counters.pointee.directDescriptor ?? cplatform_open_past_cache(descriptor)
      counters.pointee.directDescriptor = direct
      return direct >= 0 ? direct : nil
    }
  }
}
