// Which blocks were held against their checksums since the file was opened: one bit for 64 bytes of the file, in memory
// that is taken as it is touched. A block is verified when it is first met; after that, meeting it costs a look at a bit.
import Synchronization
import SystemIO

/// The bits as readers hold them; whoever has it keeps the memory.
struct VerifiedBlockBitmap {
  /// Two blocks of at least so many bytes never begin in one unit, so a bit is one block's. Smaller blocks have none and
  /// are verified each time.
  static let bytesPerBit = 64
  private static let bitsPerWord = 64

  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let wordCount: Int

  /// The memory for the bits of `bytes` bytes of a file.
  static func reserve(for bytes: Int) throws(SystemError) -> ReservedMemory {
    // Blocks behind the widest reservation are verified each time: few files get there.
    let size = min(bytes, 1 << 36) / (bytesPerBit * bitsPerWord) * MemoryLayout<UInt64>.size
    return try ReservedMemory(atMost: max(size, 4096), atLeast: 4096)
  }

  /// Without memory every block is verified each time.
  init(_ memory: ReservedMemory?) {
    wordCount = (memory?.capacity ?? 0) / MemoryLayout<UInt64>.size
    let start = memory?.start ?? UnsafeMutableRawPointer(bitPattern: Self.bytesPerBit)!
    words = start.bindMemory(to: Atomic<UInt64>.self, capacity: wordCount)
  }

  /// Whether the block that begins at `offset` was verified, or written, since the file was opened.
  @inline(__always)
  func isVerified(_ offset: Int, _ size: Int) -> Bool {
    let word = offset >> 12
    guard word < wordCount, size >= Self.bytesPerBit else { return false }
    let bits = words[word].load(ordering: .relaxed)
    return bits >> UInt64(truncatingIfNeeded: offset >> 6 & 63) & 1 != 0
  }

  /// Notes that the block is what its parent says.
  func markVerified(_ offset: Int, _ size: Int) {
    let word = offset >> 12
    guard word < wordCount, size >= Self.bytesPerBit else { return }
    words[word].bitwiseOr(1 << UInt64(offset >> 6 & 63), ordering: .relaxed)
  }

  /// Forgets what was known of the bytes from `offset` to `end`: another process has written there.
  func clear(_ offset: Int, to end: Int) {
    var bit = offset / Self.bytesPerBit
    let last = (end + Self.bytesPerBit - 1) / Self.bytesPerBit
    while bit < last, bit / Self.bitsPerWord < wordCount {
      let next = min(last, (bit / Self.bitsPerWord + 1) * Self.bitsPerWord)
      let low = ~UInt64(0) << UInt64(bit % Self.bitsPerWord)
      let unused = (Self.bitsPerWord - next % Self.bitsPerWord) % Self.bitsPerWord
      let high = ~UInt64(0) >> UInt64(unused)
      words[bit / Self.bitsPerWord].bitwiseAnd(~(low & high), ordering: .relaxed)
      bit = next
    }
  }
}
