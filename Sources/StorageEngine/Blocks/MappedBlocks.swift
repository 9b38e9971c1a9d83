// Mapped memory for large buffers, of which a little is retained for the next: a session that follows another's commit frees
// and allocates hundreds of kilobytes. Sessions that committed in turns spent a tenth of their time on mapping them anew, with
// a page fault for each page.
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

  /// Creates a store that retains `limit` bytes at most.
  init(limit: Int) { self.limit = limit }

  var idleBytes: Int { mutex.withLock { countIdleBytes() } }

  /// Called under the mutex.
  private func countIdleBytes() -> Int {
    idle.indices.reduce(0) { $0 + idle[$1].count * (Self.minSize << $1) }
  }

  private static func index(of size: Int) -> Int { (size / minSize).trailingZeroBitCount }

  /// Returns a block of `count` bytes at least, and whether all its bytes are zero.
  func acquire(_ count: Int) throws(SystemError) -> (memory: ReservedMemory, isZero: Bool) {
    let size = max(Self.minSize, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
    guard size <= Self.maxRetainedSize else {
      return (try ReservedMemory(atMost: count, atLeast: count), true)
    }
    let retained = mutex.withLock { idle[Self.index(of: size)].popLast() }
    if let retained { return (retained, false) }
    return (try ReservedMemory(atMost: size, atLeast: size), true)
  }

  /// Releases a block: retains it for the next buffer, or lets it be unmapped if there are enough.
  func release(_ memory: ReservedMemory) {
    let size = memory.capacity
    guard size <= Self.maxRetainedSize else { return }
    mutex.withLock {
      guard countIdleBytes() + size <= limit else { return }
      idle[Self.index(of: size)].append(memory)
    }
  }
}
