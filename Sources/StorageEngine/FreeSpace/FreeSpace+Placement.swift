// The named strategies by which a free place is chosen for a block. See Format/Allocation.swift for what each is for, and
// Docs/Allocation.md for what was measured.

extension FreeSpace {
  /// So many holes are looked at for one that keeps a block within a page.
  private static let mostLooks = 16
  /// So many pages at most are taken at once for short-lived blocks.
  private static let shortPages = 16
  /// A commit that places more, and more than twice what it replaces, is put down in one piece, block behind block: it is
  /// long enough to be worth that, and a file that was loaded in one transaction has no gaps. Blocks that replace others
  /// will be replaced themselves, here and there, and what two of them left in the pages that both had a part of would be
  /// of no use to blocks that lie within a page.
  private static let bulk = 1 << 18

  /// Begins a commit that will place about `bytes` bytes, and that has replaced or deleted blocks of `replaced` bytes.
  mutating func beginCommit(expecting bytes: Int, replacing replaced: Int = 0) {
    settleRuns()
    expected = bytes
    isBulk = bytes > Self.bulk && bytes / 2 > replaced
    switch allocation {
    case .wholePages: longRun = Run()
    case .clustered:
      shortReserve = Self.pages(shortTaken) + 1
      shortTaken = 0
      // A page that the commit before has begun would be written once more.
      longRun.rest = Self.fromNextPage(longRun.rest)
      shortRun.rest = Self.fromNextPage(shortRun.rest)
    case .exactOrTwice, .tightFit: break
    }
  }

  private static func fromNextPage(_ run: Extent) -> Extent {
    let offset = roundedUp(run.offset, to: Layout.pageSize)
    return Extent(offset: offset, size: max(0, run.end - offset))
  }

  private static func pages(_ bytes: Int) -> Int {
    roundedUp(bytes, to: Layout.pageSize) / Layout.pageSize
  }

  /// Takes `size` bytes, a multiple of 8; nil where the file has to grow for them, or, where it `mayGrow`, had better.
  mutating func allocate(
    _ size: Int, _ life: BlockLifetime = .long, mayGrow: Bool = false
  ) -> Int? {
    defer { expected = max(0, expected - size) }
    switch allocation {
    case .tightFit: return allocateSmallest(size)
    case .exactOrTwice: return allocateExactOrTwice(size)
    case .wholePages: return allocateWhole(size)
    case .clustered:
      if life == .short, !isBulk { shortTaken += size }
      if let offset = allocateClustered(size, life, mayGrow) { return offset }
      // Where nothing else is left, so is what the runs had been promised.
      guard !mayGrow, longRun.isOwned || shortRun.isOwned else { return nil }
      settleRuns()
      return allocateSmallest(size)
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
    _ size: Int, _ life: BlockLifetime, _ mayGrow: Bool
  ) -> Int? {
    life == .short && !isBulk
      ? allocateShortLived(size, mayGrow) : allocateLongLived(size, mayGrow)
  }

  /// Leaves and values: pages that are free as a whole, but for those that the short-lived blocks will need; then the
  /// holes that replaced blocks of the same size have left.
  private mutating func allocateLongLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    // A large block is side by side with itself.
    guard size <= Layout.pageSize else { return allocateSmallest(size) }
    if let offset = takeFromRun(.long, size) { return offset }
    if isBulk, let run = chooseBulkRun(size) {
      longRun = settle(longRun)
      longRun = run
      if let offset = takeFromRun(.long, size) { return offset }
    }
    let promised = shortRun.isOwned ? Self.wholePages(shortRun.rest) : 0
    let most = (freePages + promised - shortReserve) * Layout.pageSize
    if !isBulk, most > 0, let run = chooseRun(size, .long) {
      longRun = settle(longRun)
      longRun.rest = Extent(offset: run.rest.offset, size: min(run.rest.size, most))
      if let offset = takeFromRun(.long, size) { return offset }
    }
    if mayGrow { return nil }
    return takeHole(size)
  }

