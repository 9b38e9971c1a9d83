// Whole pages and whole units: none holds blocks of two commits.

extension FreeSpace {
  /// Allocates from the pages or units that this commit has begun, else from other free ones.
  mutating func allocateWholePages(_ size: Int) -> Int? {
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
