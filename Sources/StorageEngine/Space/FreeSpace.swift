// The free space of a file: which extents are free, up to where the file goes, and where nothing may be allocated.
// Placement/ has the strategies that choose among the extents, FreeSpace+Regions.swift the regions that some of them
// reserve, FreeSpace+Length.swift how the file becomes longer and shorter.

struct FreeSpace: ~Copyable {
  let allocation: Allocation
  /// The free extents, without those of reserved regions.
  var index: ExtentIndex
  /// The logical length of the file.
  var end: Int
  /// The number of free bytes, including those above the limit and those of reserved regions (FREE-5).
  var bytes = 0
  /// Whether an extent was freed that was free already, at least in part.
  private(set) var hasDoubleFree = false
  /// Nothing is allocated at or above this offset while a compaction empties the end of the file.
  var limit: Int { index.limit }

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
  /// Whether leaves go into the next hole of about their size before they go into one of exactly their size.
  var usesNextFit = true
  /// Whether so much is free in holes that leaves go into roomy ones first; others become whole pages meanwhile.
  var isBloated = false
  /// The end of the block that was placed in a roomy hole last, or where the search for one ended.
  var lastRoomyHoleEnd = 0
  /// What this commit's searches for roomy holes have found.
  var roomyHoleSearch = RoomyHoleSearch.notDone
  /// Whether pages have become so few that blocks are placed into holes as long as some fit.
  var savesPages = false

  init(end: Int, _ allocation: Allocation = .tightFit) {
    self.end = end
    self.allocation = allocation
    index = ExtentIndex(limit: Int.max, allocation)
  }

  /// Creates the free space of a file whose extents are not freed yet: about `expected`, below `maxEnd`. With many the index
  /// is made once, not each time that there are four times as many.
  init(end: Int, expecting expected: Int, below maxEnd: Int, _ allocation: Allocation) {
    self.init(end: end, allocation)
    index = ExtentIndex(limit: Int.max, covering: maxEnd, expecting: expected, allocation)
  }

  /// Free bytes that the strategy cannot use, because the rest of their page is in use.
  var scatteredBytes: Int {
    allocation.isolatesCommits && limit == Int.max ? bytes - freePages * pageSize : 0
  }

  /// Returns the bytes in free extents in which any node fits, counted up to `limit`.
  func pageBytes(atMost limit: Int) -> Int {
    if index.tracksPages { return min(limit, freePages * pageSize) }
    var bytes = 0
    var next = index.firstFit(Layout.pageSize)
    while bytes < limit, let extent = next {
      bytes += extent.size
      next = index.next(extent)
    }
    return min(limit, bytes)
  }

  var freePages: Int { index.freePages }
  /// The size of the pages that the strategy uses as a whole.
  var pageSize: Int { index.pageSize }
  var extentCount: Int { index.byAddress.count }

  // MARK: Allocation

  /// Allocates the first `size` bytes of a free extent. nil if there is none.
  mutating func allocateFront(of extent: Extent?, _ size: Int) -> Int? {
    guard let extent else { return nil }
    allocate(Extent(offset: extent.offset, size: size), from: extent)
    return extent.offset
  }

  /// Allocates a part of a free extent.
  @inline(__always)
  mutating func allocate(_ part: Extent, from extent: Extent) {
    allocate(part, from: extent, at: index.lowerBound(extent.offset))
  }

  /// Allocates a part of the free extent at a position.
  @inline(__always)
  mutating func allocate(_ part: Extent, from extent: Extent, at position: ExtentIndex.Position) {
    check(part, within: extent)
    index.cut(part, outOf: extent, at: position)
    bytes &-= part.size
  }

  @inline(__always)
  private func check(_ part: Extent, within extent: Extent) {
    precondition(
      part.offset >= extent.offset && part.end <= extent.end && extent.end <= end,
      "A block lies within the free extent that is found, and that within the file (FREE-1).")
  }

  /// Removes exactly these bytes from the free space. Returns false, without a change, if they are not all free.
  mutating func remove(_ extent: Extent) -> Bool {
    guard let (position, found) = index.last(atOrBefore: extent.offset), found.end >= extent.end
    else { return false }
    index.cut(extent, outOf: found, at: position)
    bytes &-= extent.size
    return true
  }

  /// Returns whether no byte of the extent is free.
  func isDisjoint(from extent: Extent) -> Bool {
    let next = index.lowerBound(extent.offset)
    if let following = index.byAddress.element(at: next), following.offset < extent.end {
      return false
    }
    guard let position = index.byAddress.previous(next),
      let before = index.byAddress.element(at: position)
    else { return true }
    return before.end <= extent.offset
  }

  // MARK: Freeing

  /// Frees an extent: joins it with free neighbors (FREE-3), except across the limit (FREE-4). An extent that is empty,
  /// or that is free already, at least in part, is ignored and recorded as a double free; only a damaged file leads to
  /// one (FREE-1).
  mutating func free(_ extent: Extent) {
    if extent.offset < limit, extent.end > limit {
      freePart(Extent(offset: extent.offset, size: limit - extent.offset))
      freePart(Extent(offset: limit, size: extent.end - limit))
    } else {
      freePart(extent)
    }
  }

  /// Frees extents. With many free ones nearly each access to an index is a cache miss, and here they overlap.
  mutating func free(_ extents: UnsafeMutableBufferPointer<Extent>) {
    for extent in extents { index.byAddress.prefetch(extent.offset) }
    for extent in extents { index.byAddress.prefetchWords(extent.offset) }
    for extent in extents { free(extent) }
  }

  private mutating func freePart(_ extent: Extent) {
    precondition(
      (extent.offset | extent.size) % Layout.granule == 0, "Blocks are multiples of 8 (FREE-5).")
    if !index.isWideEnough(for: extent.end) { extendIndex(toCover: extent.end) }
    let bound = index.lowerBound(extent.offset)
    let following = index.byAddress.element(at: bound)
    let before = index.byAddress.previous(bound)
    let previous = before.flatMap { index.byAddress.element(at: $0) }
    guard extent.size > 0, previous.map({ $0.end <= extent.offset }) ?? true,
      following.map({ extent.end <= $0.offset }) ?? true
    else {
      hasDoubleFree = true
      return
    }
    bytes &+= extent.size
    let joinsPrevious = previous?.end == extent.offset && extent.offset != limit
    let joinsFollowing = following?.offset == extent.end && extent.end != limit
    switch (joinsPrevious ? previous : nil, joinsFollowing ? following : nil) {
    case (nil, nil): index.insert(extent, at: bound)
    case (nil, let following?):
      let joined = Extent(offset: extent.offset, size: extent.size &+ following.size)
      index.replace(following, at: bound, by: joined)
    case (let previous?, nil):
      let joined = Extent(offset: previous.offset, size: previous.size &+ extent.size)
      index.replace(previous, at: before!, by: joined)
    case (let previous?, let following?):
      let joined = Extent(offset: previous.offset, size: following.end &- previous.offset)
      index.remove(following, at: bound)
      // The removal was after this position, in its chunk or a later one.
      index.replace(previous, at: before!, by: joined)
    }
  }

  /// Calls `body` with all free extents in the order of their addresses.
  func enumerate(_ body: (Extent) -> Void) {
    var position = index.byAddress.first
    while let extent = index.byAddress.element(at: position) {
      body(extent)
      position = index.byAddress.next(position)
    }
  }
}
