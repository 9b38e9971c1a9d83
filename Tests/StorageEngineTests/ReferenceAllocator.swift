// What the allocator must do, written as plainly as possible: one sorted array, searched from end to end. The
// differential test compares each offset with it.
@testable import StorageEngine

struct ReferenceAllocator {
  struct Region {
    var rest = Extent(offset: 0, size: 0)
    var isReserved = false
  }

  let allocation: Allocation
  private(set) var end: Int
  private(set) var limit = Int.max
  /// By address, without what is reserved.
  private(set) var extents: [Extent] = []
  private var long = Region()
  private var short = Region()
  let isBloated: Bool
  private var lastHoleEnd = 0
  private var lastRoomyHoleEnd = 0
  private var mayFillRoomyHole = true
  private var expected = 0
  private var isBulk = false
  private var shortBytes = 0
  private var reservedPages = 0
  private var page: Int { allocation == .wholeUnits ? 2048 : 4096 }

  init(end: Int, _ allocation: Allocation, isBloated: Bool) {
    (self.end, self.allocation, self.isBloated) = (end, allocation, isBloated)
  }

  var bytes: Int {
    (extents + [long, short].filter(\.isReserved).map(\.rest)).reduce(0) { $0 + $1.size }
  }

  // MARK: Extents

  mutating func free(_ extent: Extent) {
    guard extent.size > 0 else { return }
    if extent.offset < limit, extent.end > limit {
      free(Extent(offset: extent.offset, size: limit - extent.offset))
      return free(Extent(offset: limit, size: extent.end - limit))
    }
    extents.append(extent)
    extents.sort { $0.offset < $1.offset }
    var joined: [Extent] = []
    for extent in extents {
      if let last = joined.last, last.end == extent.offset, extent.offset != limit {
        joined[joined.count - 1].size += extent.size
      } else {
        joined.append(extent)
      }
    }
    extents = joined
  }

  private mutating func take(_ part: Extent) -> Int {
    let index = extents.firstIndex { $0.offset <= part.offset && $0.end >= part.end }!
    let whole = extents.remove(at: index)
    let rests = [
      Extent(offset: whole.offset, size: part.offset - whole.offset),
      Extent(offset: part.end, size: whole.end - part.end),
    ]
    extents.insert(contentsOf: rests.filter { $0.size > 0 }, at: index)
    return part.offset
  }

  mutating func grow(to newEnd: Int) {
    unreserve()
    let added = Extent(offset: end, size: newEnd - end)
    end = newEnd
    free(added)
  }

  mutating func setLimit(_ newLimit: Int) {
    guard newLimit != limit else { return }
    unreserve()
    let all = extents
    (extents, limit, long, short) = ([], newLimit, Region(), Region())
    for extent in all { free(extent) }
  }

  // MARK: Choice

  /// The extents that may be used, smallest first, lowest first among equals.
  private var bySize: [Extent] {
    extents.filter { $0.offset < limit }.sorted { ($0.size, $0.offset) < ($1.size, $1.offset) }
  }

  /// The whole pages of each, shortest first, lowest first among equals.
  private var byPages: [Extent] {
    let runs = extents.filter { $0.offset < limit }.map { extent in
      let first = (extent.offset + page - 1) / page * page
      return Extent(offset: first, size: max(0, extent.end / page * page - first))
    }
    return runs.filter { $0.size > 0 }.sorted { ($0.size, $0.offset) < ($1.size, $1.offset) }
  }

  private func pages(_ bytes: Int) -> Int { (bytes + page - 1) / page }

  mutating func beginCommit(expecting bytes: Int, replacing replaced: Int) {
    unreserve()
    (expected, isBulk) = (bytes, bytes > 1 << 18 && bytes / 2 > replaced)
    if allocation.isolatesCommits { (long, short) = (Region(), Region()) }
    guard allocation == .clustered else { return }
    reservedPages = pages(shortBytes) + 1
    shortBytes = 0
    mayFillRoomyHole = true
    for path in [\Self.long.rest, \Self.short.rest] {
      let next = pages(self[keyPath: path].offset) * page
      self[keyPath: path] = Extent(offset: next, size: max(0, self[keyPath: path].end - next))
    }
  }

