// The length of the file, and the limit above which nothing is allocated.

extension FreeSpace {
  /// Extends the file to `newEnd`; the added bytes are free.
  mutating func grow(to newEnd: Int) {
    precondition(newEnd > end, "The file must grow to more than its present length.")
    unreserveRegions()
    let added = Extent(offset: end, size: newEnd - end)
    end = newEnd
    free(added)
  }

  /// Truncates the file to `newEnd`; the removed bytes must be free.
  mutating func truncate(to newEnd: Int) {
    unreserveRegions()
    while newEnd < end {
      guard let tail, tail.end == end else {
        preconditionFailure("Only free bytes may be truncated (FREE-5).")
      }
      let from = max(tail.offset, newEnd)
      let removed = remove(Extent(offset: from, size: end - from))
      precondition(removed, "Only free bytes may be truncated (FREE-5).")
      end = from
    }
  }

  /// The free extent at the highest offset.
  var tail: Extent? { index.byAddress.last }

  /// The offset from which all bytes up to the end of the file are free; `end` if the last byte is in use.
  var freeTailOffset: Int {
    var start = end
    var position = index.byAddress.previous(index.lowerBound(end))
    while let current = position, let extent = index.byAddress.element(at: current),
      extent.end == start
    {
      start = extent.offset
      position = index.byAddress.previous(current)
    }
    return start
  }

  /// Allocates nothing at or above `newLimit` from here on; `Int.max` removes the limit.
  mutating func setLimit(_ newLimit: Int) {
    guard newLimit != limit else { return }
    unreserveRegions()
    makeIndex(limit: newLimit, covering: end)
    longLivedRegion = BumpRegion()
    shortLivedRegion = BumpRegion()
  }

  /// Makes an index that covers the file up to this offset at least, and with room for more extents.
  mutating func extendIndex(toCover newEnd: Int) {
    makeIndex(limit: limit, covering: max(newEnd, end))
  }

  /// Makes another index of the free extents.
  private mutating func makeIndex(limit: Int, covering end: Int) {
    var all = UniqueList<Extent>(capacity: max(1, extentCount))
    enumerate { all.append($0) }
    index = ExtentIndex(limit: limit, covering: end, expecting: extentCount + 1, allocation)
    let before = bytes
    var sum = 0
    for extent in all.buffer {
      free(extent)
      sum += extent.size
    }
    precondition(bytes - before == sum, "No byte is lost when the index is made (FREE-5).")
    bytes = before
  }
}
