// The invariants of the free space, each with its number. They hold between any two calls.

extension FreeSpace {
  /// Stops a debug build if an invariant is violated. After a double free, which only a damaged file leads to, the next
  /// commit is refused anyway.
  func checkInvariants() {
    assert(hasDoubleFree || violations().isEmpty, "\(violations())")
  }

  /// Returns the violated invariants; tests check them after every change.
  ///
  /// - FREE-1: Free extents do not overlap, and lie between the first block's offset and the end.
  /// - FREE-2: An extent below the limit is in the index by address and in that by size; or, if it is shorter than a page,
  ///   the size is among those of its segment. One above the limit is in the index by address only.
  /// - FREE-3: Two free extents never touch, except at the limit.
  /// - FREE-4: No extent crosses the limit.
  /// - FREE-5: `bytes` is the sum of the extents and of the rests of reserved regions; all sizes are positive multiples
  ///   of 8.
  /// - FREE-6: If the strategy uses whole pages, an extent below the limit that contains some is in the index by pages,
  ///   and `freePages` is their sum.
  func violations() -> [String] {
    var found: [String] = []
    var sum = [longLivedRegion, shortLivedRegion].reduce(0) {
      $0 + ($1.isReserved ? $1.rest.size : 0)
    }
    var pages = 0
    var withPages = 0
    var longBelowLimit = 0
    var previousEnd = Layout.blocksStart - 1
    enumerate { extent in
      if extent.offset < previousEnd || extent.end > end { found.append("FREE-1 at \(extent)") }
      if extent.offset == previousEnd, extent.offset != limit {
        found.append("FREE-3 at \(extent)")
      }
      if extent.offset < limit, extent.end > limit { found.append("FREE-4 at \(extent)") }
      if extent.size <= 0 || extent.size % Layout.granule != 0 {
        found.append("FREE-5 at \(extent)")
      }
      if !index.hasRightSizes(extent) { found.append("FREE-2 at \(extent)") }
      sum += extent.size
      if extent.offset < limit {
        longBelowLimit += extent.size < Layout.pageSize ? 0 : 1
        let wholePages = index.wholePages(extent)
        pages += wholePages
        withPages += wholePages > 0 ? 1 : 0
        if index.tracksPages, wholePages > 0,
          !index.byPages.contains(size: wholePages, offset: extent.offset)
        {
          found.append("FREE-6 at \(extent)")
        }
      }
      previousEnd = extent.end
    }
    if sum != bytes { found.append("FREE-5: \(bytes) counted, \(sum) found") }
    if index.bySize.count != longBelowLimit {
      found.append("FREE-2: \(index.bySize.count) by size, \(longBelowLimit) below the limit")
    }
    for (size, segment) in index.classes.all where !index.hasExtent(ofSize: size, in: segment) {
      found.append("FREE-2: no extent of \(size) granules in segment \(segment)")
    }
    if index.tracksPages {
      if pages != freePages { found.append("FREE-6: \(freePages) pages counted, \(pages) found") }
      if withPages != index.byPages.count {
        found.append("FREE-6: \(index.byPages.count) are listed, \(withPages) found")
      }
    }
    return found
  }
}

extension ExtentIndex {
  /// Whether an extent is where it belongs by its size (FREE-2).
  fileprivate func hasRightSizes(_ extent: Extent) -> Bool {
    let size = extent.size / Layout.granule
    guard size < SizeClasses.count else {
      return bySize.contains(size: size, offset: extent.offset) == (extent.offset < limit)
    }
    return extent.offset >= limit || classes.contains(size, in: byAddress.segment(extent.offset))
  }
}

extension SizeClasses {
  /// All sizes with the segments that have them.
  fileprivate var all: [(size: Int, segment: Int)] {
    var all: [(size: Int, segment: Int)] = []
    var next = firstSize(from: 0)
    while let size = next {
      var nextSegment = firstSegment(size, from: 0)
      while let segment = nextSegment {
        all.append((size, segment))
        nextSegment = firstSegment(size, from: segment + 1)
      }
      next = firstSize(from: size + 1)
    }
    return all
  }
}
