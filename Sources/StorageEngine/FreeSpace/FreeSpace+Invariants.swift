// What holds for the free space between any two calls, each rule with its number.

extension FreeSpace {
  /// The rules that are broken, in words; tests ask after every change.
  ///
  /// - FREE-1: Free extents do not overlap and lie between the first block's place and the end.
  /// - FREE-2: An extent below the limit is found by size as well as by address; no other is found by size. Under
  ///   `wholePages` size is the number of whole pages, and an extent without one is not found by it.
  /// - FREE-3: Two free extents never touch, except at the limit.
  /// - FREE-4: No extent crosses the limit.
  /// - FREE-5: `bytes` is the sum of the extents; all sizes are multiples of 8 and above zero.
  /// - FREE-6: Under `clustered` the regions' counts are those of the extents below the limit, and every region with a
  ///   sixteenth free is in their order, unless it is being filled.
  func violations() -> [String] {
    var found: [String] = []
    var sum = 0
    var regionSums: [Int: Int] = [:]
    var previousEnd = Layout.blocksStart - 1
    visit { extent in
      if extent.offset < previousEnd || extent.end > end { found.append("FREE-1 at \(extent)") }
      if extent.offset == previousEnd, extent.offset != limit {
        found.append("FREE-3 at \(extent)")
      }
      if extent.offset < limit, extent.end > limit { found.append("FREE-4 at \(extent)") }
      if extent.size <= 0 || extent.size % Layout.granule != 0 {
        found.append("FREE-5 at \(extent)")
      }
      let isFound = extent.offset < limit && rank(extent) > 0
      if isListedBySize(extent) != isFound { found.append("FREE-2 at \(extent)") }
      sum += extent.size
      for offset in stride(from: extent.offset, to: extent.end, by: Layout.granule)
      where allocation == .clustered && extent.offset < limit {
        regionSums[offset / FreeRegions.size, default: 0] += Layout.granule
      }
      previousEnd = extent.end
    }
    if sum != bytes { found.append("FREE-5: \(bytes) counted, \(sum) found") }
    if listedBySize > extentCount { found.append("FREE-2: \(listedBySize) by size") }
    if allocation == .clustered { found += regions.violations(regionSums) }
    return found
  }
}
