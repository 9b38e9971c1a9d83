// The choice of the strategy; each has its own file here. Format/Allocation.swift has what each is for,
// Docs/Allocation.md what was measured.

extension FreeSpace {
  /// A *bulk commit* writes more bytes than this, and more than twice what it replaces. Its blocks are laid out back to
  /// back: it is long enough to be worth that, and a file loaded in one transaction has no gaps. A commit that replaces
  /// blocks is not laid out so: its blocks will themselves be replaced, one here and one there, and where two of them
  /// shared a page, the rests that they leave would be useless for blocks that must lie within a page.
  private static let bulkThreshold = 1 << 18

  /// Begins a commit that will allocate about `bytes` bytes and has replaced or deleted blocks of `replaced` bytes.
  mutating func beginCommit(expecting bytes: Int, replacing replaced: Int = 0) {
    unreserveRegions()
    checkInvariants()
    expectedBytes = bytes
    isBulkCommit = bytes > Self.bulkThreshold && bytes / 2 > replaced
    switch allocation {
    case .wholePages, .wholeUnits:
      longLivedRegion = BumpRegion()
      shortLivedRegion = BumpRegion()
    case .clustered:
      reservedPages = pageCount(of: shortLivedBytes) + 1
      shortLivedBytes = 0
      roomyHoleSearch = .notDone
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

  /// Allocates `size` bytes, a multiple of 8. nil if the file has to grow for them, or, with `mayGrow`, if growing is
  /// preferable.
  mutating func allocate(
    _ size: Int, _ life: BlockLifetime = .long, mayGrow: Bool = false
  ) -> Int? {
    defer { expectedBytes = max(0, expectedBytes - size) }
    switch allocation {
    case .tightFit: return allocateTightFit(size)
    case .exactOrTwice: return allocateExactOrTwice(size)
    case .wholePages, .wholeUnits: return allocateWholePages(size, life)
    case .clustered where savesPages: return allocateTightFit(size)
    case .clustered:
      if life == .short, !isBulkCommit { shortLivedBytes += size }
      if let offset = allocateClustered(size, life, mayGrow) { return offset }
      // As a last resort, use what is reserved for the regions.
      guard !mayGrow, longLivedRegion.isReserved || shortLivedRegion.isReserved else { return nil }
      unreserveRegions()
      return allocateTightFit(size)
    }
  }

  /// Allocates `size` bytes after the file has grown from `end`. nil if it has not grown by `tailNeeded`.
  mutating func allocateGrown(_ size: Int, _ life: BlockLifetime, from end: Int) -> Int? {
    guard allocation == .exactOrTwice else { return allocate(size, life) }
    // Realm Core neither joins what it adds to the free bytes before it nor requires twice the size (extend_free_space).
    return remove(Extent(offset: end, size: size)) ? end : nil
  }

  /// The offset from which free bytes count when the file grows for a block.
  var growthStart: Int { allocation == .exactOrTwice ? end : freeTailOffset }

  /// Returns the free bytes from `growthStart` on that guarantee that `allocateGrown` succeeds for `size` bytes.
  func tailNeeded(for size: Int) -> Int {
    switch allocation {
    case .tightFit, .clustered, .exactOrTwice: size
    case .wholePages, .wholeUnits: roundedUp(size, to: pageSize) + pageSize
    }
  }

  func pageCount(of bytes: Int) -> Int {
    roundedUp(bytes, to: pageSize) / pageSize
  }
}
