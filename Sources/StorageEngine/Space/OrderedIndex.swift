// An ordered set in raw memory: chunks of sorted elements, found through a sorted directory. The free space has several,
// by address and by size. With a hundred extents it is a few chunks, with a hundred thousand a few thousand. Nothing
// depends on addresses in memory or on hashes, so the same calls give the same file.

/// A value whose position in an order is determined by one number, which is not negative.
protocol Ordered: BitwiseCopyable {
  var key: Int { get }
}

struct OrderedIndex<Element: Ordered>: ~Copyable {
  /// Eight cache lines, of which a search reads three.
  private static var chunkCapacity: Int { 512 / MemoryLayout<Element>.stride }

  /// A position in the order; valid until the next change.
  struct Position {
    fileprivate(set) var chunk: Int
    fileprivate(set) var index: Int
  }

  private struct Chunk {
    var elements: UnsafeMutablePointer<Element>
    var count: Int
  }

  /// The key of the first element of each chunk: apart from the chunks, so that the search for one stays in few cache
  /// lines.
  private var firstKeys: UnsafeMutablePointer<Int>
  private var chunks: UnsafeMutablePointer<Chunk>
  private var chunkCount = 0
  private var directoryCapacity = 16
  private(set) var count = 0

  init() {
    firstKeys = .allocate(capacity: directoryCapacity)
    chunks = .allocate(capacity: directoryCapacity)
  }

  deinit {
    for index in 0..<chunkCount { chunks[index].elements.deallocate() }
    chunks.deallocate()
    firstKeys.deallocate()
  }

  // MARK: Search

  /// Returns the first position whose key is not less than `key`, or the end.
  @inline(__always)
  func lowerBound(_ key: Int) -> Position {
    guard chunkCount > 0 else { return Position(chunk: 0, index: 0) }
    // Both searches are branchless: half of their branches would be mispredicted, and that cost a commit more than the
    // memory accesses. The sign of a difference is used, since the compiler makes branches of comparisons. First the
    // last chunk whose first key is not greater than the key, or the first chunk.
    var low = 0
    var left = chunkCount
    while left > 1 {
      let half = left >> 1
      low &+= half & ~((key &- firstKeys[low &+ half]) >> (Int.bitWidth - 1))
      left &-= half
    }
    let chunk = chunks[low]
    var from = 0
    left = chunk.count
    while left > 0 {
      let half = (left &+ 1) >> 1
      from &+= half & ((chunk.elements[from &+ half &- 1].key &- key) >> (Int.bitWidth - 1))
      left &-= half
    }
    if from == chunk.count, low &+ 1 < chunkCount { return Position(chunk: low &+ 1, index: 0) }
    return Position(chunk: low, index: from)
  }

  /// The position after the last element.
  var end: Position {
    chunkCount == 0
      ? Position(chunk: 0, index: 0)
      : Position(chunk: chunkCount - 1, index: chunks[chunkCount - 1].count)
  }

  var first: Position { Position(chunk: 0, index: 0) }

  @inline(__always)
  func element(at position: Position) -> Element? {
    contains(position) ? chunks[position.chunk].elements[position.index] : nil
  }

  @inline(__always)
  private func contains(_ position: Position) -> Bool {
    position.chunk < chunkCount && position.index < chunks[position.chunk].count
  }

  @inline(__always)
  func next(_ position: Position) -> Position {
    assert(contains(position), "A position that is advanced is in the index.")
    if position.index &+ 1 < chunks[position.chunk].count || position.chunk &+ 1 >= chunkCount {
      return Position(chunk: position.chunk, index: position.index &+ 1)
    }
    return Position(chunk: position.chunk &+ 1, index: 0)
  }

  /// Returns the position before; nil at the first.
  @inline(__always)
  func previous(_ position: Position) -> Position? {
    if position.index > 0 { return Position(chunk: position.chunk, index: position.index &- 1) }
    guard position.chunk > 0 else { return nil }
    return Position(chunk: position.chunk &- 1, index: chunks[position.chunk &- 1].count &- 1)
  }

  var last: Element? {
    guard chunkCount > 0 else { return nil }
    let chunk = chunks[chunkCount - 1]
    return chunk.elements[chunk.count - 1]
  }

