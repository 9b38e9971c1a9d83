// Memory of a fixed size that is freed with the value that has it.

struct RawBuffer: ~Copyable {
  let start: UnsafeMutableRawPointer
  let count: Int

  init(count: Int, alignment: Int = 16) {
    precondition(count > 0, "A buffer has space for one byte at least.")
    self.count = count
    start = .allocate(byteCount: count, alignment: alignment)
  }

  deinit { start.deallocate() }

  /// The first bytes.
  func prefix(_ length: Int) -> UnsafeRawBufferPointer {
    precondition(length >= 0 && length <= count, "The bytes lie within the buffer.")
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
