// The allocation strategies. Format/Allocation.swift says what each is for, Docs/Allocation.md what was measured.

extension FreeSpace {
  /// The maximum number of holes to examine for one that keeps a block within a page.
  private static let maxProbes = 16
  /// The maximum number of pages to take at once for short-lived blocks.
  private static let maxShortLivedPages = 16
  /// A *bulk commit* writes more bytes than this, and more than twice what it replaces. Its blocks are laid out back to
  /// back: it is long enough to be worth that, and a file loaded in one transaction has no gaps. A commit that replaces
  /// blocks is not laid out so: its blocks will themselves be replaced, one here and one there, and where two of them
  /// shared a page, the rests that they leave would be useless for blocks that must lie within a page.
  private static let bulkThreshold = 1 << 18

  /// Begins a commit that will allocate about `bytes` bytes and has replaced or deleted blocks of `replaced` bytes.
  mutating func beginCommit(expecting bytes: Int, replacing replaced: Int = 0) {
    unreserveRegions()
    expectedBytes = bytes
    isBulkCommit = bytes > Self.bulkThreshold && bytes / 2 > replaced
    switch allocation {
    case .wholePages: longLivedRegion = BumpRegion()
    case .clustered:
      reservedPages = Self.pages(shortLivedBytes) + 1
      shortLivedBytes = 0
      // A page that the previous commit began would have to be written once more.
      longLivedRegion.rest = Self.fromNextPage(longLivedRegion.rest)
      shortLivedRegion.rest = Self.fromNextPage(shortLivedRegion.rest)
    case .exactOrTwice, .tightFit: break
    }
  }

  private static func fromNextPage(_ region: Extent) -> Extent {
    let offset = roundedUp(region.offset, to: Layout.pageSize)
    return Extent(offset: offset, size: max(0, region.end - offset))
  }

  private static func pages(_ bytes: Int) -> Int {
    roundedUp(bytes, to: Layout.pageSize) / Layout.pageSize
  }

  /// Allocates `size` bytes, a multiple of 8. nil if the file has to grow for them, or, with `mayGrow`, if growing is
  /// preferable.
  mutating func allocate(
    _ size: Int, _ life: BlockLifetime = .long, mayGrow: Bool = false
  ) -> Int? {
    defer { expectedBytes = max(0, expectedBytes - size) }
    switch allocation {
    case .tightFit: return allocateBestFit(size)
    case .exactOrTwice: return allocateExactOrTwice(size)
    case .wholePages: return allocateWholePages(size)
    case .clustered:
      if life == .short, !isBulkCommit { shortLivedBytes += size }
      if let offset = allocateClustered(size, life, mayGrow) { return offset }
      // As a last resort, use what is reserved for the regions.
      guard !mayGrow, longLivedRegion.isReserved || shortLivedRegion.isReserved else { return nil }
      unreserveRegions()
      return allocateBestFit(size)
    }
  }

  /// Returns the length of the free extent at the file's end that guarantees that `allocate` succeeds for `size` bytes.
  func tailNeeded(for size: Int) -> Int {
    switch allocation {
    case .tightFit, .clustered: size
    case .exactOrTwice: 2 * size
    case .wholePages: roundedUp(size, to: Layout.pageSize) + Layout.pageSize
    }
  }

  /// Allocates from the smallest extent that is large enough, the lowest among equals.
  private mutating func allocateBestFit(_ size: Int) -> Int? {
    allocateFront(at: bySize.lowerBound(Pair(first: size, second: 0)), size)
  }

  private mutating func allocateExactOrTwice(_ size: Int) -> Int? {
    let exact = bySize.lowerBound(Pair(first: size, second: 0))
    if bySize.pair(at: exact)?.first == size { return allocateFront(at: exact, size) }
    return allocateFront(at: bySize.lowerBound(Pair(first: 2 * size, second: 0)), size)
  }

  // MARK: Clustered

  private mutating func allocateClustered(
    _ size: Int, _ life: BlockLifetime, _ mayGrow: Bool
  ) -> Int? {
    life == .short && !isBulkCommit
      ? allocateShortLived(size, mayGrow) : allocateLongLived(size, mayGrow)
  }

