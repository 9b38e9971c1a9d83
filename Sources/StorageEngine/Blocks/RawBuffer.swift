// Memory of a fixed size that is freed with the value that has it.
import SystemIO

struct RawBuffer: ~Copyable {
  /// The minimum size of buffers that are mapped, so that they go back to the system when they are freed. glibc would keep
  /// them: once a block of that size was freed, it takes further ones from its heap (mallopt(3), M_MMAP_THRESHOLD), and small
  /// blocks that lie between them keep that memory in use. Docs/Testing.md has what was measured.
  private static let mappedSize = 1 << 15

  let start: UnsafeMutableRawPointer
  let count: Int
  /// nil for a small buffer.
  private let mapped: ReservedMemory?

  init(count: Int, alignment: Int = 16) {
    precondition(count > 0, "A buffer has space for one byte at least.")
    self.count = count
    guard count >= Self.mappedSize else {
      mapped = nil
      start = .allocate(byteCount: count, alignment: alignment)
      return
    }
    guard let memory = try? ReservedMemory(atMost: count, atLeast: count) else {
      fatalError("There is no memory for a buffer of \(count) bytes.")
    }
    mapped = memory
    start = memory.start
  }

  /// Creates a buffer of zeros behind some bytes of any value. A mapped one takes memory where it is touched.
  init(zeros count: Int, behind first: Int = 0, alignment: Int = 16) {
    self.init(count: max(1, first + count), alignment: alignment)
    guard mapped == nil else { return }
    (start + first).initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  deinit { if mapped == nil { start.deallocate() } }

  /// The first bytes.
  func prefix(_ length: Int) -> UnsafeRawBufferPointer {
    precondition(length >= 0 && length <= count, "The bytes lie within the buffer.")
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
