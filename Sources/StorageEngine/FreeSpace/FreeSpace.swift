// The extents that the next commit may use, found by address and by size. Which of them a block gets is the strategy's
// choice: FreeSpace+Placement.swift. What always holds: FreeSpace+Invariants.swift.

/// A run of bytes of the file.
struct Extent: Equatable {
  var offset: Int
  var size: Int
  @inline(__always) var end: Int { offset &+ size }
}

struct FreeSpace {
  let allocation: Allocation
  private(set) var byAddress = PairIndex()
  /// Pairs of size and offset; under `wholePages`, of the number of whole pages and the offset. Extents at or above the
  /// limit are not here: they are withheld.
  private(set) var bySize = PairIndex()
  /// Kept under `clustered` only, and of what lies below the limit.
  var regions = FreeRegions()
  /// The logical length of the file.
  private(set) var end: Int
  /// All free bytes, withheld ones among them.
  private(set) var bytes = 0
  /// An extent was released of which a part was free.
  private(set) var isOverlapped = false
  /// Nothing is allocated at or above this offset while a compaction empties the file's end.
  private(set) var limit = Int.max

  /// Where long-lived and short-lived blocks are being placed, under `clustered`.
  var longLived = FillPoint()
  var shortLived = FillPoint()
  /// What is left of the pages that this commit has begun, under `wholePages`.
  var run = Extent(offset: 0, size: 0)
  /// Bytes that this commit has still to place, as far as is known.
  var expected = 0

  init(end: Int, _ allocation: Allocation = .tightFit) {
    self.end = end
    self.allocation = allocation
  }

  func deallocate() {
    byAddress.deallocate()
    bySize.deallocate()
    regions.deallocate()
  }

  var extentCount: Int { byAddress.count }
  var listedBySize: Int { bySize.count }

  func isListedBySize(_ extent: Extent) -> Bool {
    let pair = Pair(first: rank(extent), second: extent.offset)
    return bySize.pair(at: bySize.lowerBound(pair)) == pair
  }

  /// What an extent is found by: its bytes, or the pages that lie in it as a whole.
  @inline(__always)
  func rank(_ extent: Extent) -> Int {
    guard allocation == .wholePages else { return extent.size }
    let first = roundedUp(extent.offset, to: Layout.pageSize)
    return max(0, (extent.end & ~(Layout.pageSize - 1)) - first) / Layout.pageSize
  }

  /// Takes the first `size` bytes of the extent at a place of the order by size; nil at its end.
  mutating func takeFront(at position: PairIndex.Position, _ size: Int) -> Int? {
    guard let found = bySize.pair(at: position) else { return nil }
    let extent = Extent(offset: found.second, size: found.first)
    bySize.remove(at: position)
    let place = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    if extent.size == size {
      byAddress.remove(at: place)
    } else {
      let rest = Extent(offset: extent.offset &+ size, size: extent.size &- size)
      byAddress.replace(at: place, by: Pair(first: rest.offset, second: rest.size))
      bySize.insert(Pair(first: rest.size, second: rest.offset))
    }
    count(Extent(offset: extent.offset, size: size), -1)
    return extent.offset
  }

  /// Adds the extent to the sums, or takes it away.
  @inline(__always)
  private mutating func count(_ extent: Extent, _ sign: Int) {
    bytes &+= extent.size &* sign
    guard allocation == .clustered, extent.offset < limit else { return }
    if sign > 0 { regions.add(extent) } else { regions.subtract(extent) }
  }

  /// Makes an extent allocatable, joined with free neighbours (FREE-3), except across the limit (FREE-4). One of which a
  /// part is free already is left out, and noted: a damaged file names such, and no other does (FREE-1).
  mutating func release(_ extent: Extent) {
    if extent.offset < limit, extent.end > limit {
      releasePart(Extent(offset: extent.offset, size: limit - extent.offset))
      releasePart(Extent(offset: limit, size: extent.end - limit))
    } else {
      releasePart(extent)
    }
  }

