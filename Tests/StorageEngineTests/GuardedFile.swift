// A file in memory with a guard page behind its end, so that following a reference past the end stops the process at
// once, as it would behind the end of a mapped file.
import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

final class GuardedFile: StorageFile, @unchecked Sendable {
  private static let maxSize = 1 << 25
  private static let page = 4096

  private let memory: UnsafeMutableRawPointer
  private(set) var size = 0
  private(set) var bytesWritten = 0
  private(set) var syncCount = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    let address = mmap(
      nil, Self.maxSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    precondition(address != MAP_FAILED, "No address space for a file in memory.")
    memory = address!
    expose(min(bytes.count, Self.maxSize))
    if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: size) }
  }

  deinit { munmap(memory, Self.maxSize) }

  var base: UnsafeRawPointer { UnsafeRawPointer(memory) }
  var capacity: Int { Self.maxSize }

  /// The mutable contents of the file.
  var bytes: UnsafeMutableRawBufferPointer { .init(start: memory, count: size) }

  private func expose(_ newSize: Int) {
    if newSize < size { memset(memory + newSize, 0, size - newSize) }
    size = newSize
    let end = (newSize + Self.page - 1) & ~(Self.page - 1)
    mprotect(memory, end, PROT_READ | PROT_WRITE)
    if end < Self.maxSize { mprotect(memory + end, Self.maxSize - end, PROT_NONE) }
  }

  func inheritAccess(of original: FilePath, as role: AccessRole) {}

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
    if offset + bytes.count > size { try resize(to: offset + bytes.count) }
    if let start = bytes.baseAddress {
      (memory + offset).copyMemory(from: start, byteCount: bytes.count)
    }
    bytesWritten += bytes.count
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    var next = offset
    for piece in pieces {
      try write(piece, at: next)
      next += piece.count
    }
  }

  func resize(to size: Int) throws(SystemError) {
    guard size <= Self.maxSize else { throw SystemError(code: ENOSPC, call: "fallocate") }
    expose(size)
  }

  func sync() { syncCount += 1 }
}
