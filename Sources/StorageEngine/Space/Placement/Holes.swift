// The holes that leaves go into when no page is free as a whole: those that replaced blocks have left.

extension FreeSpace {
  /// The maximum number of free extents to examine behind the last hole that was filled.
  private static let maxNeighbors = 64
  /// The maximum number of holes of about the size to examine for one that keeps a block within a page.
  private static let maxProbes = 16

  /// Allocates from a hole near the last one filled; else from one of about the size, in which the block lies within a page;
  /// else from any that is large enough.
  mutating func allocateFromHole(_ size: Int) -> Int? {
    if usesNextFit, let offset = allocateNextFit(size) { return offset }
    if let offset = allocateFromHole(size, after: lastHoleEnd) { return offset }
    if let offset = allocateFromHole(size, after: 0) { return offset }
    return allocateTightFit(size)
  }

  /// Allocates from the next hole by address, behind the last one filled, in which the block lies within a page; from the
  /// beginning of the file behind its end. The hole is at most a quarter larger than the block, or at least twice as large:
  /// what is left is small, or holds another block. Pages that are free as a whole are left to inner nodes.
  ///
  /// Holes are filled in passing, so that those ahead are the ones that have become free since the file was last gone
  /// through. They are close together, where the holes of exactly one size are all over the file, and a durable commit waits
  /// for each group of adjacent pages that it writes.
  private mutating func allocateNextFit(_ size: Int) -> Int? {
    var position = index.lowerBound(lastHoleEnd)
    for _ in 0..<Self.maxNeighbors {
      guard let hole = index.byAddress.element(at: position), hole.offset < limit else {
        position = index.byAddress.first
        continue
      }
      let offset = Self.placeWithinPage(hole, size)
      let rest = hole.size - size
      if hole.end - offset >= size, rest <= size / 4 || rest >= size, index.wholePages(hole) == 0 {
        allocate(Extent(offset: offset, size: size), from: hole, at: position)
        lastHoleEnd = offset + size
        return offset
      }
      position = index.byAddress.next(position)
    }
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
