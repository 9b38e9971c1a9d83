// Clustered: the blocks of one commit next to each other, short-lived nodes apart from rows.

extension FreeSpace {
  /// The maximum number of pages to take at once for short-lived blocks.
  private static let maxShortLivedPages = 16
  /// The units that a load looks for at once: long enough to be read in order, short enough to fill what lists have left.
  private static let loadedUnits = 16

  mutating func allocateClustered(
    _ size: Int, _ life: BlockLifetime, _ mayGrow: Bool
  ) -> Int? {
    life == .short && !isBulkCommit
      ? allocateShortLived(size, mayGrow) : allocateLongLived(size, mayGrow)
  }

  /// Allocates for leaves and values: from free pages, except those that short-lived blocks will need; then from the
  /// holes that replaced blocks of about the same size have left.
  private mutating func allocateLongLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    // A block larger than a page needs no neighbors.
    guard size <= Layout.pageSize else { return allocateTightFit(size) }
    if let offset = allocateFromRegion(.long, size) { return offset }
    if isBulkCommit, let region = chooseBulkRegion(size) {
      longLivedRegion = unreserve(longLivedRegion)
      longLivedRegion = region
      if let offset = allocateFromRegion(.long, size) { return offset }
    }
    let reservedShortLivedPages =
      shortLivedRegion.isReserved ? index.wholePages(shortLivedRegion.rest) : 0
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
    guard size <= Layout.pageSize else { return allocateTightFit(size) }
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
    return allocateTightFit(size)
  }

  /// If no page is entirely free: the larger part of one page within the largest extent, if that extent has room for
  /// two blocks. Best fit would take a different page for each block, and mostly holes of replaced nodes: a page of
  /// which some part is always in use never becomes entirely free.
  private func largestPartOfPage(_ size: Int) -> BumpRegion? {
    guard let largest = index.largest, largest.size >= 2 * size else { return nil }
    let boundary = min(roundedUp(largest.offset, to: Layout.pageSize), largest.end)
    let next = min(boundary + Layout.pageSize, largest.end)
    let part =
      boundary - largest.offset >= next - boundary
      ? Extent(offset: largest.offset, size: boundary - largest.offset)
      : Extent(offset: boundary, size: next - boundary)
    return part.size >= size ? BumpRegion(rest: part) : nil
  }

  /// For a bulk commit: the smallest extent that holds what the commit has left to allocate, else the largest; nil if
  /// that is shorter than a page. The region begins at the extent's first byte: if the file grew for this commit, that
  /// is the end of the previous block, and a gap at each growth step would make the free list long.
  private func chooseBulkRegion(_ size: Int) -> BumpRegion? {
    guard let extent = index.firstFit(max(size, expectedBytes)) ?? index.largest,
      extent.size >= max(size, Layout.pageSize)
    else { return nil }
    return BumpRegion(rest: extent)
  }

  /// Returns a region of free pages: the shortest run of pages that holds what the commit has left to allocate, or the
  /// longest; nil if none holds `size` bytes. The pages of the other lifetime's region are avoided as long as there are
  /// others.
  mutating func chooseRegion(_ size: Int, _ life: BlockLifetime) -> BumpRegion? {
    let needed = pageCount(of: size)
    let maxPages = life == .short ? max(needed, Self.maxShortLivedPages) : Int.max
    // Units are small: each block takes just those that hold it, from the shortest run. A block that began in the middle of
    // a unit would keep two in use (Docs/Allocation.md).
    let isTight = allocation == .wholeUnits && (!isBulkCommit || life == .short)
    let useful = allocation == .wholeUnits ? Self.loadedUnits : maxPages
    let wanted = isTight ? needed : max(needed, min(useful, pageCount(of: expectedBytes)))
    let other = (life == .short ? longLivedRegion : shortLivedRegion).rest
    var region = Self.region(index.firstPages(wanted), size, avoiding: other, pageSize)
    if region == nil { region = Self.region(index.longestPages, size, avoiding: other, pageSize) }
    guard let region else { return life == .short ? splitLongLivedRegion(size) : nil }
    let maxSize = isTight ? needed * pageSize : life == .short ? maxPages * pageSize : .max
    return BumpRegion(rest: Extent(offset: region.offset, size: min(region.size, maxSize)))
  }

  /// Returns the pages behind `other`, if it lies among them, else all; nil if they do not hold `size` bytes.
  private static func region(
    _ pages: Extent?, _ size: Int, avoiding other: Extent, _ pageSize: Int
  ) -> Extent? {
    guard var region = pages else { return nil }
    if other.size > 0, other.offset < region.end, other.end > region.offset {
      let end = roundedUp(other.end, to: pageSize)
      region = Extent(offset: end, size: region.end - end)
    }
    return region.size >= size ? region : nil
  }

  /// Takes the next pages of the long-lived region, since short-lived blocks benefit more from them.
  private mutating func splitLongLivedRegion(_ size: Int) -> BumpRegion? {
    let region = longLivedRegion.rest
    guard region.size >= size + pageSize else { return nil }
    let pages = max(
      pageCount(of: size), min(Self.maxShortLivedPages, region.size / pageSize / 2))
    let start = roundedUp(region.offset, to: pageSize)
    let end = start + pages * pageSize
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
    if life == .long, !isBulkCommit, !Layout.isWithinPage(offset, size) {
      offset = roundedUp(offset, to: Layout.pageSize)
      guard region.rest.end - offset >= size else { return nil }
    }
    let rest = bump(size, offset - region.rest.offset, of: region)
    if life == .long { longLivedRegion = rest } else { shortLivedRegion = rest }
    return offset
  }
}
