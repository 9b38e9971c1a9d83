// The memory of one write transaction: nodes and values that are not in the file yet. It is freed as a whole when the
// transaction ends; the first chunks are reused by the next one. A transaction that loads many rows gets further memory
// in large pages where the system has them: taking memory page by page cost such a load a quarter of its time.
import SystemIO

struct Arena: ~Copyable {
  private static let chunkSize = 1 << 18
  /// The number of small chunks; further chunks are larger.
  private static let smallChunks = 4
  private static let largeChunkSize = 1 << 23
  /// The number of large chunks that are retained after the transaction.
  private static let maxRetainedLargeChunks = 1
  /// Node buffers are allocated in multiples of this size, so that an outgrown one can be reused.
  static let step = 512
  private static let classes = 64

  private var chunks = UniqueList<UnsafeMutableRawPointer>(capacity: 8)
  /// The memory of the chunks: mapped, like that of large buffers (RawBuffer.swift).
  private var reserved: [ReservedMemory] = []
  private var large = UniqueList<UnsafeMutableRawPointer>(capacity: 8)
  /// The chunk that is allocated from; -1 until the first allocation, so that a session that only reads maps none.
  private var current = -1
  /// The bytes allocated of it.
  private var used = chunkSize
  private var largeBytes = 0
  /// Free lists of node buffers by size class, linked through their first word.
  private let free: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init() {
    free = .allocate(capacity: Self.classes)
    free.initialize(repeating: nil, count: Self.classes)
  }

  deinit {
    // The chunks are freed with `reserved`.
    for block in large.buffer { block.deallocate() }
    free.deallocate()
  }

  /// The number of bytes allocated since the last reset; reused node buffers are counted once.
  var bytesAllocated: Int {
    let small = min(current, Self.smallChunks)
    return largeBytes + small * Self.chunkSize + (current - small) * Self.largeChunkSize + used
  }

  private var currentSize: Int { current < Self.smallChunks ? Self.chunkSize : Self.largeChunkSize }

  private mutating func addChunk() {
    let isSmall = chunks.count < Self.smallChunks
    let found =
      isSmall
      ? try? ReservedMemory(atMost: Self.chunkSize, atLeast: Self.chunkSize)
      : try? ReservedMemory.inLargePages(Self.largeChunkSize)
    guard let memory = found else {
      fatalError("There is no memory for the changes of the transaction.")
    }
    reserved.append(memory)
    chunks.append(memory.start)
  }

  /// Frees all buffers.
  mutating func reset() {
    for block in large.buffer { block.deallocate() }
    large.removeAll()
    largeBytes = 0
    if !chunks.isEmpty { (current, used) = (0, 0) }
    free.update(repeating: nil, count: Self.classes)
    while reserved.count > Self.smallChunks + Self.maxRetainedLargeChunks {
      reserved.removeLast()
      _ = chunks.popLast()
    }
  }

  /// Returns memory for `size` bytes, aligned to 8.
  mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let size = roundedUp(size)
    if size > Self.chunkSize / 4 {
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      large.append(block)
      largeBytes += size
      return block
    }
    if used + size > currentSize {
      current += 1
      used = 0
      if current == chunks.count { addChunk() }
    }
    defer { used += size }
    return chunks[current] + used
  }

  /// Returns memory for a node of `size` bytes; `freeNode` with the same size class makes it available again.
  mutating func allocateNode(_ size: Int) -> UnsafeMutableRawPointer {
    let slot = (size + Self.step - 1) / Self.step
    guard slot < Self.classes else { return allocate(size) }
    if let buffer = free[slot] {
      free[slot] = buffer.load(as: UnsafeMutableRawPointer?.self)
      return buffer
    }
    return allocate(slot * Self.step)
  }

  mutating func freeNode(_ buffer: UnsafeMutableRawPointer, _ size: Int) {
    let slot = (size + Self.step - 1) / Self.step
    guard slot < Self.classes else { return }
    buffer.storeBytes(of: free[slot], as: UnsafeMutableRawPointer?.self)
    free[slot] = buffer
  }
}
