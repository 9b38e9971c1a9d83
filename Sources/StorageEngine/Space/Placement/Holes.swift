// The holes that leaves go into when no page is free as a whole: those that replaced blocks have left.

/// What the searches of a commit for roomy holes have found: after the first that failed there are no others.
enum RoomyHoleSearch {
  case notDone, successful, failed
}

extension FreeSpace {
  /// The maximum number of free extents to examine behind the last hole that was filled.
  private static let maxNeighbors = 64
  /// The same for a roomy hole. Between two of them there may be many that hold no leaf.
  private static let maxRoomyNeighbors = 512
  /// The maximum number of holes of about the size to examine for one that keeps a block within a page.
  private static let maxProbes = 16

  /// Allocates from a hole near the last one filled; else from one of about the size, in which the block lies within a page;
  /// else from any that is large enough.
  mutating func allocateFromHole(_ size: Int) -> Int? {
    if isBloated, let offset = allocateFromRoomyHole(size) { return offset }
    if usesNextFit, let offset = allocateNextFit(size) { return offset }
    if let offset = allocateFromHole(size, after: lastHoleEnd) { return offset }
    if let offset = allocateFromHole(size, after: 0) { return offset }
    return allocateTightFit(size)
  }

  /// Allocates from the next hole by address, behind the last one filled, that is at most a quarter larger than the block, or
  /// at least twice as large: what is left is small, or holds another block.
  ///
  /// Holes are filled in passing, so that those ahead are the ones that have become free since the file was last gone
  /// through. They are close together, where the holes of exactly one size are all over the file, and a durable commit waits
  /// for each group of adjacent pages that it writes.
  private mutating func allocateNextFit(_ size: Int) -> Int? {
    var end = lastHoleEnd
    let offset = allocateFromNextHole(size, behind: &end, ofNext: Self.maxNeighbors) {
      $0 <= size / 4 || $0 >= size
    }
    if offset != nil { lastHoleEnd = end }
    return offset
  }

  /// Allocates a leaf from the next hole that is more than a quarter larger. Others have left such a hole, and stay around it.
  /// One of about the size is beside a leaf, and if it stays free the two become a whole page, for two leaves or for inner
  /// nodes.
  private mutating func allocateFromRoomyHole(_ size: Int) -> Int? {
    guard size > Layout.pageSize / 4, roomyHoleSearch != .failed else { return nil }
    var end = lastRoomyHoleEnd
    let offset = allocateFromNextHole(size, behind: &end, ofNext: Self.maxRoomyNeighbors) {
      $0 > size / 4
    }
    lastRoomyHoleEnd = end
    roomyHoleSearch = offset == nil ? .failed : .successful
    return offset
  }

  /// Allocates for a record of a bloated file: behind the leaf in the roomy hole that this commit has filled last, in the same
  /// page; in a hole near the last one filled if its leaves are all in whole pages.
  ///
  /// A record stays until the next checkpoint, hundreds of commits in a file with very many free extents. Behind inner nodes it
  /// would keep a page that is free otherwise after a few.
  mutating func allocateRecord(_ size: Int) -> Int? {
    guard isBloated, allocation == .clustered, !savesPages, !isBulkCommit,
      size <= Layout.pageSize / 4
    else { return nil }
    return switch roomyHoleSearch {
    case .notDone: allocateNextFit(size)
    case .successful: allocateBehindLeaf(size)
    case .failed: nil
    }
  }

  private mutating func allocateBehindLeaf(_ size: Int) -> Int? {
    let start = lastRoomyHoleEnd
    guard Layout.isWithinPage(start - 1, size + 1), start < limit,
      let rest = index.byAddress.element(at: index.lowerBound(start)), rest.offset == start
    else { return nil }
    return rest.size >= size ? allocateFront(of: rest, size) : nil
  }

  /// Allocates from the next suitable hole by address behind `end`, in which the block lies within a page; from the beginning
  /// of the file behind its end. Pages that are free as a whole are left to inner nodes. `end` becomes the block's end, or
  /// where the search ended.
  @inline(__always)
  private mutating func allocateFromNextHole(
    _ size: Int, behind end: inout Int, ofNext maximum: Int, where isSuitable: (_ rest: Int) -> Bool
  ) -> Int? {
    var position = index.lowerBound(end)
    for _ in 0..<maximum {
      guard let hole = index.byAddress.element(at: position), hole.offset < limit else {
        position = index.byAddress.first
        continue
      }
      let offset = Self.placeWithinPage(hole, size)
      if hole.end - offset >= size, isSuitable(hole.size - size), index.wholePages(hole) == 0 {
        allocate(Extent(offset: offset, size: size), from: hole, at: position)
        end = offset + size
        return offset
      }
      position = index.byAddress.next(position)
    }
    end = index.byAddress.element(at: position)?.offset ?? 0
    return nil
  }

  /// Returns where a block at the beginning of a hole lies within a page.
  @inline(__always)
  private static func placeWithinPage(_ hole: Extent, _ size: Int) -> Int {
    Layout.isWithinPage(hole.offset, size)
      ? hole.offset : roundedUp(hole.offset, to: Layout.pageSize)
  }

  private mutating func allocateFromHole(_ size: Int, after start: Int) -> Int? {
    let hole = index.firstFit(size, from: start, ofFirst: Self.maxProbes) {
      $0.end - Self.placeWithinPage($0, size) >= size
    }
    guard let hole else { return nil }
    let offset = Self.placeWithinPage(hole, size)
    allocate(Extent(offset: offset, size: size), from: hole)
    lastHoleEnd = offset + size
    return offset
  }
}
