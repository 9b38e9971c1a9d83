// Insertion and removal of extents in the order by address.

extension AddressIndex {
  /// Inserts an extent at its lower bound.
  @inline(__always)
  mutating func insert(_ extent: Extent, at bound: Position) {
    let segment = segment(extent.offset)
    // The bound may lie in a later segment.
    let index = bound.segment == segment ? bound.index : Int(segments[segment].count)
    insert(encode(extent), segment, index)
    if extent.size / Layout.granule >= longSize { long.insert(extent) }
  }

  private mutating func insert(_ word: Int32, _ segment: Int, _ index: Int) {
    precondition(segment < segmentCount, "An extent begins where the index covers the file.")
    if segments[segment].count == segments[segment].capacity { makeRoom(in: segment) }
    let found = segments[segment]
    let target = found.words.unsafelyUnwrapped + index
    (target + 1).update(from: target, count: Int(found.count) &- index)
    target.pointee = word
    segments[segment].count = found.count &+ 1
    count &+= 1
  }

  /// Doubles the capacity of a segment; at first it is the line in the table.
  private func makeRoom(in segment: Int) {
    let full = segments[segment]
    let capacity = max(Self.lineCapacity, 2 * Int(full.capacity))
    let words = full.words == nil ? line(of: segment) : .allocate(capacity: capacity)
    words.initialize(repeating: Self.padding, count: capacity)
    if let old = full.words {
      words.update(from: old, count: Int(full.count))
      free(full)
    } else {
      occupied.insert(segment, in: occupiedWords)
    }
    segments[segment] = Segment(words: words, count: full.count, capacity: Int32(capacity))
  }

  @inline(__always)
  mutating func remove(at position: Position) {
    assert(contains(position), "An extent that is removed is in the index.")
    let segment = segments[position.segment]
    let words = segment.words.unsafelyUnwrapped
    let target = words + position.index
    if isLong(target.pointee) { removeLong(target.pointee, position.segment) }
    let left = Int(segment.count) &- 1
    count &-= 1
    guard left > 0 else { return empty(position.segment) }
    target.update(from: target + 1, count: left &- position.index)
    words[left] = Self.padding
    segments[position.segment].count = Int32(truncatingIfNeeded: left)
  }

  private func empty(_ segment: Int) {
    free(segments[segment])
    segments[segment] = Segment(words: nil, count: 0, capacity: 0)
    occupied.remove(segment, in: occupiedWords)
  }

  @inline(__always)
  private func isLong(_ word: Int32) -> Bool { Int(word) & longSize == longSize }

  private mutating func removeLong(_ word: Int32, _ segment: Int) {
    long.remove(at: long.lowerBound(extent(word, in: segment).offset))
  }

  /// Replaces an extent by one that has the same position in the order, in the same segment or in another.
  @inline(__always)
  mutating func replace(at position: Position, by new: Extent) {
    assert(contains(position), "An extent that is replaced is in the index.")
    guard segment(new.offset) == position.segment else { return move(position, to: new) }
    let target = segments[position.segment].words.unsafelyUnwrapped + position.index
    if isLong(target.pointee) { removeLong(target.pointee, position.segment) }
    target.pointee = encode(new)
    if new.size / Layout.granule >= longSize { long.insert(new) }
  }

  private mutating func move(_ position: Position, to new: Extent) {
    remove(at: position)
    insert(new, at: lowerBound(new.offset))
  }
}
