// The extents that the next commit may use, found by address and by size. Which of them a block gets is the strategy's
// choice: FreeSpace+Placement.swift. What always holds: FreeSpace+Invariants.swift.

/// Bytes that blocks are put into one behind the other. While a commit places its blocks they are its own: in none of
/// the indexes, so that a block costs an addition and no search. Between commits they are only remembered.
struct BumpRegion {
  var rest = Extent(offset: 0, size: 0)
  var isReserved = false
}

/// Bytes of the file that lie side by side.
struct Extent: Equatable {
  var offset: Int
  var size: Int
  @inline(__always) var end: Int { offset &+ size }
}

struct FreeSpace {
  let allocation: Allocation
  private(set) var byAddress = PairIndex()
  /// Pairs of size and offset. Extents at or above the limit are not here: they are withheld.
  private(set) var bySize = PairIndex()
  /// Pairs of the number of whole pages and the offset, of the extents in `bySize` that have any. Kept where the
  /// strategy asks for whole pages.
  private(set) var byPages = PairIndex()
  /// The pages in `byPages`.
  private(set) var freePages = 0
  /// The logical length of the file.
  private(set) var end: Int
  /// All free bytes, withheld ones among them.
  private(set) var bytes = 0
  /// An extent was released of which a part was free.
  private(set) var hasDoubleFree = false
  /// Nothing is allocated at or above this offset while a compaction empties the file's end.
  private(set) var limit = Int.max

  /// What is left of the pages that long-lived blocks go into, and short-lived ones.
  var longLivedRegion = BumpRegion()
  var shortLivedRegion = BumpRegion()
  /// Behind the hole that was filled last.
  var lastHoleEnd = 0
  /// Bytes that this commit has still to place, as far as is known.
  var expectedBytes = 0
  /// Whether this commit is put down in one piece.
  var isBulkCommit = false
  /// Bytes of short-lived blocks in this commit, and the pages that the next will need for them.
  var shortLivedBytes = 0
  var reservedPages = 0

  init(end: Int, _ allocation: Allocation = .tightFit) {
    self.end = end
    self.allocation = allocation
  }

  func deallocate() {
    byAddress.deallocate()
    bySize.deallocate()
    byPages.deallocate()
  }

  /// The free bytes that the strategy has no use for, because the rest of their page is not free.
  var scatteredBytes: Int {
    allocation == .wholePages && limit == Int.max ? bytes - freePages * Layout.pageSize : 0
  }

  var extentCount: Int { byAddress.count }
  var sizeIndexCount: Int { bySize.count }

  func isInSizeIndex(_ extent: Extent) -> Bool {
    let pair = Pair(first: extent.size, second: extent.offset)
    return bySize.pair(at: bySize.lowerBound(pair)) == pair
  }

  /// The pages that lie in the extent as a whole.
  @inline(__always)
  static func wholePages(_ extent: Extent) -> Int {
    let first = roundedUp(extent.offset, to: Layout.pageSize)
    return max(0, (extent.end & ~(Layout.pageSize - 1)) - first) / Layout.pageSize
  }

  /// Takes the first `size` bytes of the extent at a place of the order by size; nil at its end.
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

