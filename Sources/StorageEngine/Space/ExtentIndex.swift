// The free extents in all their orders: by address, by size, and by whole pages for the strategies that use them.

struct ExtentIndex: ~Copyable {
  typealias Position = OrderedIndex<Extent>.Position

  /// Extents at or above it are in the order by address only, so they are not allocated (FREE-2).
  let limit: Int
  let tracksPages: Bool
  /// The size of the pages that the strategy uses as a whole.
  let pageSize: Int
  var byAddress = OrderedIndex<Extent>()
  /// Sizes in granules.
  var bySize = SizeIndex()
  /// Sizes in whole pages, of the extents below the limit that contain some (FREE-6).
  var byPages = SizeIndex()
  /// The number of pages in `byPages`.
  private(set) var freePages = 0

  init(limit: Int, _ allocation: Allocation) {
    self.limit = limit
    tracksPages = allocation == .clustered || allocation.isolatesCommits
    pageSize = allocation.pageSize
  }

  /// Returns the number of whole pages in the extent.
  @inline(__always)
  func wholePages(_ extent: Extent) -> Int {
    let first = roundedUp(extent.offset, to: pageSize)
    return max(0, (extent.end & ~(pageSize - 1)) - first) / pageSize
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

  /// Returns the position in the order by size of the smallest extent of at least `size` bytes; among those of exactly
  /// `size` bytes, of the lowest that begins at or after `offset`.
  @inline(__always)
  func firstFit(_ size: Int, from offset: Int = 0) -> SizeIndex.Position {
    bySize.lowerBound(size: roundedUp(size) / Layout.granule, offset: offset)
  }

  @inline(__always)
  func extent(at position: SizeIndex.Position) -> Extent? {
    bySize.entry(at: position).map { Extent(offset: $0.offset, size: $0.size &* Layout.granule) }
  }

  /// The largest extent below the limit, the highest among equals.
  var largest: Extent? {
    bySize.last.map { Extent(offset: $0.offset, size: $0.size &* Layout.granule) }
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

  /// Requests the memory that a change at this offset reads.
  @inline(__always)
  func prefetch(_ offset: Int) { byAddress.prefetch(offset) }

  /// Collects the changes in the orders by size, so that their cache misses overlap. No size may be looked for until
  /// `makeCollectedSizes`.
  @inline(__always)
  mutating func collectSizes() {
    bySize.collectChanges()
    byPages.collectChanges()
  }

  @inline(__always)
  mutating func makeCollectedSizes() {
    bySize.makeCollectedChanges()
    byPages.makeCollectedChanges()
  }

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
    removeFromSizes(old)
    byAddress.replace(at: position, by: new)
    addToSizes(new)
  }

  /// Removes a part of the extent at a position in the order by size; what is left before and behind that part stays.
  @inline(__always)
  mutating func cut(_ part: Extent, outOf extent: Extent, at sizePosition: SizeIndex.Position) {
    bySize.remove(at: sizePosition)
    removeFromPages(extent)
    let position = lowerBound(extent.offset)
    precondition(
      byAddress.element(at: position) == extent, "The orders of the free extents disagree (FREE-2)."
    )
    replace(extent, at: position, byAllBut: part)
  }

  /// Removes a part of the extent at a position in the order by address.
  @inline(__always)
  mutating func cut(_ part: Extent, outOf extent: Extent, at position: Position) {
    removeFromSizes(extent)
    replace(extent, at: position, byAllBut: part)
  }

  /// Replaces an extent, which is no longer in the other orders, by what is left of it before and behind a part.
  @inline(__always)
  private mutating func replace(
    _ extent: Extent, at position: Position, byAllBut part: Extent
  ) {
    let before = Extent(offset: extent.offset, size: part.offset &- extent.offset)
    let behind = Extent(offset: part.end, size: extent.end &- part.end)
    assert(before.size >= 0 && behind.size >= 0, "A part lies within its extent (FREE-1).")
    switch (before.size > 0, behind.size > 0) {
    case (false, false): return byAddress.remove(at: position)
    case (true, false): byAddress.replace(at: position, by: before)
    case (false, true): byAddress.replace(at: position, by: behind)
    case (true, true):
      byAddress.replace(at: position, by: before)
      byAddress.insert(behind, at: byAddress.next(position))
    }
    if before.size > 0 { addToSizes(before) }
    if behind.size > 0 { addToSizes(behind) }
  }

  @inline(__always)
  private mutating func addToSizes(_ extent: Extent) {
    guard extent.offset < limit else { return }
    bySize.insert(size: extent.size / Layout.granule, offset: extent.offset)
    guard tracksPages, extent.size >= pageSize else { return }
    let pages = wholePages(extent)
    guard pages > 0 else { return }
    byPages.insert(size: pages, offset: extent.offset)
    freePages &+= pages
  }

  @inline(__always)
  private mutating func removeFromSizes(_ extent: Extent) {
    guard extent.offset < limit else { return }
    bySize.remove(size: extent.size / Layout.granule, offset: extent.offset)
    removeFromPages(extent)
  }

  @inline(__always)
  private mutating func removeFromPages(_ extent: Extent) {
    guard tracksPages, extent.size >= pageSize else { return }
    let pages = wholePages(extent)
    guard pages > 0 else { return }
    byPages.remove(size: pages, offset: extent.offset)
    freePages &-= pages
  }
}

extension Extent: Ordered {
  @inline(__always) var key: Int { offset }
  @inline(__always) static var last: Extent { Extent(offset: Int.max, size: 0) }
}