  mutating func allocate(_ size: Int, _ life: BlockLifetime, mayGrow: Bool) -> Int? {
    defer { expected = max(0, expected - size) }
    switch allocation {
    case .tightFit: return tightFit(size)
    case .exactOrTwice:
      let fitting =
        bySize.first { $0.size == size } ?? bySize.first { $0.size >= 2 * size }
      return fitting.map { take(Extent(offset: $0.offset, size: size)) }
    case .wholePages, .wholeUnits:
      let isApart = allocation == .wholeUnits && life == .short
      let isShort = isApart && (isBulk || long.rest.size < size)
      let path = isShort ? \Self.short : \Self.long
      if self[keyPath: path].rest.size < size + skipped(self[keyPath: path].rest, size) {
        guard let region = region(size, isShort ? .short : .long) else { return nil }
        unreserve(path)
        self[keyPath: path] = region
      }
      reserve(path)
      return bump(path, size, skipping: skipped(self[keyPath: path].rest, size))
    case .clustered:
      let isShort = life == .short && !isBulk
      if isShort { shortBytes += size }
      if let offset = isShort ? shortLived(size, mayGrow) : longLived(size, mayGrow) {
        return offset
      }
      guard !mayGrow, long.isReserved || short.isReserved else { return nil }
      unreserve()
      return tightFit(size)
    }
  }

  /// The rest of a unit that is not used: at most an eighth, if the block then lies in one unit less.
  private func skipped(_ region: Extent, _ size: Int) -> Int {
    let rest = pages(region.offset) * page - region.offset
    let fewer = pages(size) < (region.offset + size - 1) / page - region.offset / page + 1
    return allocation == .wholeUnits && region.size > 0 && fewer && rest <= page / 8 ? rest : 0
  }

  private mutating func tightFit(_ size: Int) -> Int? {
    bySize.first { $0.size >= size }.map { take(Extent(offset: $0.offset, size: size)) }
  }