  private mutating func releasePart(_ extent: Extent) {
    var joined = extent
    let next = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    let following = byAddress.pair(at: next)
    var before: (PairIndex.Position, Extent)?
    if let position = byAddress.previous(next), let pair = byAddress.pair(at: position) {
      let previous = Extent(offset: pair.first, size: pair.second)
      guard previous.end <= extent.offset else {
        isOverlapped = true
        return
      }
      if previous.end == extent.offset, extent.offset != limit { before = (position, previous) }
    }
    guard following.map({ extent.end <= $0.first }) ?? true else {
      isOverlapped = true
      return
    }
    count(extent, 1)
    if let following, following.first == extent.end, extent.end != limit {
      unlist(Extent(offset: following.first, size: following.second))
      joined.size &+= following.second
      if before == nil {
        byAddress.replace(at: next, by: Pair(first: joined.offset, second: joined.size))
        return list(joined)
      }
      byAddress.remove(at: next)
    }
    if let (position, previous) = before {
      unlist(previous)
      joined = Extent(offset: previous.offset, size: previous.size &+ joined.size)
      // The removal above was behind this place, in its chunk or a later one.
      byAddress.replace(at: position, by: Pair(first: joined.offset, second: joined.size))
    } else {
      byAddress.insert(Pair(first: joined.offset, second: joined.size))
    }
    list(joined)
  }

  @inline(__always)
  private mutating func list(_ extent: Extent) {
    let rank = rank(extent)
    if extent.offset < limit, rank > 0 { bySize.insert(Pair(first: rank, second: extent.offset)) }
  }

  @inline(__always)
  private mutating func unlist(_ extent: Extent) {
    let rank = rank(extent)
    if extent.offset < limit, rank > 0 { bySize.remove(Pair(first: rank, second: extent.offset)) }
  }

  /// Takes exactly these bytes out of the free space. False where they are not all free.
  mutating func remove(_ extent: Extent) -> Bool {
    let behind = byAddress.lowerBound(Pair(first: extent.offset, second: Int.max))
    guard let position = byAddress.previous(behind), let pair = byAddress.pair(at: position) else {
      return false
    }
    let found = Extent(offset: pair.first, size: pair.second)
    guard found.offset <= extent.offset, found.end >= extent.end else { return false }
    unlist(found)
    byAddress.remove(at: position)
    count(extent, -1)
    for rest in [
      Extent(offset: found.offset, size: extent.offset - found.offset),
      Extent(offset: extent.end, size: found.end - extent.end),
    ] where rest.size > 0 {
      byAddress.insert(Pair(first: rest.offset, second: rest.size))
      list(rest)
    }
    return true
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
    let added = Extent(offset: end, size: newEnd - end)
    end = newEnd
    release(added)
  }

  /// Gives up the bytes from `newEnd` on, which are free.
  mutating func cut(to newEnd: Int) {
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
  var freeTailStart: Int {
    var start = end
    var position = byAddress.previous(byAddress.lowerBound(Pair(first: end, second: 0)))
    while let place = position, let pair = byAddress.pair(at: place),
      pair.first + pair.second == start
    {
      start = pair.first
      position = byAddress.previous(place)
    }
    return start
  }

  /// Withholds everything from `newLimit` on; `Int.max` ends it.
  mutating func setLimit(_ newLimit: Int) {
    guard newLimit != limit else { return }
    var all: [Extent] = []
    all.reserveCapacity(byAddress.count)
    visit { all.append($0) }
    deallocate()
    byAddress = PairIndex()
    bySize = PairIndex()
    regions = FreeRegions()
    longLived = FillPoint()
    shortLived = FillPoint()
    run = Extent(offset: 0, size: 0)
    bytes = 0
    limit = newLimit
    for extent in all { release(extent) }
  }

  /// All free extents by address.
  func visit(_ body: (Extent) -> Void) {
    var position = byAddress.first
    while let pair = byAddress.pair(at: position) {
      body(Extent(offset: pair.first, size: pair.second))
      position = byAddress.next(position)
    }
  }
}
