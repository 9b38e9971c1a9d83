// Pieces of memory, read one after the other.

struct GatheredBytes {
  private let pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>
  private var index = 0
  /// The bytes of the piece that were read.
  private var done = 0

  init(_ pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>) { self.pieces = pieces }

  /// Copies the next `count` bytes, which there must be.
  mutating func copy(_ count: Int, to target: UnsafeMutableRawPointer) {
    var copied = 0
    while copied < count {
      let piece = pieces[index]
      let part = min(piece.count - done, count - copied)
      if let start = piece.baseAddress {
        (target + copied).copyMemory(from: start + done, byteCount: part)
      }
      copied += part
      done += part
      if done == piece.count {
        index += 1
        done = 0
      }
    }
  }
}
