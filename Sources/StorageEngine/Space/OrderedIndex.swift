// An ordered set in raw memory: chunks of sorted elements, found through a sorted directory. The free space has several,
// by address and by size. With a hundred extents it is a few chunks, with a hundred thousand a few thousand. Nothing
// depends on addresses in memory or on hashes, so the same calls give the same file.

/// A value whose position in an order is determined by one number, which is not negative.
protocol Ordered: BitwiseCopyable {
  var key: Int { get }
  /// The value after all others.
  static var last: Self { get }
}

struct OrderedIndex<Element: Ordered>: ~Copyable {
  private static var lineSize: Int { 64 }
  private static var lineCount: Int { 8 }
  private static var lineCapacity: Int { lineSize / MemoryLayout<Element>.stride }
  private static var chunkCapacity: Int { lineCount * lineCapacity }

  /// A position in the order; valid until the next change.
  struct Position {
    fileprivate(set) var chunk: Int
    fileprivate(set) var index: Int
  }

  private struct Chunk {
    /// Eight cache lines; behind the elements, `last` up to the capacity.
    var elements: UnsafeMutablePointer<Element>
    var count: Int
  }

  /// The number of parts in which a step of a search divides the directory: 8.
  private static var fanOutBits: Int { 3 }
  private static var fanOut: Int { 1 << fanOutBits }

  /// The memory of the keys, and behind them of the chunks.
  private var directory: RawBuffer
  /// The key of the first element of each chunk: apart from the chunks, so that the search for one stays in few cache
  /// lines. Behind them, the largest number up to the capacity.
  private var firstKeys: UnsafeMutablePointer<Int>
  private var chunks: UnsafeMutablePointer<Chunk>
  private var pool = SlabPool(blockSize: lineCount * lineSize, alignment: lineSize)
  private var chunkCount = 0
  /// A power of 2.
  private var directoryCapacity = 16
  /// The distance of the keys that the first step of a search compares: the largest power of `fanOut` below the capacity.
  private var directoryStep = fanOut
  /// The parts in which the first step divides it.
  private var directoryParts = 2
  private(set) var count = 0
  private let passedByAddress = PassedByAddress()

  init() {
    directory = Self.allocateDirectory(directoryCapacity)
    (firstKeys, chunks) = Self.parts(of: directory, directoryCapacity)
  }

  // MARK: Search

  /// Returns the last chunk whose first key is not greater than `key`, or the first chunk. There is at least one.
  ///
  /// Each step compares seven keys that divide the range in eight. No search here branches on a comparison: half of such
  /// branches would be mispredicted, and that cost a commit more than the memory accesses. The signs of differences are
  /// added up, since the compiler makes branches of a binary search even if it is written without.
  @inline(__always)
  private func chunkIndex(_ key: Int) -> Int {
    let after = key &+ 1
    var low = 0
    var step = directoryStep
    for index in 1..<directoryParts {
      low &-= (firstKeys[index &* step] &- after) >> (Int.bitWidth - 1)
    }
    low &*= step
    while step > 1 {
      step &>>= Self.fanOutBits
      var steps = 0
      for index in 1..<Self.fanOut {
        steps &-= (firstKeys[low &+ index &* step] &- after) >> (Int.bitWidth - 1)
      }
      low &+= steps &* step
    }
    return low
  }

  /// Returns the first position whose key is not less than `key`, or the end.
  @inline(__always)
  func lowerBound(_ key: Int) -> Position {
    guard chunkCount > 0 else { return Position(chunk: 0, index: 0) }
    let low = chunkIndex(key)
    let chunk = chunks[low]
    let from = Self.lowerBound(key, in: chunk.elements)
    if from == chunk.count, low &+ 1 < chunkCount { return Position(chunk: low &+ 1, index: 0) }
    return Position(chunk: low, index: from)
  }

  /// Returns the number of elements of a chunk whose key is less than `key`. One element of each cache line is compared,
  /// then those of one line: these loads do not wait for each other, as those of a binary search do, so a chunk that is
  /// not in the cache takes the time of one miss.
  @inline(__always)
  private static func lowerBound(_ key: Int, in elements: UnsafeMutablePointer<Element>) -> Int {
    var line = 0
    for first in 1..<lineCount {
      line &-= (elements[first &* lineCapacity].key &- key) >> (Int.bitWidth - 1)
    }
    let start = line &* lineCapacity
    var count = start
    for index in 0..<lineCapacity {
      count &-= (elements[start &+ index].key &- key) >> (Int.bitWidth - 1)
    }
    return count
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
    chunk.elements[left] = .last
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
    let elements = allocateElements()
    elements[0] = element
    chunks[index] = Chunk(elements: elements, count: 1)
    firstKeys[index] = element.key
    chunkCount += 1
  }

  private mutating func allocateElements() -> UnsafeMutablePointer<Element> {
    pool.allocate().initializeMemory(as: Element.self, repeating: .last, count: Self.chunkCapacity)
  }

  private mutating func growDirectory() {
    let larger = Self.allocateDirectory(directoryCapacity * 2)
    let (keys, moved) = Self.parts(of: larger, directoryCapacity * 2)
    keys.update(from: firstKeys, count: chunkCount)
    moved.moveInitialize(from: chunks, count: chunkCount)
    (firstKeys, chunks) = (keys, moved)
    directory = larger
    directoryCapacity *= 2
    directoryParts *= 2
    if directoryParts > Self.fanOut {
      directoryParts /= Self.fanOut
      directoryStep *= Self.fanOut
    }
  }

  /// Returns memory for a directory, with its keys initialized.
  private static func allocateDirectory(_ capacity: Int) -> RawBuffer {
    let memory = RawBuffer(
      count: capacity * (MemoryLayout<Int>.stride + MemoryLayout<Chunk>.stride))
    parts(of: memory, capacity).keys.initialize(repeating: Int.max, count: capacity)
    return memory
  }

  private static func parts(
    of memory: borrowing RawBuffer, _ capacity: Int
  ) -> (keys: UnsafeMutablePointer<Int>, chunks: UnsafeMutablePointer<Chunk>) {
    let behindKeys = memory.start + capacity * MemoryLayout<Int>.stride
    return (
      memory.start.assumingMemoryBound(to: Int.self),
      behindKeys.assumingMemoryBound(to: Chunk.self)
    )
  }

  private mutating func split(_ index: Int) {
    let half = chunks[index].count / 2
    let moved = chunks[index].count - half
    insertChunk(at: index + 1, holding: chunks[index].elements[half])
    let elements = chunks[index].elements + half
    chunks[index + 1].elements.update(from: elements, count: moved)
    chunks[index + 1].count = moved
    elements.update(repeating: .last, count: moved)
    chunks[index].count = half
  }

  private mutating func removeChunk(_ index: Int) {
    assert(index >= 0 && index < chunkCount, "A chunk that is removed is in the directory.")
    pool.deallocate(chunks[index].elements)
    chunkCount -= 1
    (firstKeys + index).update(from: firstKeys + index + 1, count: chunkCount - index)
    firstKeys[chunkCount] = Int.max
    (chunks + index).update(from: chunks + index + 1, count: chunkCount - index)
  }
}
