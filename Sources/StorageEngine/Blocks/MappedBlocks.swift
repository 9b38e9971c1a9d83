// Mapped memory for large buffers, of which a little is retained for the next: a session that follows another's commit frees
// and allocates hundreds of kilobytes. Sessions that committed in turns spent a tenth of their time on mapping them anew, with
// a page fault for each page.
import SystemIO

/// The mapped blocks of this process that no buffer uses.
final class MappedBlocks: @unchecked Sendable {
  static let shared = MappedBlocks(limit: 1 << 21)

  /// The least size of a block, and the only one that is retained: most buffers have it, and use it whole. A larger one that
  /// is retained occupies memory to its end if any buffer has ever used that, and the next uses less.
  static let minSize = 1 << 15
  /// The most bytes of a buffer that is in the heap. The lists and indexes of a load grow by doubling, and what those of 8 to
  /// 32 KiB left free in the heap of each thread was not used again for long (Docs/Testing.md).
  static let maxHeapBytes = 1 << 13

  private let mutex = ThreadMutex()
  private let limit: Int
  private var idle: [ReservedMemory] = []

  /// Creates a store that retains `limit` bytes at most.
  init(limit: Int) { self.limit = limit }

  var idleBytes: Int { mutex.withLock { idle.count * Self.minSize } }

  /// Returns a block of `count` bytes at least, and whether all its bytes are zero.
  func acquire(_ count: Int) throws(SystemError) -> (memory: ReservedMemory, isZero: Bool) {
    if count <= Self.minSize, let retained = mutex.withLock({ idle.popLast() }) {
      return (retained, false)
    }
    let size = max(Self.minSize, count)
    return (try ReservedMemory(atMost: size, atLeast: size), true)
  }

  /// Releases a block: retains it for the next buffer, or lets it be unmapped if there are enough.
  func release(_ memory: ReservedMemory) {
    guard memory.capacity == Self.minSize else { return }
    mutex.withLock {
      if (idle.count + 1) * Self.minSize <= limit { idle.append(memory) }
    }
  }
}
