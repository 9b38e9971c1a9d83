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
    for count in [1 << 15, 1 << 18, 1 << 22] {
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