  /// Inner nodes and records: side by side, so that they leave whole pages when they are replaced.
  private mutating func allocateShortLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    guard size <= Layout.pageSize else { return allocateSmallest(size) }
    if let offset = takeFromRun(.short, size) { return offset }
    if let run = chooseRun(size, .short) {
      shortRun = settle(shortRun)
      shortRun = run
      if let offset = takeFromRun(.short, size) { return offset }
    }
    if mayGrow { return nil }
    if let run = largestPartOfPage(size) {
      shortRun = settle(shortRun)
      shortRun = run
      if let offset = takeFromRun(.short, size) { return offset }
    }
    return allocateSmallest(size)
  }

  /// Where no page is free as a whole, what the largest extent has of one page, if it takes two blocks. The smallest places
  /// that fit would have a page each; and they are what replaced nodes have left: a page with some in use, some filled
  /// again and again, is never free as a whole.
  private func largestPartOfPage(_ size: Int) -> Run? {
    guard let pair = bySize.last, pair.first >= 2 * size else { return nil }
    let end = pair.second + pair.first
    let border = min(roundedUp(pair.second, to: Layout.pageSize), end)
    let next = min(border + Layout.pageSize, end)
    let part =
      border - pair.second >= next - border
      ? Extent(offset: pair.second, size: border - pair.second)
      : Extent(offset: border, size: next - border)
    return part.size >= size ? Run(rest: part) : nil
  }

  /// For a commit that is put down in one piece: the smallest extent that takes what it has left to place, or the
  /// largest; nil where that has no page to give. It begins with the extent's first byte: where the file grew for the
  /// commit, that is the end of the block before, and a gap at each step of growth would make a long list of them.
  private func chooseBulkRun(_ size: Int) -> Run? {
    let wanted = Pair(first: max(size, expected), second: 0)
    guard let pair = bySize.pair(at: bySize.lowerBound(wanted)) ?? bySize.last,
      pair.first >= max(size, Layout.pageSize)
    else { return nil }
    return Run(rest: Extent(offset: pair.second, size: pair.first))
  }

  /// Pages that are free as a whole: the shortest row of them that takes what the commit has left to place, or the
  /// longest there is; nil where none has `size` bytes. What the other kind of blocks is being put into is left to it, as
  /// long as there is something else.
  private mutating func chooseRun(_ size: Int, _ life: BlockLifetime) -> Run? {
    let needed = Self.pages(size)
    let most = life == .short ? max(needed, Self.shortPages) : Int.max
    let wanted = min(most, max(needed, Self.pages(expected)))
    let fitting = byPages.pair(at: byPages.lowerBound(Pair(first: wanted, second: 0)))
    let longest = byPages.last
    for pair in [fitting, longest] {
      guard let pair, pair.first >= needed else { continue }
      var run = Extent(
        offset: roundedUp(pair.second, to: Layout.pageSize), size: pair.first * Layout.pageSize)
      let other = (life == .short ? longRun : shortRun).rest
      if other.size > 0, other.offset < run.end, other.end > run.offset {
        let end = roundedUp(other.end, to: Layout.pageSize)
        run = Extent(offset: end, size: run.end - end)
      }
      if run.size >= size {
        let size = min(run.size, life == .short ? most * Layout.pageSize : .max)
        return Run(rest: Extent(offset: run.offset, size: size))
      }
    }
    return life == .short ? splitLongRun(size) : nil
  }

  /// The next pages of the leaves' run: they are worth more to the short-lived blocks.
  private mutating func splitLongRun(_ size: Int) -> Run? {
    let run = longRun.rest
    guard run.size >= size + Layout.pageSize else { return nil }
    let pages = max(Self.pages(size), min(Self.shortPages, run.size / Layout.pageSize / 2))
    let start = roundedUp(run.offset, to: Layout.pageSize)
    let end = start + pages * Layout.pageSize
    guard end <= run.end else { return nil }
    let begun = Extent(offset: run.offset, size: start - run.offset)
    if longRun.isOwned, begun.size > 0 { putBack(begun) }
    longRun.rest = Extent(offset: end, size: run.end - end)
    return Run(rest: Extent(offset: start, size: end - start), isOwned: longRun.isOwned)
  }

  /// The next bytes of the run; of long-lived blocks, the first of its next page where they would lie in two.
  private mutating func takeFromRun(_ life: BlockLifetime, _ size: Int) -> Int? {
    guard (life == .long ? longRun : shortRun).rest.size >= size else { return nil }
    // A run is remembered between commits, not owned: a large block, or the end of the file, may have taken a part.
    let run = own(life == .long ? longRun : shortRun)
    if life == .long { longRun = run } else { shortRun = run }
    guard run.isOwned, run.rest.size >= size else { return nil }
    var offset = run.rest.offset
    if life == .long, !isBulk, !Self.isWithinPage(offset, size) {
      offset = roundedUp(offset, to: Layout.pageSize)
      guard run.rest.end - offset >= size else { return nil }
    }
    let rest = take(size, offset - run.rest.offset, of: run)
    if life == .long { longRun = rest } else { shortRun = rest }
    return offset
  }

  @inline(__always)
  private static func isWithinPage(_ offset: Int, _ size: Int) -> Bool {
    offset / Layout.pageSize == (offset &+ size &- 1) / Layout.pageSize
  }

  /// A hole of about the size, the next one behind the hole before, in which the block lies within a page; else any that
  /// has room.
  private mutating func takeHole(_ size: Int) -> Int? {
    for from in [lastHole, 0] {
      var position = bySize.lowerBound(Pair(first: size, second: from))
      var looks = 0
      while looks < Self.mostLooks, let pair = bySize.pair(at: position) {
        var offset = pair.second
        if !Self.isWithinPage(offset, size) { offset = roundedUp(offset, to: Layout.pageSize) }
        if pair.second + pair.first - offset >= size {
          let isTaken = remove(Extent(offset: offset, size: size))
          precondition(isTaken, "A free extent is free (FREE-1).")
          lastHole = offset + size
          return offset
        }
        position = bySize.next(position)
        looks += 1
      }
    }
    return allocateSmallest(size)
  }

  // MARK: Whole pages

  /// Goes on in the pages that this commit has begun, else begins others that are free as a whole.
  private mutating func allocateWhole(_ size: Int) -> Int? {
    if longRun.rest.size < size {
      guard let run = chooseRun(size, .long) else { return nil }
      longRun = settle(longRun)
      longRun = run
    }
    let run = own(longRun)
    precondition(run.isOwned, "The pages of a run are free (FREE-2).")
    longRun = take(size, 0, of: run)
    return run.rest.offset
  }
}
