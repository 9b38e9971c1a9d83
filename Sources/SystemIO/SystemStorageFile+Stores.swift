// Writes without system calls, for a file that is not synced at each commit: bytes are stored through a second mapping,
// which nothing else knows, and the system writes the pages in its own time. A store cannot fail as a call does: the
// process would be ended by a signal. So it is done only where nothing is left that could fail: on file systems that
// keep their word about blocks set aside, and in a file whose blocks all are.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SystemStorageFile {
  /// File systems that write a page where its block was set aside. Those that copy on write need another block for it,
  /// and may not have one.
  private static let keepingBlocks: Set<String> = ["ext4", "tmpfs"]

  public func expectFewSyncs() {
    #if canImport(Glibc)
      guard let type = try? FileSystem.typeName(at: path), Self.keepingBlocks.contains(type),
        let size = try? size, hasAllBlocks
      else { return }
      mutex.withLock {
        guard counters.pointee.stores == nil else { return }
        let access = PROT_READ | PROT_WRITE
        let flags = MAP_SHARED | MAP_NORESERVE
        let address = mmap(nil, counters.pointee.capacity, access, flags, descriptor, 0)
        guard let address, address != MAP_FAILED else { return }
        // Pages that are read ahead of a store would be written with it.
        madvise(address, counters.pointee.capacity, MADV_RANDOM)
        counters.pointee.stores = address
        counters.pointee.storesEnd = size
      }
    #endif
  }

  #if canImport(Glibc)
    /// Whether no part of the file is a hole. What the sum of its blocks does not tell is set right; a file that was made
    /// with large holes is left alone.
    private var hasAllBlocks: Bool {
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_size > 0,
        Int(facts.st_blocks) * 512 >= Int(facts.st_size)
      else { return facts.st_size == 0 }
      return posix_fallocate(descriptor, 0, facts.st_size) == 0
    }
  #endif

  /// Stores the bytes; false where they have to be handed to the system.
  func store(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    let target = mutex.withLock { () -> UnsafeMutableRawPointer? in
      guard let stores = counters.pointee.stores, offset >= 0,
        offset + bytes.count <= counters.pointee.storesEnd
      else { return nil }
      counters.pointee.written += bytes.count
      return stores + offset
    }
    guard let target else { return false }
    target.copyMemory(from: start, byteCount: bytes.count)
    ProcessMetrics.noteStored(bytes.count)
    return true
  }
}
