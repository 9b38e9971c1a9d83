// A copy of a small file in memory. It is made in one read, from front to back, so that a file that is written to is read
// within a moment, and its trees are walked afterwards.
import SystemIO

final class CopiedSource: ByteSource {
  /// Longer files are not copied.
  static let maxBytes = 128 << 20

  let size: Int
  private let memory: ReservedMemory

  /// Copies the source; nil if it is too long, or has become shorter meanwhile.
  init?(_ source: any ByteSource) throws(SystemError) {
    let size = try source.size
    guard size > 0, size <= Self.maxBytes else { return nil }
    memory = try ReservedMemory.inLargePages(size)
    let buffer = UnsafeMutableRawBufferPointer(start: memory.start, count: size)
    guard try source.read(into: buffer, at: 0) == size else { return nil }
    self.size = size
  }

  /// Copies the source once more, into the same memory. Returns whether it has the same length still.
  func repeatCopy(of source: any ByteSource) throws(SystemError) -> Bool {
    guard try source.size == size else { return false }
    let buffer = UnsafeMutableRawBufferPointer(start: memory.start, count: size)
    return try source.read(into: buffer, at: 0) == size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let count = min(buffer.count, size - offset)
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(start: memory.start + offset, count: count))
    return count
  }
}
