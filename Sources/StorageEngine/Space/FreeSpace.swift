// The free extents, indexed by address and by size. Placement/ has the strategies that choose among them,
// FreeSpace+Regions.swift the regions that some of them reserve, FreeSpace+Invariants.swift the invariants.

struct FreeSpace: ~Copyable {
  let allocation: Allocation
  /// The size of the pages that the strategy uses as a whole.
  let pageSize: Int
  var byAddress = PairIndex()
  /// Pairs of size and offset. Extents at or above the limit are not in this index, so they are not allocated.
  var bySize = PairIndex()
  /// Pairs of page count and offset, for the extents in `bySize` that contain whole pages. Maintained only for
  /// strategies that use whole pages.
  var byPages = PairIndex()
  /// The number of pages in `byPages`.
  private(set) var freePages = 0
  /// The logical length of the file.
  private(set) var end: Int
  /// The number of free bytes, including those above the limit.
  var bytes = 0
  /// Whether an extent was freed that was free already, at least in part.
  private(set) var hasDoubleFree = false
  /// Nothing is allocated at or above this offset while a compaction empties the end of the file.
  private(set) var limit = Int.max

  /// The regions for long-lived and for short-lived blocks.
  var longLivedRegion = BumpRegion()
  var shortLivedRegion = BumpRegion()
  /// The end of the hole that was filled last.
  var lastHoleEnd = 0
  /// The estimated number of bytes that this commit has left to allocate.
  var expectedBytes = 0
  /// Whether this is a bulk commit, whose blocks are laid out back to back.
  var isBulkCommit = false
  /// The bytes of short-lived blocks in this commit, and the pages that the next one will need for them.
  var shortLivedBytes = 0
  var reservedPages = 0

  init(end: Int, _ allocation: Allocation = .tightFit) {
    self.end = end
    self.allocation = allocation
    pageSize = allocation.pageSize
  }

  /// Free bytes that the strategy cannot use, because the rest of their page is in use.
  var scatteredBytes: Int {
    allocation.isolatesCommits && limit == Int.max ? bytes - freePages * pageSize : 0
  }

  var extentCount: Int { byAddress.count }
  var sizeIndexCount: Int { bySize.count }

  func isInSizeIndex(_ extent: Extent) -> Bool {
    let pair = Pair(first: extent.size, second: extent.offset)
    return bySize.pair(at: bySize.lowerBound(pair)) == pair
  }

  /// Returns the number of whole pages in the extent.
  @inline(__always)
  func wholePages(_ extent: Extent) -> Int {
    let first = roundedUp(extent.offset, to: pageSize)
    return max(0, (extent.end & ~(pageSize - 1)) - first) / pageSize
  }

  /// Allocates the first `size` bytes of the extent at a position in the index by size. nil at its end.
  mutating func allocateFront(at position: PairIndex.Position, _ size: Int) -> Int? {
    guard let found = bySize.pair(at: position) else { return nil }
    let extent = Extent(offset: found.second, size: found.first)
    bySize.remove(at: position)
    removeFromPageIndex(extent)
    let addressPosition = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    if extent.size == size {
      byAddress.remove(at: addressPosition)
    } else {
      let rest = Extent(offset: extent.offset &+ size, size: extent.size &- size)
      byAddress.replace(at: addressPosition, by: Pair(first: rest.offset, second: rest.size))
      addToSizeIndexes(rest)
    }
    bytes &-= size
    return extent.offset
  }

  /// Frees an extent: joins it with free neighbors (FREE-3), except across the limit (FREE-4). An extent that is free
  /// already, at least in part, is ignored and recorded as a double free; only a damaged file leads to one (FREE-1).
  mutating func free(_ extent: Extent) {
    if extent.offset < limit, extent.end > limit {
      freePart(Extent(offset: extent.offset, size: limit - extent.offset))
      freePart(Extent(offset: limit, size: extent.end - limit))
    } else {
      freePart(extent)
    }
  }

  private mutating func freePart(_ extent: Extent) {
    var joined = extent
    let next = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    let following = byAddress.pair(at: next)
    var before: (PairIndex.Position, Extent)?
    if let position = byAddress.previous(next), let pair = byAddress.pair(at: position) {
      let previous = Extent(offset: pair.first, size: pair.second)
      guard previous.end <= extent.offset else {
        hasDoubleFree = true
        return
      }
      if previous.end == extent.offset, extent.offset != limit { before = (position, previous) }
    }
    guard following.map({ extent.end <= $0.first }) ?? true else {
      hasDoubleFree = true
      return
    }
    bytes &+= extent.size
    if let following, following.first == extent.end, extent.end != limit {
      removeFromSizeIndexes(Extent(offset: following.first, size: following.second))
      joined.size &+= following.second
      if before == nil {
        byAddress.replace(at: next, by: Pair(first: joined.offset, second: joined.size))
        return addToSizeIndexes(joined)
      }
      byAddress.remove(at: next)
    }
    if let (position, previous) = before {
      removeFromSizeIndexes(previous)
      joined = Extent(offset: previous.offset, size: previous.size &+ joined.size)
      // The removal above was after this position, in its chunk or a later one.
      byAddress.replace(at: position, by: Pair(first: joined.offset, second: joined.size))
    } else {
      byAddress.insert(Pair(first: joined.offset, second: joined.size))
    }
    addToSizeIndexes(joined)
  }