  /// Allocates for leaves and values: from free pages, except those that short-lived blocks will need; then from the
  /// holes that replaced blocks of about the same size have left.
  private mutating func allocateLongLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    // A block larger than a page needs no neighbors.
    guard size <= Layout.pageSize else { return allocateBestFit(size) }
    if let offset = allocateFromRegion(.long, size) { return offset }
    if isBulkCommit, let region = chooseBulkRegion(size) {
      longLivedRegion = unreserve(longLivedRegion)
      longLivedRegion = region
      if let offset = allocateFromRegion(.long, size) { return offset }
    }
    let reservedShortLivedPages =
      shortLivedRegion.isReserved ? Self.wholePages(shortLivedRegion.rest) : 0
    let maxBytes = (freePages + reservedShortLivedPages - reservedPages) * Layout.pageSize
    if !isBulkCommit, maxBytes > 0, let region = chooseRegion(size, .long) {
      longLivedRegion = unreserve(longLivedRegion)
      longLivedRegion.rest = Extent(
        offset: region.rest.offset, size: min(region.rest.size, maxBytes))
      if let offset = allocateFromRegion(.long, size) { return offset }
    }
    if mayGrow { return nil }
    return allocateFromHole(size)
  }

  /// Allocates for inner nodes and records: next to each other, so that whole pages become free when they are replaced.
  private mutating func allocateShortLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    guard size <= Layout.pageSize else { return allocateBestFit(size) }
    if let offset = allocateFromRegion(.short, size) { return offset }
    if let region = chooseRegion(size, .short) {
      shortLivedRegion = unreserve(shortLivedRegion)
      shortLivedRegion = region
      if let offset = allocateFromRegion(.short, size) { return offset }
    }
    if mayGrow { return nil }
    if let region = largestPartOfPage(size) {
      shortLivedRegion = unreserve(shortLivedRegion)
      shortLivedRegion = region
      if let offset = allocateFromRegion(.short, size) { return offset }
    }
    return allocateBestFit(size)
  }

  /// If no page is entirely free: the larger part of one page within the largest extent, if that extent has room for
  /// two blocks. Best fit would take a different page for each block, and mostly holes of replaced nodes: a page of
  /// which some part is always in use never becomes entirely free.
  private func largestPartOfPage(_ size: Int) -> BumpRegion? {
    guard let pair = bySize.last, pair.first >= 2 * size else { return nil }
    let end = pair.second + pair.first
    let boundary = min(roundedUp(pair.second, to: Layout.pageSize), end)
    let next = min(boundary + Layout.pageSize, end)
    let part =
      boundary - pair.second >= next - boundary
      ? Extent(offset: pair.second, size: boundary - pair.second)
      : Extent(offset: boundary, size: next - boundary)
    return part.size >= size ? BumpRegion(rest: part) : nil
  }

  /// For a bulk commit: the smallest extent that holds what the commit has left to allocate, else the largest; nil if
  /// that is shorter than a page. The region begins at the extent's first byte: if the file grew for this commit, that
  /// is the end of the previous block, and a gap at each growth step would make the free list long.
  private func chooseBulkRegion(_ size: Int) -> BumpRegion? {
    let wanted = Pair(first: max(size, expectedBytes), second: 0)
    guard let pair = bySize.pair(at: bySize.lowerBound(wanted)) ?? bySize.last,
      pair.first >= max(size, Layout.pageSize)
    else { return nil }
    return BumpRegion(rest: Extent(offset: pair.second, size: pair.first))
  }

  /// Returns a region of free pages: the shortest run of pages that holds what the commit has left to allocate, or the
  /// longest; nil if none holds `size` bytes. The pages of the other lifetime's region are avoided as long as there are
  /// others.
  private mutating func chooseRegion(_ size: Int, _ life: BlockLifetime) -> BumpRegion? {
    let needed = Self.pages(size)
    let maxPages = life == .short ? max(needed, Self.maxShortLivedPages) : Int.max
    let wanted = min(maxPages, max(needed, Self.pages(expectedBytes)))
    let fitting = byPages.pair(at: byPages.lowerBound(Pair(first: wanted, second: 0)))
    let longest = byPages.last
    for pair in [fitting, longest] {
      guard let pair, pair.first >= needed else { continue }
      var region = Extent(
        offset: roundedUp(pair.second, to: Layout.pageSize), size: pair.first * Layout.pageSize)
      let other = (life == .short ? longLivedRegion : shortLivedRegion).rest
      if other.size > 0, other.offset < region.end, other.end > region.offset {
        let end = roundedUp(other.end, to: Layout.pageSize)
        region = Extent(offset: end, size: region.end - end)
      }
      if region.size >= size {
        let size = min(region.size, life == .short ? maxPages * Layout.pageSize : .max)
        return BumpRegion(rest: Extent(offset: region.offset, size: size))
      }
    }
    return life == .short ? splitLongLivedRegion(size) : nil
  }

  /// Takes the next pages of the long-lived region, since short-lived blocks benefit more from them.
  private mutating func splitLongLivedRegion(_ size: Int) -> BumpRegion? {
    let region = longLivedRegion.rest
    guard region.size >= size + Layout.pageSize else { return nil }
    let pages = max(
      Self.pages(size), min(Self.maxShortLivedPages, region.size / Layout.pageSize / 2))
    let start = roundedUp(region.offset, to: Layout.pageSize)
    let end = start + pages * Layout.pageSize
    guard end <= region.end else { return nil }
    let begun = Extent(offset: region.offset, size: start - region.offset)
    if longLivedRegion.isReserved, begun.size > 0 { returnReserved(begun) }
    longLivedRegion.rest = Extent(offset: end, size: region.end - end)
    return BumpRegion(
      rest: Extent(offset: start, size: end - start), isReserved: longLivedRegion.isReserved)
  }

  /// Allocates the next bytes of the region; for a long-lived block from the next page, if it would otherwise span two.
  private mutating func allocateFromRegion(_ life: BlockLifetime, _ size: Int) -> Int? {
    guard (life == .long ? longLivedRegion : shortLivedRegion).rest.size >= size else { return nil }
    // Between commits a region is remembered but not reserved: a large block, or truncation, may have taken a part.
    let region = reserve(life == .long ? longLivedRegion : shortLivedRegion)
    if life == .long { longLivedRegion = region } else { shortLivedRegion = region }
    guard region.isReserved, region.rest.size >= size else { return nil }
    var offset = region.rest.offset
    if life == .long, !isBulkCommit, !Self.isWithinPage(offset, size) {
      offset = roundedUp(offset, to: Layout.pageSize)
      guard region.rest.end - offset >= size else { return nil }
    }
    let rest = bump(size, offset - region.rest.offset, of: region)
    if life == .long { longLivedRegion = rest } else { shortLivedRegion = rest }
    return offset
  }

  @inline(__always)
  private static func isWithinPage(_ offset: Int, _ size: Int) -> Bool {
    offset / Layout.pageSize == (offset &+ size &- 1) / Layout.pageSize
  }

  /// Allocates from a hole of about the size, after the last one filled, in which the block lies within a page; else
  /// from any that is large enough.
  private mutating func allocateFromHole(_ size: Int) -> Int? {
    for from in [lastHoleEnd, 0] {
      var position = bySize.lowerBound(Pair(first: size, second: from))
      var probes = 0
      while probes < Self.maxProbes, let pair = bySize.pair(at: position) {
        var offset = pair.second
        if !Self.isWithinPage(offset, size) { offset = roundedUp(offset, to: Layout.pageSize) }
        if pair.second + pair.first - offset >= size {
          let isTaken = remove(Extent(offset: offset, size: size))
          precondition(isTaken, "A free extent is free (FREE-1).")
          lastHoleEnd = offset + size
          return offset
        }
        position = bySize.next(position)
        probes += 1
      }
    }
    return allocateBestFit(size)
  }

  // MARK: Whole pages

  /// Allocates from the pages that this commit has begun, else from other free pages.
  private mutating func allocateWholePages(_ size: Int) -> Int? {
    if longLivedRegion.rest.size < size {
      guard let region = chooseRegion(size, .long) else { return nil }
      longLivedRegion = unreserve(longLivedRegion)
      longLivedRegion = region
    }
    let region = reserve(longLivedRegion)
    precondition(region.isReserved, "The pages of a region are free (FREE-2).")
    longLivedRegion = bump(size, 0, of: region)
    return region.rest.offset
  }
}
