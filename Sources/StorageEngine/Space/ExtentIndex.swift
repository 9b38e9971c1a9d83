// The free extents in all their orders: by address, by size, and by whole pages for the strategies that use them.

struct ExtentIndex: ~Copyable {
  typealias Position = AddressIndex.Position

  /// Extents at or above it are in the order by address only, so they are not allocated (FREE-2).
  let limit: Int
  let tracksPages: Bool
  /// The size of the pages that the strategy uses as a whole.
  let pageSize: Int
  var byAddress: AddressIndex
  /// The segments that have extents of a size below `SizeClasses.count` granules.
  var classes: SizeClasses
  /// The extents of that size and larger, in granules.
  var bySize = SizeIndex()
  /// Sizes in whole pages, of the extents below the limit that contain some (FREE-6).
  var byPages = SizeIndex()
  /// The number of pages in `byPages`.
  private(set) var freePages = 0

  /// Creates an index of about `expected` extents that begin below `end`. One that covers nothing takes hardly any memory.
  init(
    limit: Int, covering end: Int = 0, expecting expected: Int = 0, _ allocation: Allocation
  ) {
    self.limit = limit
    tracksPages = allocation == .clustered || allocation.isolatesCommits
    pageSize = allocation.pageSize
    byAddress = AddressIndex(covering: end, expecting: expected)
    classes = SizeClasses(segments: byAddress.segmentCount)
  }

  /// Returns the number of whole pages in the extent.
  @inline(__always)
  func wholePages(_ extent: Extent) -> Int {
    let first = roundedUp(extent.offset, to: pageSize)
    return max(0, (extent.end & ~(pageSize - 1)) - first) / pageSize
  }

  /// Whether an extent up to `newEnd` can be inserted, and the segments are short enough for one more.
  @inline(__always)
  func isWideEnough(for newEnd: Int) -> Bool {
    newEnd <= byAddress.coveredEnd && byAddress.count < byAddress.crowdedCount
  }

  // MARK: Search

  /// Returns the position of the first extent at or after this offset, or the end.
  @inline(__always)
  func lowerBound(_ offset: Int) -> Position {
    byAddress.lowerBound(offset)
  }

  /// Returns the extent that begins at or before the offset and is the last to do so, with its position.
  @inline(__always)
  func last(atOrBefore offset: Int) -> (position: Position, extent: Extent)? {
    guard let position = byAddress.previous(lowerBound(offset &+ 1)),
      let extent = byAddress.element(at: position)
    else { return nil }
    return (position, extent)
  }

  /// Returns the smallest extent of at least `size` bytes; among those of exactly `size` bytes, the lowest that begins at or
  /// after `offset`, among larger ones the lowest.
  @inline(__always)
  func firstFit(_ size: Int, from offset: Int = 0) -> Extent? {
    firstFit(size, from: offset, ofFirst: 1) { _ in true }
  }

  /// Returns the extent that follows in the order by size, and of equal ones by address.
  func next(_ extent: Extent) -> Extent? {
    firstFit(extent.size, from: extent.offset + Layout.granule)
  }

  /// Returns the first extent that is suitable, of the first `maximum` ones in the order by size that begins with those of
  /// exactly `size` bytes at or after `offset`.
  @inline(__always)
  func firstFit(
    _ size: Int, from offset: Int, ofFirst maximum: Int, where isSuitable: (Extent) -> Bool
  ) -> Extent? {
    var left = maximum
    var (size, offset) = (roundedUp(size) / Layout.granule, offset)
    while size < SizeClasses.count {
      var next = classes.firstSegment(size, from: byAddress.segment(offset))
      while let segment = next {
        next = classes.firstSegment(size, from: segment &+ 1)
        if let next, left > 1 { byAddress.prefetch(segment: next) }
        var search = byAddress.search(segment, from: offset)
        while let extent = byAddress.next(&search, ofSize: size), extent.offset < limit {
          if isSuitable(extent) { return extent }
          left &-= 1
          if left == 0 { return nil }
        }
      }
      (size, offset) = (classes.firstSize(from: size &+ 1) ?? SizeClasses.count, 0)
    }
    var position = bySize.lowerBound(size: size, offset: offset)
    while let extent = Self.extent(bySize.entry(at: position)) {
      if isSuitable(extent) { return extent }
      left &-= 1
      if left == 0 { return nil }
      position = bySize.next(position)
    }
    return nil
  }

  @inline(__always)
  private static func extent(_ entry: SizedOffset?) -> Extent? {
    entry.map { Extent(offset: $0.offset, size: $0.size &* Layout.granule) }
  }

