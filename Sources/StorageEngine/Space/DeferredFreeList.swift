// The deferred free extents of one registered version, in the order in which they were appended: chunks from a pool that the
// lists of all versions share. There are hundreds of such lists, of a few extents or of thousands, and they end together.

struct DeferredFreeList {
  private struct Chunk {
    var next: UnsafeMutablePointer<Chunk>?
    var count = 0
  }

  private static let chunkSize = 512
  private static let headerSize = MemoryLayout<Chunk>.stride
  private static let chunkCapacity =
    (chunkSize - headerSize) / MemoryLayout<DeferredFreeExtent>.stride

  private var first: UnsafeMutablePointer<Chunk>?
  private var last: UnsafeMutablePointer<Chunk>?
  private(set) var count = 0

  /// Creates a pool for the chunks of lists.
  static func makePool() -> SlabPool { SlabPool(blockSize: chunkSize, alignment: 16) }

  mutating func append(_ extent: DeferredFreeExtent, _ pool: inout SlabPool) {
    if last.map({ $0.pointee.count == Self.chunkCapacity }) ?? true { addChunk(&pool) }
    guard let last else { preconditionFailure("A list to which a chunk was added has one.") }
    (Self.extents(last) + last.pointee.count).initialize(to: extent)
    last.pointee.count += 1
    count += 1
  }

  private mutating func addChunk(_ pool: inout SlabPool) {
    let chunk = pool.allocate().bindMemory(to: Chunk.self, capacity: 1)
    chunk.initialize(to: Chunk())
    if let last { last.pointee.next = chunk } else { first = chunk }
    last = chunk
  }

  private static func extents(
    _ chunk: UnsafeMutablePointer<Chunk>
  ) -> UnsafeMutablePointer<DeferredFreeExtent> {
    (UnsafeMutableRawPointer(chunk) + headerSize).assumingMemoryBound(to: DeferredFreeExtent.self)
  }

  /// Calls `body` with the address of each extent.
  func enumerate(_ body: (UnsafeMutablePointer<DeferredFreeExtent>) -> Void) {
    var next = first
    while let chunk = next {
      for index in 0..<chunk.pointee.count { body(Self.extents(chunk) + index) }
      next = chunk.pointee.next
    }
  }

  /// Returns the chunks to their pool.
  consuming func deallocate(to pool: inout SlabPool) {
    var next = first
    while let chunk = next {
      next = chunk.pointee.next
      pool.deallocate(chunk)
    }
  }
}