  @inline(__always)
  private mutating func addToSizeIndexes(_ extent: Extent) {
    guard extent.offset < limit else { return }
    bySize.insert(Pair(first: extent.size, second: extent.offset))
    guard tracksPages, extent.size >= pageSize else { return }
    let pages = wholePages(extent)
    guard pages > 0 else { return }
    byPages.insert(Pair(first: pages, second: extent.offset))
    freePages &+= pages
  }

  @inline(__always)
  private mutating func removeFromSizeIndexes(_ extent: Extent) {
    guard extent.offset < limit else { return }
    bySize.remove(Pair(first: extent.size, second: extent.offset))
    removeFromPageIndex(extent)
  }

  @inline(__always)
  private mutating func removeFromPageIndex(_ extent: Extent) {
    guard tracksPages, extent.size >= pageSize else { return }
    let pages = wholePages(extent)
    guard pages > 0 else { return }
    byPages.remove(Pair(first: pages, second: extent.offset))
    freePages &-= pages
  }

  @inline(__always)
  var tracksPages: Bool { allocation == .clustered || allocation.isolatesCommits }

  /// Removes exactly these bytes from the free space. Returns false, without a change, if they are not all free.
  mutating func remove(_ extent: Extent) -> Bool {
    let behind = byAddress.lowerBound(Pair(first: extent.offset, second: Int.max))
    guard let position = byAddress.previous(behind), let pair = byAddress.pair(at: position) else {
      return false
    }
    let found = Extent(offset: pair.first, size: pair.second)
    guard found.offset <= extent.offset, found.end >= extent.end else { return false }
    removeFromSizeIndexes(found)
    bytes &-= extent.size
    if found.end > extent.end, found.offset == extent.offset {
      let rest = Extent(offset: extent.end, size: found.end - extent.end)
      byAddress.replace(at: position, by: Pair(first: rest.offset, second: rest.size))
      addToSizeIndexes(rest)
      return true
    }
    byAddress.remove(at: position)
    reinsert(Extent(offset: found.offset, size: extent.offset - found.offset))
    reinsert(Extent(offset: extent.end, size: found.end - extent.end))
    return true
  }

  private mutating func reinsert(_ rest: Extent) {
    guard rest.size > 0 else { return }
    byAddress.insert(Pair(first: rest.offset, second: rest.size))
    addToSizeIndexes(rest)
  }

  /// Returns whether no byte of the extent is free.
  func isDisjoint(from extent: Extent) -> Bool {
    let next = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    if let pair = byAddress.pair(at: next), pair.first < extent.end { return false }
    guard let before = byAddress.previous(next), let pair = byAddress.pair(at: before) else {
      return true
    }
    return pair.first + pair.second <= extent.offset
  }

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
  var tail: Extent? { byAddress.last.map { Extent(offset: $0.first, size: $0.second) } }

  /// The offset from which all bytes up to the end of the file are free; `end` if the last byte is in use.
  var freeTailOffset: Int {
    var start = end
    var position = byAddress.previous(byAddress.lowerBound(Pair(first: end, second: 0)))
    while let current = position, let pair = byAddress.pair(at: current),
      pair.first + pair.second == start
    {
      start = pair.first
      position = byAddress.previous(current)
    }
    return start
  }

  /// Allocates nothing at or above `newLimit` from here on; `Int.max` removes the limit.
  mutating func setLimit(_ newLimit: Int) {
    guard newLimit != limit else { return }
    unreserveRegions()
    var all: [Extent] = []
    all.reserveCapacity(byAddress.count)
    enumerate { all.append($0) }
    byAddress = PairIndex()
    bySize = PairIndex()
    byPages = PairIndex()
    freePages = 0
    longLivedRegion = BumpRegion()
    shortLivedRegion = BumpRegion()
    bytes = 0
    limit = newLimit
    for extent in all { free(extent) }
  }

  /// Calls `body` with all free extents in the order of their addresses.
  func enumerate(_ body: (Extent) -> Void) {
    var position = byAddress.first
    while let pair = byAddress.pair(at: position) {
      body(Extent(offset: pair.first, size: pair.second))
      position = byAddress.next(position)
    }
  }
}
