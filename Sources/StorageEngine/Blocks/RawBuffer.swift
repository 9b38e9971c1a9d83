// Memory of a fixed size that is freed with the value that has it.
import SystemIO

struct RawBuffer: ~Copyable {
  let start: UnsafeMutableRawPointer
  let count: Int
  /// nil for a small buffer. Others are mapped, so that they go back to the system when they are freed. glibc would keep
  /// them: once a block of that size was freed, it takes further ones from its heap (mallopt(3), M_MMAP_THRESHOLD), and small
  /// blocks that lie between them keep that memory in use. Docs/Testing.md has what was measured.
  private let mapped: ReservedMemory?
  private let isZero: Bool

  init(count: Int, alignment: Int = 16) {
    precondition(count > 0, "A buffer has space for one byte at least.")
    self.count = count
    guard count > MappedBlocks.maxHeapBytes else {
      (mapped, isZero) = (nil, false)
      start = .allocate(byteCount: count, alignment: alignment)
      return
    }
    guard let (memory, isZero) = try? MappedBlocks.shared.acquire(count) else {
      fatalError("There is no memory for a buffer of \(count) bytes.")
    }
    (mapped, self.isZero) = (memory, isZero)
    start = memory.start
  }

  /// Creates a buffer of zeros behind some bytes of any value. A mapped one takes memory where it is touched.
  init(zeros count: Int, behind first: Int = 0, alignment: Int = 16) {
    self.init(count: max(1, first + count), alignment: alignment)
    guard !isZero else { return }
    (start + first).initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  deinit {
    if let mapped { MappedBlocks.shared.release(mapped) } else { start.deallocate() }
  }

  /// The first bytes.
  func prefix(_ length: Int) -> UnsafeRawBufferPointer {
    precondition(length >= 0 && length <= count, "The bytes lie within the buffer.")
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
