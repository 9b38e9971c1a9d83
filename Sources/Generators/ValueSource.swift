// The bytes of values: random, so that nothing can compress them, and cheap, so that they don't show in measurements.
// They are windows of a pool of random bytes, each stamped with 64 bits of its own.

/// Makes values. Used by one thread at a time.
package final class ValueSource {
  /// Small enough for a second-level cache, large enough that windows of usual values seldom overlap much.
  private static let poolSize = 1 << 16

  private let pool: UnsafeMutableRawPointer
  private var value: UnsafeMutableRawPointer
  private var capacity = 4096
  private var stream: RandomStream

  package init(stream: RandomStream) {
    self.stream = stream
    pool = .allocate(byteCount: Self.poolSize, alignment: 64)
    value = .allocate(byteCount: capacity, alignment: 64)
    for offset in stride(from: 0, to: Self.poolSize, by: 8) {
      pool.storeBytes(
        of: self.stream.next().littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }

  package convenience init(seed: UInt64, label: String, index: Int = 0) {
    self.init(stream: RandomStream(seed: seed, label: label, index: index))
  }

  deinit {
    pool.deallocate()
    value.deallocate()
  }

  /// Fills the whole buffer with the next value.
  package func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let base = buffer.baseAddress else { return }
    fill(base, buffer.count)
  }

  /// Gives the next value of `size` bytes to `body`; the bytes are valid within the call only.
  package func withValue<Result, Failure: Error>(
    size: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(size >= 0, "a value of \(size) B was asked for")
    if size > capacity { grow(to: size) }
    fill(value, size)
    return try body(UnsafeRawBufferPointer(start: value, count: size))
  }

  private func grow(to size: Int) {
    value.deallocate()
    capacity = max(size, 2 * capacity)
    value = .allocate(byteCount: capacity, alignment: 64)
  }

  private func fill(_ target: UnsafeMutableRawPointer, _ size: Int) {
    // One copy of the stream, written back at the end: access to a class's property is checked each time.
    var stream = self.stream
    var filled = 0
    repeat {
      let count = min(size - filled, Self.poolSize / 2)
      let offset = (Int(stream.next() >> 48) * (Self.poolSize - count + 1)) >> 16
      (target + filled).copyMemory(from: pool + offset, byteCount: count)
      filled += count
    } while filled < size
    // 64 fresh bits over the beginning, or as many as fit, so that two windows at one offset differ.
    withUnsafeBytes(of: stream.next().littleEndian) { stamp in
      target.copyMemory(from: stamp.baseAddress!, byteCount: min(size, 8))
    }
    self.stream = stream
  }
}
