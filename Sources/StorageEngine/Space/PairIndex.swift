// An ordered set of pairs of integers: chunks of sorted pairs in raw memory, found through a sorted directory. The free
// space has several, by address and by size. With a hundred extents it is one sorted array, with a hundred thousand a
// two-level one. Nothing depends on addresses or hashes, so the same calls give the same file.

struct Pair: Equatable {
  var first: Int
  var second: Int

  @inline(__always)
  static func < (a: Pair, b: Pair) -> Bool {
    a.first < b.first || (a.first == b.first && a.second < b.second)
  }

  /// Returns all ones if `a` is less than `b`, else zero. The search is branchless: half of its branches would be
  /// mispredicted, and that cost a commit more than the memory accesses.
  @inline(__always)
  static func maskIfLess(_ a: Pair, _ b: Pair) -> Int {
    let isFirstBelow = a.first < b.first ? 1 : 0
    let isFirstSame = a.first == b.first ? 1 : 0
    let isSecondBelow = a.second < b.second ? 1 : 0
    return 0 &- (isFirstBelow | (isFirstSame & isSecondBelow))
  }
}

struct PairIndex: ~Copyable {
  private static let chunkCapacity = 32

  private struct Chunk {
    var pairs: UnsafeMutablePointer<Pair>
    var count: Int
    /// A copy of its first pair, so that the search for a chunk stays within the directory.
    var first: Pair
  }

  /// A position in the order; valid until the next change.
  struct Position {
    fileprivate var chunk: Int
    fileprivate var index: Int
  }

  private var chunks: UnsafeMutablePointer<Chunk>
  private var chunkCount = 0
  private var directoryCapacity = 16
  private(set) var count = 0

  init() { chunks = .allocate(capacity: directoryCapacity) }

  deinit {
    for index in 0..<chunkCount { chunks[index].pairs.deallocate() }
    chunks.deallocate()
  }

  /// Returns the first position whose pair is not less than `pair`, or the end.
  @inline(__always)
  func lowerBound(_ pair: Pair) -> Position {
    guard chunkCount > 0 else { return Position(chunk: 0, index: 0) }
    // Find the last chunk whose first pair is not greater than the pair, or the first chunk.
    var low = 0
    var left = chunkCount
    while left > 1 {
      let half = left >> 1
      low &+= half & ~Pair.maskIfLess(pair, chunks[low &+ half].first)
      left &-= half
    }
    let chunk = chunks[low]
    var from = 0
    left = chunk.count
    while left > 0 {
      let half = (left &+ 1) >> 1
      from &+= half & Pair.maskIfLess(chunk.pairs[from &+ half &- 1], pair)
      left &-= half
    }
    if from == chunk.count, low &+ 1 < chunkCount { return Position(chunk: low &+ 1, index: 0) }
    return Position(chunk: low, index: from)
  }

  var first: Position { Position(chunk: 0, index: 0) }

  @inline(__always)
  func pair(at position: Position) -> Pair? {
    guard position.chunk < chunkCount, position.index < chunks[position.chunk].count else {
      return nil
    }
    return chunks[position.chunk].pairs[position.index]
  }

  /// Returns whether there is a pair at the position.
  @inline(__always)
  private func contains(_ position: Position) -> Bool {
    position.chunk >= 0 && position.chunk < chunkCount && position.index >= 0
      && position.index < chunks[position.chunk].count
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

  var last: Pair? {
    guard chunkCount > 0 else { return nil }
    let chunk = chunks[chunkCount - 1]
    return chunk.pairs[chunk.count - 1]
  }

  /// Replaces a pair by one that has the same position in the order.
  @inline(__always)
  mutating func replace(at position: Position, by pair: Pair) {
    assert(contains(position), "A pair that is replaced is in the index.")
    chunks[position.chunk].pairs[position.index] = pair
    if position.index == 0 { chunks[position.chunk].first = pair }
  }

  mutating func insert(_ pair: Pair) {
    count &+= 1
    guard chunkCount > 0 else { return insertChunk(at: 0, holding: pair) }
    var position = lowerBound(pair)
    // Between two chunks, append to the earlier one, so that insertions in ascending order fill chunks.
    if position.index == 0, position.chunk > 0 {
      position = Position(chunk: position.chunk - 1, index: chunks[position.chunk - 1].count)
    }
    if chunks[position.chunk].count == Self.chunkCapacity {
      if position.chunk == chunkCount - 1, position.index == Self.chunkCapacity {
        return insertChunk(at: chunkCount, holding: pair)
      }
      split(position.chunk)
      let half = chunks[position.chunk].count
      if position.index > half {
        position = Position(chunk: position.chunk + 1, index: position.index - half)
      }
    }
    let chunk = chunks[position.chunk]
    let target = chunk.pairs + position.index
    (target + 1).update(from: target, count: chunk.count &- position.index)
    target.pointee = pair
    chunks[position.chunk].count &+= 1
    if position.index == 0 { chunks[position.chunk].first = pair }
  }

  mutating func remove(at position: Position) {
    assert(contains(position), "A pair that is removed is in the index.")
    count &-= 1
    let chunk = chunks[position.chunk]
    let target = chunk.pairs + position.index
    target.update(from: target + 1, count: chunk.count &- position.index &- 1)
    chunks[position.chunk].count &-= 1
    if chunk.count == 1 {
      removeChunk(position.chunk)
    } else if position.index == 0 {
      chunks[position.chunk].first = chunk.pairs[0]
    }
  }

  mutating func remove(_ pair: Pair) {
    let position = lowerBound(pair)
    precondition(self.pair(at: position) == pair, "The free space indexes disagree (FREE-2).")
    remove(at: position)
  }

  private mutating func insertChunk(at index: Int, holding pair: Pair) {
    assert(index >= 0 && index <= chunkCount, "A chunk is inserted within the directory.")
    if chunkCount == directoryCapacity {
      let larger = UnsafeMutablePointer<Chunk>.allocate(capacity: directoryCapacity * 2)
      larger.moveInitialize(from: chunks, count: chunkCount)
      chunks.deallocate()
      chunks = larger
      directoryCapacity *= 2
    }
    (chunks + index + 1).update(from: chunks + index, count: chunkCount - index)
    let pairs = UnsafeMutablePointer<Pair>.allocate(capacity: Self.chunkCapacity + 1)
    pairs[0] = pair
    chunks[index] = Chunk(pairs: pairs, count: 1, first: pair)
    chunkCount += 1
  }

  private mutating func split(_ index: Int) {
    let half = chunks[index].count / 2
    let moved = chunks[index].count - half
    insertChunk(at: index + 1, holding: chunks[index].pairs[half])
    chunks[index + 1].pairs.update(from: chunks[index].pairs + half, count: moved)
    chunks[index + 1].count = moved
    chunks[index].count = half
  }

  private mutating func removeChunk(_ index: Int) {
    assert(index >= 0 && index < chunkCount, "A chunk that is removed is in the directory.")
    chunks[index].pairs.deallocate()
    (chunks + index).update(from: chunks + index + 1, count: chunkCount - index - 1)
    chunkCount -= 1
  }
}
