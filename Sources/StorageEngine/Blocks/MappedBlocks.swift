// Mapped memory for large buffers, of which a little is kept for the next: a session that follows another's commit frees and
// takes hundreds of kilobytes. To map them anew, a page fault for each page, took a tenth of the time of sessions that commit
// in turns.
import SystemIO

/// The mapped blocks of this process that no buffer uses.
final class MappedBlocks: @unchecked Sendable {
  static let shared = MappedBlocks(limit: 1 << 21)

  /// The least size of a block. Sizes are powers of 2.
  static let minSize = 1 << 15
  /// Larger blocks are not retained.
  private static let maxRetainedSize = 1 << 19
  private static let sizeCount = (maxRetainedSize / minSize).trailingZeroBitCount + 1

  private let mutex = ThreadMutex()
  private let limit: Int
  /// By size.
  private var idle: [[ReservedMemory]] = Array(repeating: [], count: sizeCount)
  private var idleBytesUnlocked = 0

  /// Creates a store that retains `limit` bytes at most.
  init(limit: Int) { self.limit = limit }

  var idleBytes: Int { mutex.withLock { idleBytesUnlocked } }

  private static func index(of size: Int) -> Int { (size / minSize).trailingZeroBitCount }

  /// Returns a block of `count` bytes at least, and whether all its bytes are zero.
  func take(_ count: Int) throws(SystemError) -> (memory: ReservedMemory, isZero: Bool) {
    let size = max(Self.minSize, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
    guard size <= Self.maxRetainedSize else {
      return (try ReservedMemory(atMost: count, atLeast: count), true)
    }
    let kept = mutex.withLock {
      let memory = idle[Self.index(of: size)].popLast()
      if memory != nil { idleBytesUnlocked -= size }
      return memory
    }
    if let kept { return (kept, false) }
    return (try ReservedMemory(atMost: size, atLeast: size), true)
  }

  /// Retains a block that was taken for the next buffer, or unmaps it if there are enough.
  func give(_ memory: ReservedMemory) {
    let size = memory.capacity
    guard size <= Self.maxRetainedSize else { return }
    mutex.withLock {
      guard idleBytesUnlocked + size <= limit else { return }
      idle[Self.index(of: size)].append(memory)
      idleBytesUnlocked += size
    }
  }
}
