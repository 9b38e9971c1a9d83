// The blocks verified against their checksums since the file was opened: one bit for each 64 bytes of the file, in
// memory that is committed when touched. A block is verified when it is first read; every later read tests one bit.
import Synchronization
import SystemIO

/// The bitmap as readers use it. The owner retains the memory.
struct VerifiedBlockBitmap {
  /// The bytes of the file that one bit stands for. Blocks of at least this size never begin within the same 64 bytes,
  /// so a bit belongs to one block. Smaller blocks have no bit and are verified at each read.
  static let bytesPerBit = 64
  private static let bitsPerWord = 64

  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let wordCount: Int

  /// Reserves the bitmap of a file of `bytes` bytes.
  static func reserve(for bytes: Int) throws(SystemError) -> ReservedMemory {
    // Blocks beyond 64 GiB are verified at each read: few files get there.
    let size = min(bytes, 1 << 36) / (bytesPerBit * bitsPerWord) * MemoryLayout<UInt64>.size
    return try ReservedMemory(atMost: max(size, 4096), atLeast: 4096)
  }

  /// Creates the bitmap. Without memory every block is verified at each read.
  init(_ memory: ReservedMemory?) {
    wordCount = (memory?.capacity ?? 0) / MemoryLayout<UInt64>.size
    let start = memory?.start ?? UnsafeMutableRawPointer(bitPattern: Self.bytesPerBit)!
    words = start.bindMemory(to: Atomic<UInt64>.self, capacity: wordCount)
  }

  /// Returns whether the block at `offset` was verified or written since the file was opened.
  @inline(__always)
  func isVerified(_ offset: Int, _ size: Int) -> Bool {
    let word = offset >> 12
    guard word < wordCount, size >= Self.bytesPerBit else { return false }
    let bits = words[word].load(ordering: .relaxed)
    return bits >> UInt64(truncatingIfNeeded: offset >> 6 & 63) & 1 != 0
  }

  /// Records that the block matches its checksum.
  func markVerified(_ offset: Int, _ size: Int) {
    let word = offset >> 12
    guard word < wordCount, size >= Self.bytesPerBit else { return }
    words[word].bitwiseOr(1 << UInt64(offset >> 6 & 63), ordering: .relaxed)
  }

  /// Clears the bits from `offset` to `end`, because another process has written there.
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