  private mutating func longLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    guard size <= page else { return tightFit(size) }
    if let offset = fromRegion(\.long, size) { return offset }
    if isBulk {
      let fitting = bySize.first { $0.size >= max(size, expected) } ?? bySize.last
      if let fitting, fitting.size >= max(size, page) {
        unreserve(\.long)
        long = Region(rest: fitting)
        if let offset = fromRegion(\.long, size) { return offset }
      }
    }
    var freePages = byPages.reduce(0) { $0 + $1.size / page } - reservedPages
    if short.isReserved {
      freePages += max(0, short.rest.end / page - pages(short.rest.offset))
    }
    if !isBulk, freePages > 0, let region = region(size, .long) {
      unreserve(\.long)
      let most = min(region.rest.size, freePages * page)
      long.rest = Extent(offset: region.rest.offset, size: most)
      if let offset = fromRegion(\.long, size) { return offset }
    }
    return mayGrow ? nil : fromHole(size)
  }

  private mutating func shortLived(_ size: Int, _ mayGrow: Bool) -> Int? {
    guard size <= page else { return tightFit(size) }
    if let offset = fromRegion(\.short, size) { return offset }
    if let region = region(size, .short) {
      unreserve(\.short)
      short = region
      if let offset = fromRegion(\.short, size) { return offset }
    }
    if mayGrow { return nil }
    if let largest = bySize.last, largest.size >= 2 * size {
      let boundary = min(pages(largest.offset) * page, largest.end)
      let first = Extent(offset: largest.offset, size: boundary - largest.offset)
      let second = Extent(
        offset: boundary, size: min(boundary + page, largest.end) - boundary)
      let part = first.size >= second.size ? first : second
      if part.size >= size {
        unreserve(\.short)
        short = Region(rest: part)
        if let offset = fromRegion(\.short, size) { return offset }
      }
    }
    return tightFit(size)
  }

  private mutating func fromRoomyHole(_ size: Int) -> Int? {
    guard isBloated, size > page / 4, mayFillRoomyHole else { return nil }
    var index = extents.firstIndex { $0.offset >= lastRoomyHoleEnd } ?? extents.count
    // Behind the last extent the search begins again, which counts as one of its 512 steps.
    for _ in 0..<512 {
      guard index < extents.count, extents[index].offset < limit else {
        index = 0
        continue
      }
      let hole = extents[index]
      let isInPage = hole.offset / page == (hole.offset + size - 1) / page
      let offset = isInPage ? hole.offset : pages(hole.offset) * page
      let wholePages = hole.end / page - pages(hole.offset)
      if hole.end - offset >= size, 4 * hole.size > 5 * size, wholePages <= 0 {
        lastRoomyHoleEnd = offset + size
        return take(Extent(offset: offset, size: size))
      }
      index += 1
    }
    lastRoomyHoleEnd = index < extents.count ? extents[index].offset : 0
    mayFillRoomyHole = false
    return nil
  }

  private mutating func fromHole(_ size: Int) -> Int? {
    if let offset = fromRoomyHole(size) { return offset }
    let usable = extents.filter { $0.offset < limit }
    let following = usable.filter { $0.offset >= lastHoleEnd }
    // Behind the last extent the search begins again, which counts as one of its 64 steps.
    for hole in following.prefix(64) + usable.prefix(max(0, 63 - following.count)) {
      let isInPage = hole.offset / page == (hole.offset + size - 1) / page
      let offset = isInPage ? hole.offset : pages(hole.offset) * page
      let wholePages = hole.end / page - pages(hole.offset)
      let isUseful = 4 * hole.size <= 5 * size || hole.size >= 2 * size
      guard hole.end - offset >= size, isUseful, wholePages <= 0 else { continue }
      lastHoleEnd = offset + size
      return take(Extent(offset: offset, size: size))
    }
    for start in [lastHoleEnd, 0] {
      let holes = bySize.filter { ($0.size, $0.offset) >= (size, start) }
      for hole in holes.prefix(16) {
        let isInPage = hole.offset / page == (hole.offset + size - 1) / page
        let offset = isInPage ? hole.offset : pages(hole.offset) * page
        guard hole.end - offset >= size else { continue }
        lastHoleEnd = offset + size
        return take(Extent(offset: offset, size: size))
      }
    }
    return tightFit(size)
  }

  // MARK: Regions

  private mutating func region(_ size: Int, _ life: BlockLifetime) -> Region? {
    let maxPages = life == .short ? max(pages(size), 16) : Int.max
    let isTight = allocation == .wholeUnits && (!isBulk || life == .short)
    let useful = allocation == .wholeUnits ? 16 : maxPages
    let wanted = isTight ? pages(size) : max(pages(size), min(useful, pages(expected)))
    let other = (life == .short ? long : short).rest
    let candidates = [byPages.first { $0.size >= wanted * page }, byPages.last]
    for var run in candidates.compactMap({ $0 }) {
      if other.size > 0, other.offset < run.end, other.end > run.offset {
        let start = pages(other.end) * page
        run = Extent(offset: start, size: run.end - start)
      }
      guard run.size >= size else { continue }
      let most = isTight ? pages(size) * page : life == .short ? maxPages * page : Int.max
      return Region(rest: Extent(offset: run.offset, size: min(run.size, most)))
    }
    guard life == .short, long.rest.size >= size + page else { return nil }
    let start = pages(long.rest.offset) * page
    let count = max(pages(size), min(16, long.rest.size / page / 2))
    let end = start + count * page
    guard end <= long.rest.end else { return nil }
    if long.isReserved {
      free(Extent(offset: long.rest.offset, size: start - long.rest.offset))
    }
    long.rest = Extent(offset: end, size: long.rest.end - end)
    return Region(rest: Extent(offset: start, size: end - start), isReserved: long.isReserved)
  }

  private mutating func fromRegion(_ path: WritableKeyPath<Self, Region>, _ size: Int) -> Int? {
    guard self[keyPath: path].rest.size >= size else { return nil }
    reserve(path)
    let region = self[keyPath: path]
    guard region.isReserved, region.rest.size >= size else { return nil }
    let offset = region.rest.offset
    let isInPage = offset / page == (offset + size - 1) / page
    let skipped = path == \.long && !isBulk && !isInPage ? pages(offset) * page - offset : 0
    guard region.rest.size - skipped >= size else { return nil }
    return bump(path, size, skipping: skipped)
  }

  private mutating func bump(
    _ path: WritableKeyPath<Self, Region>, _ size: Int, skipping skipped: Int
  ) -> Int {
    let rest = self[keyPath: path].rest
    let taken = skipped + size
    self[keyPath: path].rest = Extent(offset: rest.offset + taken, size: rest.size - taken)
    free(Extent(offset: rest.offset, size: skipped))
    return rest.offset + skipped
  }

  private mutating func reserve(_ path: WritableKeyPath<Self, Region>) {
    let region = self[keyPath: path]
    guard !region.isReserved, region.rest.size > 0 else { return }
    let found = extents.last { $0.offset <= region.rest.offset }
    let end = min(region.rest.end, found?.end ?? 0)
    guard end > region.rest.offset else {
      self[keyPath: path] = Region()
      return
    }
    let rest = Extent(offset: region.rest.offset, size: end - region.rest.offset)
    _ = take(rest)
    self[keyPath: path] = Region(rest: rest, isReserved: true)
  }

  private mutating func unreserve(_ path: WritableKeyPath<Self, Region>) {
    if self[keyPath: path].isReserved { free(self[keyPath: path].rest) }
    self[keyPath: path].isReserved = false
  }

  private mutating func unreserve() {
    unreserve(\.long)
    unreserve(\.short)
  }
}