  /// The largest extent below the limit, the highest among equals.
  var largest: Extent? {
    if let entry = bySize.last { return Self.extent(entry) }
    guard let size = classes.lastSize, let segment = classes.lastSegment(size) else { return nil }
    return byAddress.lastExtent(ofSize: size, in: segment, below: limit)
  }

  /// Returns the lowest of the shortest runs of at least `count` free pages, without the bytes around its pages.
  @inline(__always)
  func firstPages(_ count: Int) -> Extent? {
    Self.pages(byPages.entry(at: byPages.lowerBound(size: count)), pageSize)
  }

  /// The longest run of free pages, the highest among equals.
  var longestPages: Extent? { Self.pages(byPages.last, pageSize) }

  @inline(__always)
  private static func pages(_ entry: SizedOffset?, _ pageSize: Int) -> Extent? {
    guard let entry else { return nil }
    return Extent(offset: roundedUp(entry.offset, to: pageSize), size: entry.size &* pageSize)
  }

  // MARK: Change

  @inline(__always)
  mutating func insert(_ extent: Extent, at bound: Position) {
    byAddress.insert(extent, at: bound)
    addToSizes(extent)
  }

  @inline(__always)
  mutating func remove(_ extent: Extent, at position: Position) {
    byAddress.remove(at: position)
    removeFromSizes(extent)
  }

  /// Replaces an extent by another that has the same position by address.
  @inline(__always)
  mutating func replace(_ old: Extent, at position: Position, by new: Extent) {
    byAddress.replace(at: position, by: new)
    removeFromSizes(old)
    addToSizes(new)
  }

  /// Removes a part of the extent at a position; what is left before and behind that part stays.
  @inline(__always)
  mutating func cut(_ part: Extent, outOf extent: Extent, at position: Position) {
    precondition(
      byAddress.element(at: position) == extent, "The orders of the free extents disagree (FREE-2)."
    )
    let before = Extent(offset: extent.offset, size: part.offset &- extent.offset)
    let behind = Extent(offset: part.end, size: extent.end &- part.end)
    assert(before.size >= 0 && behind.size >= 0, "A part lies within its extent (FREE-1).")
    switch (before.size > 0, behind.size > 0) {
    case (false, false): byAddress.remove(at: position)
    case (true, false): byAddress.replace(at: position, by: before)
    case (false, true): byAddress.replace(at: position, by: behind)
    case (true, true):
      byAddress.replace(at: position, by: before)
      byAddress.insert(behind, at: byAddress.next(position))
    }
    removeFromSizes(extent)
    if before.size > 0 { addToSizes(before) }
    if behind.size > 0 { addToSizes(behind) }
  }

  @inline(__always)
  private mutating func addToSizes(_ extent: Extent) {
    guard extent.offset < limit else { return }
    let size = extent.size / Layout.granule
    if size < SizeClasses.count {
      classes.insert(size, in: byAddress.segment(extent.offset))
    } else {
      bySize.insert(size: size, offset: extent.offset)
    }
    guard tracksPages, extent.size >= pageSize else { return }
    let pages = wholePages(extent)
    guard pages > 0 else { return }
    byPages.insert(size: pages, offset: extent.offset)
    freePages &+= pages
  }

  /// Removes an extent, which is no longer in the order by address, from the orders by size.
  @inline(__always)
  private mutating func removeFromSizes(_ extent: Extent) {
    guard extent.offset < limit else { return }
    let size = extent.size / Layout.granule
    if size < SizeClasses.count {
      let segment = byAddress.segment(extent.offset)
      if !hasExtent(ofSize: size, in: segment) { classes.remove(size, in: segment) }
    } else {
      bySize.remove(size: size, offset: extent.offset)
    }
    guard tracksPages, extent.size >= pageSize else { return }
    let pages = wholePages(extent)
    guard pages > 0 else { return }
    byPages.remove(size: pages, offset: extent.offset)
    freePages &-= pages
  }

  /// Returns whether an extent of `size` granules below the limit begins in the segment.
  @inline(__always)
  func hasExtent(ofSize size: Int, in segment: Int) -> Bool {
    guard segment >= byAddress.segment(limit) else {
      return byAddress.hasExtent(ofSize: size, in: segment)
    }
    var search = byAddress.search(segment, from: 0)
    return byAddress.next(&search, ofSize: size).map { $0.offset < limit } ?? false
  }
}

extension Extent: Ordered {
  @inline(__always) var key: Int { offset }
  @inline(__always) static var last: Extent { Extent(offset: Int.max, size: 0) }
}