  // MARK: Change

  /// Replaces an element by one that has the same position in the order.
  @inline(__always)
  mutating func replace(at position: Position, by element: Element) {
    assert(contains(position), "An element that is replaced is in the index.")
    chunks[position.chunk].elements[position.index] = element
    if position.index == 0 { firstKeys[position.chunk] = element.key }
  }

  mutating func insert(_ element: Element) { insert(element, at: lowerBound(element.key)) }

  /// Inserts an element at its lower bound.
  mutating func insert(_ element: Element, at bound: Position) {
    count &+= 1
    guard chunkCount > 0 else { return insertChunk(at: 0, holding: element) }
    var position = bound
    // Between two chunks, append to the earlier one, so that insertions in ascending order fill chunks.
    if position.index == 0, position.chunk > 0 {
      position = Position(chunk: position.chunk - 1, index: chunks[position.chunk - 1].count)
    }
    if chunks[position.chunk].count == Self.chunkCapacity {
      if position.chunk == chunkCount - 1, position.index == Self.chunkCapacity {
        return insertChunk(at: chunkCount, holding: element)
      }
      split(position.chunk)
      let half = chunks[position.chunk].count
      if position.index > half {
        position = Position(chunk: position.chunk + 1, index: position.index - half)
      }
    }
    let chunk = chunks[position.chunk]
    let target = chunk.elements + position.index
    (target + 1).update(from: target, count: chunk.count &- position.index)
    target.pointee = element
    chunks[position.chunk].count = chunk.count &+ 1
    if position.index == 0 { firstKeys[position.chunk] = element.key }
  }

  @inline(__always)
  mutating func remove(at position: Position) {
    assert(contains(position), "An element that is removed is in the index.")
    count &-= 1
    let chunk = chunks[position.chunk]
    let left = chunk.count &- 1
    guard left > 0 else { return removeChunk(position.chunk) }
    let target = chunk.elements + position.index
    target.update(from: target + 1, count: left &- position.index)
    chunks[position.chunk].count = left
    if position.index == 0 { firstKeys[position.chunk] = chunk.elements[0].key }
  }

  // MARK: Chunks

  private mutating func insertChunk(at index: Int, holding element: Element) {
    assert(index >= 0 && index <= chunkCount, "A chunk is inserted within the directory.")
    if chunkCount == directoryCapacity { growDirectory() }
    let moved = chunkCount - index
    (firstKeys + index + 1).update(from: firstKeys + index, count: moved)
    (chunks + index + 1).update(from: chunks + index, count: moved)
    let elements = UnsafeMutablePointer<Element>.allocate(capacity: Self.chunkCapacity)
    elements[0] = element
    chunks[index] = Chunk(elements: elements, count: 1)
    firstKeys[index] = element.key
    chunkCount += 1
  }

  private mutating func growDirectory() {
    let keys = UnsafeMutablePointer<Int>.allocate(capacity: directoryCapacity * 2)
    keys.moveInitialize(from: firstKeys, count: chunkCount)
    firstKeys.deallocate()
    firstKeys = keys
    let larger = UnsafeMutablePointer<Chunk>.allocate(capacity: directoryCapacity * 2)
    larger.moveInitialize(from: chunks, count: chunkCount)
    chunks.deallocate()
    chunks = larger
    directoryCapacity *= 2
  }

  private mutating func split(_ index: Int) {
    let half = chunks[index].count / 2
    let moved = chunks[index].count - half
    insertChunk(at: index + 1, holding: chunks[index].elements[half])
    chunks[index + 1].elements.update(from: chunks[index].elements + half, count: moved)
    chunks[index + 1].count = moved
    chunks[index].count = half
  }

  private mutating func removeChunk(_ index: Int) {
    assert(index >= 0 && index < chunkCount, "A chunk that is removed is in the directory.")
    chunks[index].elements.deallocate()
    chunkCount -= 1
    (firstKeys + index).update(from: firstKeys + index + 1, count: chunkCount - index)
    (chunks + index).update(from: chunks + index + 1, count: chunkCount - index)
  }
}