  /// Makes an extent allocatable, joined with free neighbours (FREE-3), except across the limit (FREE-4). One of which a
  /// part is free already is left out, and noted: a damaged file names such, and no other does (FREE-1).
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
      // The removal above was behind this place, in its chunk or a later one.
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
    guard tracksPages, extent.size >= Layout.pageSize else { return }
    let pages = Self.wholePages(extent)
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
    guard tracksPages, extent.size >= Layout.pageSize else { return }
    let pages = Self.wholePages(extent)
    guard pages > 0 else { return }
    byPages.remove(Pair(first: pages, second: extent.offset))
    freePages &-= pages
  }

  @inline(__always)
  private var tracksPages: Bool { allocation == .clustered || allocation == .wholePages }

  /// Takes the run's bytes out of the indexes, for the blocks that are about to be put there; they stay counted as free
  /// until they are. A run of which something was taken meanwhile ends there.
  mutating func reserve(_ region: BumpRegion) -> BumpRegion {
    guard !region.isReserved, region.rest.size > 0 else { return region }
    let rest = freeBeginning(of: region.rest)
    guard rest.size > 0, remove(rest) else { return BumpRegion() }
    bytes &+= rest.size
    return BumpRegion(rest: rest, isReserved: true)
  }

  /// The extent up to its first byte that is not free.
  private func freeBeginning(of extent: Extent) -> Extent {
    let behind = byAddress.lowerBound(Pair(first: extent.offset, second: Int.max))
    guard let position = byAddress.previous(behind), let pair = byAddress.pair(at: position) else {
      return Extent(offset: extent.offset, size: 0)
    }
    let end = min(extent.end, pair.first + pair.second)
    return Extent(offset: extent.offset, size: max(0, end - extent.offset))
  }

  /// The first `size` bytes of an owned run, behind `skipped` ones that are put back, are a block's.
  mutating func bump(_ size: Int, _ skipped: Int, of region: BumpRegion) -> BumpRegion {
    if skipped > 0 { returnReserved(Extent(offset: region.rest.offset, size: skipped)) }
    bytes &-= size
    let taken = size &+ skipped
    return BumpRegion(
      rest: Extent(offset: region.rest.offset &+ taken, size: region.rest.size &- taken), isReserved: true)
  }

  mutating func returnReserved(_ extent: Extent) {
    bytes &-= extent.size
    free(extent)
  }

  /// Puts what is left of a run back; it stays remembered.
  mutating func unreserve(_ region: BumpRegion) -> BumpRegion {
    if region.isReserved, region.rest.size > 0 { returnReserved(region.rest) }
    return BumpRegion(rest: region.rest, isReserved: false)
  }

  /// Puts both back: after this, and until the next allocation, the indexes have all that is free.
  mutating func unreserveRegions() {
    longLivedRegion = unreserve(longLivedRegion)
    shortLivedRegion = unreserve(shortLivedRegion)
  }

  /// Takes exactly these bytes out of the free space. False where they are not all free.
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

  /// Whether no byte of the extent is free.
  func isDisjoint(from extent: Extent) -> Bool {
    let next = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    if let pair = byAddress.pair(at: next), pair.first < extent.end { return false }
    guard let before = byAddress.previous(next), let pair = byAddress.pair(at: before) else {
      return true
    }
    return pair.first + pair.second <= extent.offset
  }

  /// Adds the bytes from the end to `newEnd`.
  mutating func grow(to newEnd: Int) {
    precondition(newEnd > end, "The file grows to more than it has.")
    unreserveRegions()
    let added = Extent(offset: end, size: newEnd - end)
    end = newEnd
    free(added)
  }

  /// Gives up the bytes from `newEnd` on, which are free.
  mutating func truncate(to newEnd: Int) {
    unreserveRegions()
    while newEnd < end {
      guard let tail, tail.end == end else { preconditionFailure("A used tail is cut (FREE-5).") }
      let from = max(tail.offset, newEnd)
      let removed = remove(Extent(offset: from, size: end - from))
      precondition(removed, "A used tail is cut (FREE-5).")
      end = from
    }
  }

  /// The free extent that lies highest.
  var tail: Extent? { byAddress.last.map { Extent(offset: $0.first, size: $0.second) } }

  /// Where the free bytes begin that reach to the end of the file; `end` where the last byte is used.
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

  /// Withholds everything from `newLimit` on; `Int.max` ends it.
  mutating func setLimit(_ newLimit: Int) {
    guard newLimit != limit else { return }
    unreserveRegions()
    var all: [Extent] = []
    all.reserveCapacity(byAddress.count)
    forEach { all.append($0) }
    deallocate()
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

  /// All free extents by address.
  func forEach(_ body: (Extent) -> Void) {
    var position = byAddress.first
    while let pair = byAddress.pair(at: position) {
      body(Extent(offset: pair.first, size: pair.second))
      position = byAddress.next(position)
    }
  }
}
