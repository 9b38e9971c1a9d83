// The named strategies by which a free place is chosen for a block. See Format/Allocation.swift for what each is for.

/// Where one kind of blocks goes on being placed under `Allocation.clustered`.
struct FillPoint {
  /// Where the next block goes, or behind it; nothing is placed before it until the region is chosen again.
  var place = 0
  /// The end of the region that is being filled; 0 where none is.
  var end = 0
}

extension FreeSpace {
  /// A region is worth filling that has this many sixteenths free.
  private static let leastFree = 5
  /// So many regions are tried for a block before it goes wherever it fits.
  private static let mostTries = 3

  /// Begins a commit that will place about `bytes` bytes.
  mutating func beginCommit(expecting bytes: Int) {
    run = Extent(offset: 0, size: 0)
    expected = bytes
  }

  /// Takes `size` bytes, a multiple of 8; nil where the file has to grow for them, or, where it `mayGrow`, had better.
  mutating func allocate(
    _ size: Int, _ life: BlockLife = .long, mayGrow: Bool = false
  ) -> Int? {
    switch allocation {
    case .tightFit: allocateSmallest(size)
    case .exactOrTwice: allocateExactOrTwice(size)
    case .clustered: allocateClustered(size, life, mayGrow)
    case .wholePages: allocateInRun(size)
    }
  }

  /// The bytes that must be free behind one another at the file's end for `allocate` to find room for `size` bytes.
  func tailNeeded(for size: Int) -> Int {
    switch allocation {
    case .tightFit, .clustered: size
    case .exactOrTwice: 2 * size
    case .wholePages: roundedUp(size, to: Layout.pageSize) + Layout.pageSize
    }
  }

  /// The smallest extent that has the bytes, the lowest among equals.
  private mutating func allocateSmallest(_ size: Int) -> Int? {
    takeFront(at: bySize.lowerBound(Pair(first: size, second: 0)), size)
  }

  private mutating func allocateExactOrTwice(_ size: Int) -> Int? {
    let exact = bySize.lowerBound(Pair(first: size, second: 0))
    if bySize.pair(at: exact)?.first == size { return takeFront(at: exact, size) }
    return takeFront(at: bySize.lowerBound(Pair(first: 2 * size, second: 0)), size)
  }

  // MARK: Clusters

  private mutating func allocateClustered(
    _ size: Int, _ life: BlockLife, _ mayGrow: Bool
  ) -> Int? {
    // A large block is side by side with itself.
    guard size <= FreeRegions.size / 4 else { return allocateSmallest(size) }
    if let offset = takeInRegion(size, life) { return offset }
    for _ in 0..<Self.mostTries {
      let current = self[life].end / FreeRegions.size - 1
      guard let best = regions.takeBest(life, behind: current, least: Self.leastFree) else {
        self[life] = FillPoint()
        if mayGrow { return nil }
        break
      }
      self[life] = FillPoint(
        place: best * FreeRegions.size, end: (best + 1) * FreeRegions.size)
      if let offset = takeInRegion(size, life) { return offset }
    }
    return allocateSmallest(size)
  }

  /// The first free place behind the fill point, within its region, that has the bytes.
  private mutating func takeInRegion(_ size: Int, _ life: BlockLife) -> Int? {
    let point = self[life]
    let end = min(point.end, limit)
    guard point.place < end else { return nil }
    var position = byAddress.lowerBound(Pair(first: point.place, second: 0))
    if let before = byAddress.previous(position), let pair = byAddress.pair(at: before),
      pair.first + pair.second > point.place
    {
      position = before
    }
    while let pair = byAddress.pair(at: position), pair.first < end {
      let offset = max(pair.first, point.place)
      if pair.first + pair.second - offset >= size {
        let isTaken = remove(Extent(offset: offset, size: size))
        precondition(isTaken, "A free extent is free (FREE-1).")
        self[life].place = offset + size
        return offset
      }
      position = byAddress.next(position)
    }
    return nil
  }

  private subscript(life: BlockLife) -> FillPoint {
    get { life == .long ? longLived : shortLived }
    set { if life == .long { longLived = newValue } else { shortLived = newValue } }
  }

  // MARK: Whole pages

  /// Goes on in the pages that this commit has begun, else begins others that are free as a whole.
  private mutating func allocateInRun(_ size: Int) -> Int? {
    if run.size < size {
      let needed = roundedUp(size, to: Layout.pageSize) / Layout.pageSize
      let wanted = max(needed, roundedUp(expected, to: Layout.pageSize) / Layout.pageSize)
      let fitting = bySize.lowerBound(Pair(first: wanted, second: 0))
      guard let pair = bySize.pair(at: fitting) ?? bySize.last, pair.first >= needed else {
        return nil
      }
      run = Extent(
        offset: roundedUp(pair.second, to: Layout.pageSize), size: pair.first * Layout.pageSize)
    }
    let taken = Extent(offset: run.offset, size: size)
    let isTaken = remove(taken)
    precondition(isTaken, "The pages of a run are free (FREE-2).")
    run = Extent(offset: taken.end, size: run.size - size)
    expected = max(0, expected - size)
    return taken.offset
  }
}
