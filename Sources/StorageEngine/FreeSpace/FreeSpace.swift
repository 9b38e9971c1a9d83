// The extents that the next commit may use, found by address and by size. Which of them a block gets is the strategy's
// choice: FreeSpace+Placement.swift. What always holds: FreeSpace+Invariants.swift.

/// Bytes that blocks are put into one behind the other. While a commit places its blocks they are its own: in none of
/// the indexes, so that a block costs an addition and no search. Between commits they are only remembered.
struct Run {
  var rest = Extent(offset: 0, size: 0)
  var isOwned = false
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
  private(set) var isOverlapped = false
  /// Nothing is allocated at or above this offset while a compaction empties the file's end.
  private(set) var limit = Int.max

  /// What is left of the pages that long-lived blocks go into, and short-lived ones.
  var longRun = Run()
  var shortRun = Run()
  /// Behind the hole that was filled last.
  var lastHole = 0
  /// Bytes that this commit has still to place, as far as is known.
  var expected = 0
  /// Whether this commit is put down in one piece.
  var isBulk = false
  /// Bytes of short-lived blocks in this commit, and the pages that the next will need for them.
  var shortTaken = 0
  var shortReserve = 0

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
  var listedBySize: Int { bySize.count }

  func isListedBySize(_ extent: Extent) -> Bool {
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
  mutating func takeFront(at position: PairIndex.Position, _ size: Int) -> Int? {
    guard let found = bySize.pair(at: position) else { return nil }
    let extent = Extent(offset: found.second, size: found.first)
    bySize.remove(at: position)
    unlistPages(extent)
    let place = byAddress.lowerBound(Pair(first: extent.offset, second: 0))
    if extent.size == size {
      byAddress.remove(at: place)
    } else {
      let rest = Extent(offset: extent.offset &+ size, size: extent.size &- size)
      byAddress.replace(at: place, by: Pair(first: rest.offset, second: rest.size))
      list(rest)
    }
    bytes &-= size
    return extent.offset
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
    bytes &+= extent.size
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
    guard extent.offset < limit else { return }
    bySize.insert(Pair(first: extent.size, second: extent.offset))
    guard countsPages, extent.size >= Layout.pageSize else { return }
    let pages = Self.wholePages(extent)
    guard pages > 0 else { return }
    byPages.insert(Pair(first: pages, second: extent.offset))
    freePages &+= pages
  }

  @inline(__always)
  private mutating func unlist(_ extent: Extent) {
    guard extent.offset < limit else { return }
    bySize.remove(Pair(first: extent.size, second: extent.offset))
    unlistPages(extent)
  }

  @inline(__always)
  private mutating func unlistPages(_ extent: Extent) {
    guard countsPages, extent.size >= Layout.pageSize else { return }
    let pages = Self.wholePages(extent)
    guard pages > 0 else { return }
    byPages.remove(Pair(first: pages, second: extent.offset))
    freePages &-= pages
  }

  @inline(__always)
  private var countsPages: Bool { allocation == .clustered || allocation == .wholePages }

  /// Takes the run's bytes out of the indexes, for the blocks that are about to be put there; they stay counted as free
  /// until they are. A run of which something was taken meanwhile ends there.
  mutating func own(_ run: Run) -> Run {
    guard !run.isOwned, run.rest.size > 0 else { return run }
    let rest = freeBeginning(of: run.rest)
    guard rest.size > 0, remove(rest) else { return Run() }
    bytes &+= rest.size
    return Run(rest: rest, isOwned: true)
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
  mutating func take(_ size: Int, _ skipped: Int, of run: Run) -> Run {
    if skipped > 0 { putBack(Extent(offset: run.rest.offset, size: skipped)) }
    bytes &-= size
    let taken = size &+ skipped
    return Run(
      rest: Extent(offset: run.rest.offset &+ taken, size: run.rest.size &- taken), isOwned: true)
  }

  mutating func putBack(_ extent: Extent) {
    bytes &-= extent.size
    release(extent)
  }

  /// Puts what is left of a run back; it stays remembered.
  mutating func settle(_ run: Run) -> Run {
    if run.isOwned, run.rest.size > 0 { putBack(run.rest) }
    return Run(rest: run.rest, isOwned: false)
  }

  /// Puts both back: after this, and until the next allocation, the indexes have all that is free.
  mutating func settleRuns() {
    longRun = settle(longRun)
    shortRun = settle(shortRun)
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
    bytes &-= extent.size
    if found.end > extent.end, found.offset == extent.offset {
      let rest = Extent(offset: extent.end, size: found.end - extent.end)
      byAddress.replace(at: position, by: Pair(first: rest.offset, second: rest.size))
      list(rest)
      return true
    }
    byAddress.remove(at: position)
    relist(Extent(offset: found.offset, size: extent.offset - found.offset))
    relist(Extent(offset: extent.end, size: found.end - extent.end))
    return true
  }

  private mutating func relist(_ rest: Extent) {
    guard rest.size > 0 else { return }
    byAddress.insert(Pair(first: rest.offset, second: rest.size))
    list(rest)
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
    settleRuns()
    let added = Extent(offset: end, size: newEnd - end)
    end = newEnd
    release(added)
  }

  /// Gives up the bytes from `newEnd` on, which are free.
  mutating func cut(to newEnd: Int) {
    settleRuns()
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
    settleRuns()
    var all: [Extent] = []
    all.reserveCapacity(byAddress.count)
    visit { all.append($0) }
    deallocate()
    byAddress = PairIndex()
    bySize = PairIndex()
    byPages = PairIndex()
    freePages = 0
    longRun = Run()
    shortRun = Run()
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
