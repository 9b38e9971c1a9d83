import Testing

@testable import StorageEngine

@Suite("Buffers")
struct RawBufferTests {
  private func isAtPage(_ address: UnsafeMutableRawPointer) -> Bool {
    UInt(bitPattern: address) % UInt(Layout.pageSize) == 0
  }

  @Test("a large buffer is mapped, whole pages from its first byte on; a small one is in the heap")
  func mapped() {
    // What the C library maps by itself begins behind its header, in the middle of a page.
    for count in [MappedBlocks.maxHeapBytes + 1, 1 << 15, 1 << 18, 1 << 22] {
      let buffer = RawBuffer(count: count)
      let start = buffer.start
      #expect(isAtPage(start))
      start.storeBytes(of: 7, toByteOffset: count - 1, as: UInt8.self)
      let last = buffer.prefix(count).last
      #expect(last == 7)
    }
    let first = RawBuffer(count: 1000)
    let second = RawBuffer(count: 1000)
    let areMapped = isAtPage(first.start) && isAtPage(second.start)
    #expect(!areMapped)
  }

  @Test("a buffer begins at a multiple of its alignment, and has all its bytes")
  func alignment() {
    for alignment in [16, 64, Layout.pageSize] {
      for count in [1, alignment - 1, alignment, 2048, MappedBlocks.maxHeapBytes] {
        let buffers = (0..<3).map { _ in Buffer(count, alignment) }
        for (number, buffer) in buffers.enumerated() { buffer.fill(UInt8(number)) }
        for (number, buffer) in buffers.enumerated() {
          #expect(buffer.isAligned && buffer.areAllBytes(UInt8(number)))
        }
      }
    }
  }

  /// A buffer that an array can hold.
  private final class Buffer {
    private let memory: RawBuffer
    private let alignment: Int

    init(_ count: Int, _ alignment: Int) {
      memory = RawBuffer(count: count, alignment: alignment)
      self.alignment = alignment
    }

    var isAligned: Bool { UInt(bitPattern: memory.start) % UInt(alignment) == 0 }

    func fill(_ byte: UInt8) {
      memory.start.initializeMemory(as: UInt8.self, repeating: byte, count: memory.count)
    }

    func areAllBytes(_ byte: UInt8) -> Bool {
      memory.prefix(memory.count).allSatisfy { $0 == byte }
    }
  }

  @Test(
    "of the blocks that buffers return so many are retained as the limit allows, and they are used again"
  )
  func retainedBlocks() throws {
    let size = MappedBlocks.minSize
    let blocks = MappedBlocks(limit: 2 * size)
    let first = try blocks.acquire(size - 10_000)
    #expect(first.isZero && first.memory.capacity == size)
    first.memory.start.storeBytes(of: 7, as: UInt8.self)
    let (second, third) = (try blocks.acquire(size), try blocks.acquire(size - 1))
    for memory in [first.memory, second.memory, third.memory] { blocks.release(memory) }
    #expect(blocks.idleBytes == 2 * size)
    let again = [try blocks.acquire(size), try blocks.acquire(size), try blocks.acquire(size)]
    #expect(again.map(\.isZero) == [false, false, true])
    #expect(again.prefix(2).contains { $0.memory === first.memory })
    #expect(blocks.idleBytes == 0)
    // Larger blocks go back at once.
    blocks.release(try blocks.acquire(size + 1).memory)
    #expect(blocks.idleBytes == 0)
  }

  @Test("a buffer of zeros has them where another buffer left its bytes")
  func zeros() {
    for _ in 0..<20 {
      let count = 3 << 14
      let dirty = RawBuffer(count: count)
      dirty.start.initializeMemory(as: UInt8.self, repeating: 255, count: count)
      let behind = 1000
      let clean = RawBuffer(zeros: count - behind, behind: behind)
      let bytes = UnsafeRawBufferPointer(start: clean.start + behind, count: count - behind)
      let areZero = bytes.allSatisfy { $0 == 0 }
      #expect(areZero)
      clean.start.initializeMemory(as: UInt8.self, repeating: 255, count: count)
    }
  }

  @Test("the memory of a transaction is mapped, and used again after it")
  func arena() {
    var arena = Arena()
    let first = arena.allocate(64)
    #expect(isAtPage(first))
    // More than four small chunks and two large ones.
    for _ in 0..<400 { _ = arena.allocate(1 << 16) }
    arena.reset()
    let again = arena.allocate(64)
    let bytes = arena.bytesAllocated
    #expect(again == first && bytes == 64)
  }
}
