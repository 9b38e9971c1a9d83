// Whole pages and whole units: none holds blocks of two commits.

extension FreeSpace {
  /// Allocates from the pages or units that this commit has begun, else from other free ones.
  ///
  /// A unit is free when none of its blocks is in use. So inner nodes and records, which are soon replaced, are apart from
  /// leaves, of which they only use what is left over, and leaves that nearly fill a unit have one each.
  mutating func allocateWholePages(_ size: Int, _ life: BlockLifetime) -> Int? {
    let isApart = allocation == .wholeUnits && life == .short
    let fitsBesideLeaf = !isBulkCommit && longLivedRegion.rest.size >= size
    return allocateFromPages(isApart && !fitsBesideLeaf ? .short : .long, size)
  }

  private mutating func allocateFromPages(_ life: BlockLifetime, _ size: Int) -> Int? {
    var region = life == .long ? longLivedRegion : shortLivedRegion
    if region.rest.size < size + skippedBytes(in: region, size) {
      guard let other = chooseRegion(size, life) else { return nil }
      // Choosing for a short-lived block may shorten the long-lived region.
      _ = unreserve(region)
      region = other
    }
    region = reserve(region)
    precondition(region.isReserved, "The pages of a region are free (FREE-2).")
    let skipped = skippedBytes(in: region, size)
    let rest = bump(size, skipped, of: region)
    if life == .long { longLivedRegion = rest } else { shortLivedRegion = rest }
    return region.rest.offset + skipped
  }

  /// The rest of a unit, if a block that begins there would keep one unit more in use and little is left over. Without it
  /// a load would be shorter by at most an eighth, and a quarter longer when half of its rows have changed.
  private func skippedBytes(in region: BumpRegion, _ size: Int) -> Int {
    guard allocation.maxSkippedBytes > 0, region.rest.size > 0 else { return 0 }
    let next = roundedUp(region.rest.offset, to: pageSize)
    let rest = next - region.rest.offset
    guard rest <= allocation.maxSkippedBytes, pageCount(of: size - rest) == pageCount(of: size)
    else { return 0 }
    return rest
  }
}
