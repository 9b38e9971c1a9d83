// The extents of a segment by size: there are few, so they are gone through.

extension AddressIndex {
  /// A search in one segment: the words from an index on.
  struct Search {
    fileprivate let segment: Int
    fileprivate let found: Segment
    fileprivate var index: Int
  }

  /// Returns a search in a segment for extents at or behind `offset`, which may lie before the segment.
  @inline(__always)
  func search(_ segment: Int, from offset: Int) -> Search {
    let found = segments[segment]
    let isWithin = self.segment(offset) == segment
    let index = isWithin ? Self.lowerBound(key(roundedUp(offset)), in: found) : 0
    return Search(segment: segment, found: found, index: index)
  }

  /// Returns the next extent of `size` granules.
  @inline(__always)
  func next(_ search: inout Search, ofSize size: Int) -> Extent? {
    guard let words = search.found.words,
      let index = firstIndex(ofSize: size, in: search.found, from: search.index)
    else { return nil }
    search.index = index &+ 1
    return extent(words[index], in: search.segment)
  }

  /// Returns the index of the first word from `begin` on that has the size. The words of a line are compared at once, so
  /// without a branch for each.
  @inline(__always)
  private func firstIndex(ofSize size: Int, in segment: Segment, from begin: Int) -> Int? {
    guard let words = segment.words else { return nil }
    let mask = Int32(truncatingIfNeeded: longSize)
    let size = Int32(truncatingIfNeeded: size)
    var start = begin & ~(Self.lineCapacity - 1)
    var least = Int32(truncatingIfNeeded: begin &- start)
    while start < segment.count {
      var first = Int32(Self.lineCapacity)
      for index in 0..<Int32(Self.lineCapacity) {
        // All bits set if the size is equal, and the word not before the first one.
        let isEqual = (((words[start &+ Int(index)] & mask) ^ size) &- 1) &>> 31
        let matches = isEqual & ~((index &- least) &>> 31)
        first = min(first, index | ~matches & Int32(Self.lineCapacity))
      }
      if first < Self.lineCapacity { return start &+ Int(first) }
      start &+= Self.lineCapacity
      least = 0
    }
    return nil
  }

  /// Returns the last extent of `size` granules that begins in the segment, below `limit`.
  func lastExtent(ofSize size: Int, in segment: Int, below limit: Int) -> Extent? {
    let found = segments[segment]
    guard let words = found.words else { return nil }
    for index in (0..<Int(found.count)).reversed() where Int(words[index]) & longSize == size {
      let extent = extent(words[index], in: segment)
      if extent.offset < limit { return extent }
    }
    return nil
  }

  /// Returns whether an extent of `size` granules begins in the segment.
  @inline(__always)
  func hasExtent(ofSize size: Int, in segment: Int) -> Bool {
    firstIndex(ofSize: size, in: segments[segment], from: 0) != nil
  }
}
