// A storage file that is no file: anonymous memory, gone with the object. Addresses are reserved for growth and cost
// nothing until touched, so the base never moves; what a cut gives up goes back to the system.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A `StorageFile` in the process's memory. `sync` has nothing to do; a full disk is a full memory.
public final class MemoryStorageFile: StorageFile, @unchecked Sendable {
  private let memory: ReservedMemory
  private let mutex = ThreadMutex()
  private var length = 0
  private var written = 0
  private var syncs = 0
  private var limit: Int

  public init() throws(SystemError) {
    memory = try ReservedMemory(atMost: 1 << 36, atLeast: 1 << 20)
    limit = memory.capacity
  }

  public var size: Int { mutex.withLock { length } }
  public var base: UnsafeRawPointer { UnsafeRawPointer(memory.start) }
  public var bytesWritten: Int { mutex.withLock { written } }
  public var syncCount: Int { mutex.withLock { syncs } }
  public var capacity: Int { mutex.withLock { limit } }

  public func limitCapacity(to bytes: Int) {
    mutex.withLock { limit = max(length, min(limit, bytes)) }
  }

  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    try mutex.withLock { () throws(SystemError) in
      try check(offset + bytes.count)
      guard let start = bytes.baseAddress else { return }
      (memory.start + offset).copyMemory(from: start, byteCount: bytes.count)
      length = max(length, offset + bytes.count)
      written += bytes.count
    }
  }

  public func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    var next = offset
    for piece in pieces {
      try write(piece, at: next)
      next += piece.count
    }
  }

  public func resize(to size: Int) throws(SystemError) {
    try mutex.withLock { () throws(SystemError) in
      try check(size)
      if size < length { memory.clear(size..<length) }
      length = size
    }
  }

  private func check(_ size: Int) throws(SystemError) {
    guard size <= limit else {
      throw SystemError(code: ENOMEM, call: "memory beyond \(limit) bytes")
    }
  }

  /// Does nothing: no other process can open a file in memory.
  public func inheritAccess(of original: FilePath, as role: AccessRole) {}

  public func sync() { mutex.withLock { syncs += 1 } }
}

/// Zeroed memory at addresses that never change, taken from the system page by page as it is touched.
package final class ReservedMemory: @unchecked Sendable {
  package let start: UnsafeMutableRawPointer
  package let capacity: Int

  /// Reserves `atMost` bytes of addresses, or what a limit of the process leaves, at least `atLeast`.
  package init(atMost: Int, atLeast: Int) throws(SystemError) {
    var length = max(atMost, atLeast)
    while true {
      let address = mmap(
        nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
      if let address, address != MAP_FAILED {
        (start, capacity) = (address, length)
        return
      }
      guard length > atLeast else { throw .last("mmap of \(length) bytes") }
      length = max(length / 2, atLeast)
    }
  }

  deinit { munmap(start, capacity) }

  /// Memory that will be used whole: in large pages where the system has them, so that taking it costs one step for each
  /// of them instead of hundreds.
  package static func inLargePages(_ bytes: Int) throws(SystemError) -> ReservedMemory {
    let memory = try ReservedMemory(atMost: bytes, atLeast: bytes)
    #if canImport(Glibc)
      madvise(memory.start, bytes, MADV_HUGEPAGE)
    #endif
    return memory
  }

  /// Takes memory for the range in large pages from now on, where the system has them, or no longer.
  package func useLargePages(_ areLarge: Bool, in range: Range<Int>) {
    #if canImport(Glibc)
      madvise(
        start + range.lowerBound, range.count, areLarge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE)
    #endif
  }

  /// Makes the range zero again and gives its whole pages back.
  package func clear(_ range: Range<Int>) {
    let page = Int(getpagesize())
    let from = (range.lowerBound + page - 1) / page * page
    let to = range.upperBound / page * page
    guard from < to else {
      memset(start + range.lowerBound, 0, range.count)
      return
    }
    memset(start + range.lowerBound, 0, from - range.lowerBound)
    memset(start + to, 0, range.upperBound - to)
    // On Linux the pages read as zeros afterwards; elsewhere they may not, so they are mapped anew.
    #if canImport(Glibc)
      madvise(start + from, to - from, MADV_DONTNEED)
    #else
      mmap(
        start + from, to - from, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
    #endif
  }
}
