// The initialization of blocks that were reserved. Such a block counts as unwritten until its first write, which changes the
// file's block map, so that a sync behind it waits for that too: two writes more, one after the other. Zeros that are written
// before, in one piece, save that. PostgreSQL fills segments of its log for the same reason (`wal_init_zero`), and on file
// systems that copy on write it does not pay there either.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SystemStorageFile {
  /// File systems that keep reserved blocks apart from written ones, and write a block where it is.
  private static let initializingBlocks: Set<String> = ["ext4", "xfs"]
  private static let maxZeros = 1 << 20

  /// Writes zeros to the range, which contains nothing else. Without it only syncs take longer, so that a failure is no
  /// error here; the sync of the commit reports it.
  func initializeBlocks(_ range: Range<Int>) {
    #if canImport(Glibc)
      guard !range.isEmpty, let type = try? FileSystem.typeName(at: path),
        Self.initializingBlocks.contains(type)
      else { return }
      let size = min(range.count, Self.maxZeros)
      let zeros = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      defer { zeros.deallocate() }
      zeros.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      var offset = range.lowerBound
      while offset < range.upperBound {
        let count = pwrite(descriptor, zeros, min(size, range.upperBound - offset), off_t(offset))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        offset += count
      }
    #endif
  }
}
