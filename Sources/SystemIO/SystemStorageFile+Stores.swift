// Writes without system calls, for a file that is not synced at each commit: bytes are stored through a second mapping,
// which nothing else knows, and the system writes the pages in its own time. A store cannot fail as a call does: the
// process would be ended by a signal. So it is done only where nothing is left that could fail: on file systems that
// keep their word about blocks set aside, and in a file whose blocks all are.
// The first write to a page is a call all the same: the first store into it would be a fault, which costs more than the
// call does. In a file whose free pages are many that is most of what is written.

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
        let capacity = counters.pointee.capacity
        let pages = capacity / Self.storePage + 1
        guard let notes = try? ReservedMemory(atMost: pages, atLeast: pages),
          let mapping = FileMapping.acquireForStores(
            ofFile: descriptor, capacity: capacity, path, shared: sharedFile)
        else { return }
        counters.pointee.pagesWritten = notes
        counters.pointee.stores = mapping
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

  /// Stores the pieces one after the other; false where they have to be handed to the system.
  func store(_ pieces: some Collection<UnsafeRawBufferPointer>, at offset: Int) -> Bool {
    let count = pieces.reduce(0) { $0 + $1.count }
    guard count > 0, var target = storeAddress(offset, count) else { return false }
    for piece in pieces {
      guard let start = piece.baseAddress else { continue }
      target.copyMemory(from: start, byteCount: piece.count)
      target += piece.count
    }
    return true
  }

  /// The minimum size of a page on supported platforms, in bytes.
  private static let storePage = 4096

  public func storeAddress(_ offset: Int, _ count: Int) -> UnsafeMutableRawPointer? {
    let target: UnsafeMutableRawPointer? = mutex.withLock {
      guard let stores = counters.pointee.stores?.start, offset >= 0,
        offset + count <= counters.pointee.storesEnd, wereWritten(offset, count)
      else { return nil }
      counters.pointee.written += count
      return stores + offset
    }
    if target != nil { ProcessMetrics.noteStored(count) }
    return target
  }

  /// The pages that a range lies in.
  private static func pages(_ offset: Int, _ count: Int) -> ClosedRange<Int> {
    offset / storePage...(offset + count - 1) / storePage
  }

  /// Whether all pages of the range were written to before.
  private func wereWritten(_ offset: Int, _ count: Int) -> Bool {
    guard let notes = counters.pointee.pagesWritten?.start else { return false }
    return Self.pages(offset, count).allSatisfy {
      notes.load(fromByteOffset: $0, as: UInt8.self) != 0
    }
  }

  /// Counts bytes that a call has written. The next ones in their pages are stored, if they are in no others. Under the
  /// mutex.
  func noteWritten(_ offset: Int, _ count: Int) {
    counters.pointee.written += count
    guard count > 0, offset + count <= counters.pointee.storesEnd,
      let notes = counters.pointee.pagesWritten?.start
    else { return }
    for page in Self.pages(offset, count) {
      notes.storeBytes(of: 1, toByteOffset: page, as: UInt8.self)
    }
  }
}
