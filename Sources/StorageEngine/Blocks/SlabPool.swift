// Blocks of one size, cut from slabs that are freed together (Bonwick, The Slab Allocator, USENIX 1994). An index takes
// thousands of them, and a replay frees them all: taken one by one from the C library's heap, they would leave holes between
// what lives longer.

struct SlabPool: ~Copyable {
  private let blockSize: Int
  private let alignment: Int
  private var slabs = UniqueList<RawBuffer>(capacity: 0)
  /// The blocks of a slab. The first is small, since few are enough for a small index; others are mapped, and not in the heap.
  private var slabBlocks: Int { slabs.isEmpty ? 4 : 64 }
  /// The part of the last slab that no block was cut from.
  private var unused: UnsafeMutableRawPointer?
  private var unusedBlocks = 0
  /// The blocks that were freed, linked through their first word.
  private var free: UnsafeMutableRawPointer?
  private(set) var usedCount = 0
  private(set) var freeCount = 0

  init(blockSize: Int, alignment: Int) {
    precondition(
      blockSize >= MemoryLayout<UnsafeMutableRawPointer?>.size && blockSize % alignment == 0,
      "A free block holds the address of the next.")
    (self.blockSize, self.alignment) = (blockSize, alignment)
  }

  /// Returns a block, whose bytes have any value. It is valid as long as the pool.
  mutating func allocate() -> UnsafeMutableRawPointer {
    usedCount += 1
    if let block = free {
      freeCount -= 1
      free = block.load(as: UnsafeMutableRawPointer?.self)
      return block
    }
    if unusedBlocks == 0 { addSlab() }
    guard let block = unused else { preconditionFailure("A slab that was added has a block.") }
    unused = block + blockSize
    unusedBlocks -= 1
    return block
  }

  mutating func deallocate(_ block: UnsafeMutableRawPointer) {
    block.storeBytes(of: free, as: UnsafeMutableRawPointer?.self)
    free = block
    usedCount -= 1
    freeCount += 1
  }

  private mutating func addSlab() {
    let blocks = slabBlocks
    let slab = RawBuffer(count: blocks * blockSize, alignment: alignment)
    (unused, unusedBlocks) = (slab.start, blocks)
    slabs.append(slab)
  }
}
