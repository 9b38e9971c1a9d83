// The values of one stream of operations.
import Generators

/// Draws values for one stream of operations into a buffer of its own.
struct ValueWriter {
  private var sizes: SizeChooser
  private let source: ValueSource
  private let buffer: Buffer

  private final class Buffer {
    let bytes: UnsafeMutableRawBufferPointer
    init(_ count: Int) { bytes = .allocate(byteCount: max(count, 1), alignment: 16) }
    deinit { bytes.deallocate() }
  }

  init(_ sizes: SizeDistribution, seed: UInt64, label: String) {
    self.sizes = SizeChooser(sizes, seed: seed, label: "sizes/\(label)")
    source = ValueSource(seed: seed, label: "values/\(label)")
    buffer = Buffer(sizes.greatest)
  }

  /// Returns the next value, which is valid until the following call.
  mutating func next() -> UnsafeRawBufferPointer {
    let value = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<sizes.next()])
    source.fill(value)
    return UnsafeRawBufferPointer(value)
  }
}
