// The regions from which strategies allocate without a search.

/// A region from which blocks are allocated by advancing its start, without a search. While a commit allocates its
/// blocks the region is *reserved*: it is removed from the indexes. Between commits it is only remembered.
struct BumpRegion {
  var rest = Extent(offset: 0, size: 0)
  var isReserved = false
}

extension FreeSpace {
  /// Reserves the region: removes it from the indexes. Its bytes stay counted as free until they are allocated. A
  /// region of which a part was allocated meanwhile is cut off there.
  mutating func reserve(_ region: BumpRegion) -> BumpRegion {
    guard !region.isReserved, region.rest.size > 0 else { return region }
    let rest = freeBeginning(of: region.rest)
    guard rest.size > 0, remove(rest) else { return BumpRegion() }
    bytes &+= rest.size
    return BumpRegion(rest: rest, isReserved: true)
  }

  /// Returns the extent up to its first byte that is not free.
  private func freeBeginning(of extent: Extent) -> Extent {
    let end = index.last(atOrBefore: extent.offset)?.extent.end ?? 0
    return Extent(offset: extent.offset, size: max(0, min(extent.end, end) - extent.offset))
  }

  /// Allocates `size` bytes of a reserved region, after `skipped` bytes, which are returned to the free space.
  mutating func bump(_ size: Int, _ skipped: Int, of region: BumpRegion) -> BumpRegion {
    if skipped > 0 { returnReserved(Extent(offset: region.rest.offset, size: skipped)) }
    bytes &-= size
    let taken = size &+ skipped
    return BumpRegion(
      rest: Extent(offset: region.rest.offset &+ taken, size: region.rest.size &- taken),
      isReserved: true)
  }

  mutating func returnReserved(_ extent: Extent) {
    bytes &-= extent.size
    free(extent)
  }

  /// Returns the rest of a reserved region to the free space; the region stays remembered.
  mutating func unreserve(_ region: BumpRegion) -> BumpRegion {
    if region.isReserved, region.rest.size > 0 { returnReserved(region.rest) }
    return BumpRegion(rest: region.rest, isReserved: false)
  }

  /// Unreserves both regions: until the next allocation, the indexes contain everything that is free.
  mutating func unreserveRegions() {
    longLivedRegion = unreserve(longLivedRegion)
    shortLivedRegion = unreserve(shortLivedRegion)
  }
}
