// The allocation strategies: the rule of each on prepared free space, and its effect on a database that is written to
// for long.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

/// `#expect` for calls that change what they are made on.
private func expect(_ isSo: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(isSo, sourceLocation: sourceLocation)
}

@Suite("Allocation")
struct AllocationTests {
  private func space(_ allocation: Allocation, _ extents: [(Int, Int)], end: Int) -> FreeSpace {
    var space = FreeSpace(end: end, allocation)
    for (offset, size) in extents { space.free(Extent(offset: offset, size: size)) }
    return space
  }

  @Test("exactOrTwice does not use extents between the size and its double")
  func exactOrTwice() {
    var space = space(
      .exactOrTwice, [(20_000, 64), (30_000, 104), (40_000, 120)], end: 60_000)
    expect(space.allocate(64) == 20_000)
    expect(space.allocate(64) == nil)
    expect(space.allocate(56) == 40_000)
    expect(space.allocate(104) == 30_000)
    #expect(space.violations() == [])
  }

  @Test(
    "what a file grew by for a block is apart from the free bytes before it, and need not be twice as long"
  )
  func exactOrTwiceAtTheEnd() {
    var space = space(.exactOrTwice, [(20_000, 64), (59_920, 80)], end: 60_000)
    space.grow(to: 60_104)
    expect(space.allocate(96) == nil)
    expect(space.allocateGrown(112, .long, from: 60_000) == nil)
    expect(space.allocateGrown(96, .long, from: 60_000) == 60_000)
    #expect(space.tail == Extent(offset: 60_096, size: 8))
    #expect(space.violations() == [])
  }

  @Test(
    "clustered places rows into free pages, two to a page, and not into the best fit")
  func clustered() {
    let page = Layout.pageSize
    var space = space(
      .clustered, [(20_000, 1000), (20 * page + 96, 8 * page)], end: 60 * page)
    space.beginCommit(expecting: 3 * page)
    expect(space.allocate(1000) == 21 * page)
    expect(space.allocate(2000) == 21 * page + 1000)
    // Not in two pages.
    expect(space.allocate(1200) == 22 * page)
    space.beginCommit(expecting: 3 * page)
    // Not in a page that the commit before has written.
    expect(space.allocate(1000) == 23 * page)
    #expect(space.violations() == [])
  }

  @Test("a commit of more than 256 KiB is laid out back to back, and one of so much is not")
  func bulkThreshold() {
    let page = Layout.pageSize
    for (expected, second) in [(1 << 18, 21 * page), (1 << 18 + 8, 20 * page + 3000)] {
      var space = space(.clustered, [(20 * page, 200 * page)], end: 300 * page)
      space.beginCommit(expecting: expected)
      expect(space.allocate(3000) == 20 * page)
      expect(space.allocate(3000) == second)
    }
  }

  @Test(
    "a bulk commit uses an extent of one page, and grows the file rather than use a shorter one")
  func bulkRegion() {
    let page = Layout.pageSize
    for (bytes, offset) in [(page, 20 * page), (page - 8, nil)] {
      var space = space(.clustered, [(20 * page, bytes)], end: 60 * page)
      space.beginCommit(expecting: 1 << 19)
      expect(space.allocate(96, mayGrow: true) == offset)
    }
  }

  @Test("pages reserved for nodes count as the pages that nodes will need: rows may use the others")
  func reservedPages() {
    let page = Layout.pageSize
    var space = space(.clustered, [(20 * page, 4 * page), (40 * page, page)], end: 60 * page)
    space.beginCommit(expecting: 4 * page)
    expect(space.allocate(1000, .short) == 20 * page)
    expect(space.allocate(2000, mayGrow: true) == 40 * page)
    #expect(space.violations() == [])
  }

  @Test("clustered fills the next hole by address, and behind the last one begins again")
  func nextFit() {
    let page = Layout.pageSize
    var space = space(
      .clustered, [(10 * page + 8, 1200), (12 * page, 1000), (14 * page + 16, 1248)],
      end: 60 * page)
    space.beginCommit(expecting: 3 * page)
    // Not the one of exactly the size.
    expect(space.allocate(1000) == 10 * page + 8)
    expect(space.allocate(1000) == 12 * page)
    space.free(Extent(offset: 10 * page + 8, size: 1000))
    space.beginCommit(expecting: 3 * page)
    expect(space.allocate(1000) == 14 * page + 16)
    expect(space.allocate(1000) == 10 * page + 8)
    #expect(space.violations() == [])
  }

  @Test("clustered fills a near hole that is at most a quarter larger or at least twice as large")
  func nextFitSize() {
    let page = Layout.pageSize
    for (hole, usesNextFit, offset) in [
      (1248, true, 10 * page + 8), (1256, true, 12 * page), (1992, true, 12 * page),
      (2000, true, 10 * page + 8), (1248, false, 12 * page),
    ] {
      var space = space(.clustered, [(10 * page + 8, hole), (12 * page, 1000)], end: 60 * page)
      space.usesNextFit = usesNextFit
      space.beginCommit(expecting: page)
      expect(space.allocate(1000) == offset)
    }
  }

  @Test("clustered fills the holes of leaves before it takes the page that nodes will need")
  func nextFitLeavesPages() {
    let page = Layout.pageSize
    var space = space(.clustered, [(10 * page, page), (12 * page + 8, 1200)], end: 60 * page)
    space.beginCommit(expecting: page)
    expect(space.allocate(1000) == 12 * page + 8)
    expect(space.allocate(1000) == 10 * page)
    #expect(space.violations() == [])
  }

  @Test("in a bloated file a leaf passes by a hole of its size, and a value does not")
  func roomyHoles() {
    let page = Layout.pageSize
    let holes = [
      (10 * page, 1200), (12 * page, 1504), (14 * page + 3504, 2000), (16 * page + 8, 1296),
    ]
    var space = space(.clustered, holes, end: 60 * page)
    space.isBloated = true
    space.beginCommit(expecting: page)
    // More than a quarter larger; and the block is in one page, of the third hole behind the boundary.
    expect(space.allocate(1200) == 12 * page)
    expect(space.allocate(1040) == 15 * page)
    expect(space.allocate(1032) == 16 * page + 8)
    expect(space.allocate(1024) == 10 * page)
    #expect(space.violations() == [])
  }

  @Test(
    "after 512 extents without a roomy hole a commit looks for no other, and the next one goes on from there"
  )
  func roomyNeighbors() {
    let page = Layout.pageSize
    let small = (0..<512).map { ((20 + $0) * page, 48) }
    let large = [(540 * page, 1504), (550 * page, 1200), (560 * page, 1200)]
    var space = space(.clustered, small + large, end: 600 * page)
    space.isBloated = true
    space.beginCommit(expecting: page)
    expect(space.allocate(1200) == 550 * page)
    expect(space.allocate(1200) == 560 * page)
    space.beginCommit(expecting: page)
    expect(space.allocate(1200) == 540 * page)
  }

  @Test(
    "the record of a bloated file goes behind the leaf placed last, within the page, or into a hole"
  )
  func recordInHole() {
    let page = Layout.pageSize
    for (hole, size, offset) in [
      ((10 * page, 1800), 600, 10 * page + 1200), ((10 * page, 1800), 608, nil),
      ((10 * page + 2400, 2000), 496, 10 * page + 3600), ((10 * page + 2400, 2000), 504, nil),
    ] as [((Int, Int), Int, Int?)] {
      var space = space(.clustered, [hole, (20 * page, 64)], end: 60 * page)
      space.isBloated = true
      space.beginCommit(expecting: page)
      expect(space.allocate(1200) == hole.0)
      expect(space.allocateRecord(size) == offset)
      #expect(space.violations() == [])
    }
    // No leaf was placed in a hole.
    var space = space(.clustered, [(10 * page, 1800), (20 * page, 64)], end: 60 * page)
    space.isBloated = true
    space.beginCommit(expecting: page)
    expect(space.allocateRecord(1032) == nil)
    expect(space.allocateRecord(64) == 10 * page)
  }

  @Test(
    "the record of a file that is not bloated, and of another strategy, has no place of its own")
  func recordBehindNodes() {
    for (allocation, isBloated) in [(Allocation.clustered, false), (.tightFit, true)] {
      var space = space(allocation, [(10 * Layout.pageSize, 1800)], end: 1 << 20)
      space.isBloated = isBloated
      space.beginCommit(expecting: 2000)
      expect(space.allocateRecord(64) == nil)
    }
  }

  /// Extents that hold no block of these tests.
  private func tooSmall(_ count: Int) -> [(Int, Int)] {
    (0..<count).map { ((20 + $0) * Layout.pageSize, 48) }
  }

  @Test("clustered looks at 64 extents for a hole that is near, and then for one of the size")
  func neighbors() {
    let page = Layout.pageSize
    for (count, offset) in [(63, 200 * page), (64, 250 * page)] {
      var space = space(
        .clustered, tooSmall(count) + [(200 * page, 104), (250 * page, 96)], end: 300 * page)
      space.beginCommit(expecting: 96)
      expect(space.allocate(96) == offset)
    }
  }

  @Test("clustered looks at 16 holes of the size for one in which the block lies within a page")
  func probes() {
    let page = Layout.pageSize
    // Of 104 bytes across the boundary of two pages, 96 lie in neither.
    func crossing(_ count: Int) -> [(Int, Int)] {
      (0..<count).map { ((200 + $0) * page - 48, 104) }
    }
    for (count, offset) in [(15, 250 * page + 8), (16, 200 * page - 48)] {
      var space = space(
        .clustered, tooSmall(64) + crossing(count) + [(250 * page + 8, 104)], end: 300 * page)
      space.beginCommit(expecting: 96)
      expect(space.allocate(96) == offset)
    }
  }

  @Test(
    "clustered places short-lived nodes next to each other, in whole pages reserved for them")
  func shortLived() {
    let page = Layout.pageSize
    var space = space(.clustered, [(20 * page, 4 * page)], end: 60 * page)
    space.beginCommit(expecting: 2 * page)
    let first = space.allocate(3000, .short)
    expect(first == 20 * page)
    expect(space.allocate(3000, .short) == 20 * page + 3000)
    space.free(Extent(offset: 20 * page, size: 6000))
    space.beginCommit(expecting: 2 * page)
    // Three pages are reserved, so a single one is left for rows.
    expect(space.freePages == 4)
    expect(space.allocate(4000) != nil)
    expect(space.allocate(4000, mayGrow: true) == nil)
    expect(space.allocate(3000, .short) != nil)
    #expect(space.violations() == [])
  }

  @Test(
    "clustered allocates nothing behind a used part in the middle of a remembered region",
    arguments: [BlockLifetime.short, .long])
  func runCutShort(_ life: BlockLifetime) {
    let page = Layout.pageSize
    var space = space(.clustered, [(20 * page, 8 * page)], end: 60 * page)
    space.beginCommit(expecting: 4 * page)
    expect(space.allocate(1000, life) == 20 * page)
    // As growth during a commit does; then a hole is filled.
    space.unreserveRegions()
    let hole = Extent(offset: 20 * page + 1504, size: 504)
    expect(space.remove(hole))
    guard let offset = space.allocate(1000, life) else {
      Issue.record("there is room for a block")
      return
    }
    #expect(offset >= hole.end || offset + 1000 <= hole.offset, "at \(offset)")
    #expect(space.bytes == 8 * page - 2504)
    space.unreserveRegions()
    #expect(space.violations() == [])
  }

  @Test(
    "clustered without a free page grows the file if it may, else fills holes"
  )
  func clusteredUnderPressure() {
    let page = Layout.pageSize
    var space = space(
      .clustered, [(10 * page + 3000, 2104), (15 * page, 2000)], end: 20 * page)
    space.beginCommit(expecting: page)
    expect(space.allocate(1800, mayGrow: true) == nil)
    // The smaller hole, and within one page.
    expect(space.allocate(1800, mayGrow: false) == 15 * page)
    // The other would put it into two pages; better than none.
    expect(space.allocate(1800, mayGrow: false) == 10 * page + 3000)
    space.grow(to: 24 * page)
    expect(space.allocate(2000, mayGrow: true) == 20 * page)
    #expect(space.violations() == [])
  }

  @Test(
    "clustered places replacements two to a page, however many, and a bulk load back to back"
  )
  func longCommits() {
    let page = Layout.pageSize
    let long = 100 * page
    for (replaced, third) in [(long, 21 * page), (0, 20 * page + 3744)] {
      var space = space(.clustered, [(20 * page, 200 * page)], end: 300 * page)
      space.beginCommit(expecting: long, replacing: replaced)
      expect(space.allocate(1872) == 20 * page)
      expect(space.allocate(1872) == 20 * page + 1872)
      expect(space.allocate(1872) == third)
      space.unreserveRegions()
      #expect(space.violations() == [])
    }
  }

  @Test(
    "clustered without a free page places inner nodes together in a part of one page"
  )
  func nodesUnderPressure() {
    let page = Layout.pageSize
    var space = space(
      .clustered,
      [(10 * page, 520), (12 * page, 520), (15 * page - 1504, 1504 + 2224), (18 * page, 2000)],
      end: 20 * page)
    space.beginCommit(expecting: page)
    // The larger part of the longest, and only what lies in one page.
    for index in 0..<4 { expect(space.allocate(520, .short) == 15 * page + index * 520) }
    for index in 0..<3 { expect(space.allocate(520, .short) == 18 * page + index * 520) }
    for index in 0..<2 { expect(space.allocate(520, .short) == 15 * page - 1504 + index * 520) }
    // Only extents that hold one are left.
    expect(space.allocate(520, .short) == 10 * page)
    space.unreserveRegions()
    #expect(space.violations() == [])
  }

  @Test("wholePages never allocates in a page in which another commit has bytes")
  func wholePages() {
    let page = Layout.pageSize
    var space = space(
      .wholePages, [(5 * page - 1000, 1000 + 2 * page), (20 * page, 3 * page - 8)],
      end: 40 * page)
    space.beginCommit(expecting: 3000)
    expect(space.allocate(1000) == 5 * page)
    expect(space.allocate(2000) == 5 * page + 1000)
    space.beginCommit(expecting: 3000)
    expect(space.allocate(1000) == 6 * page)
    space.beginCommit(expecting: 3000)
    expect(space.allocate(5000) == 20 * page)
    space.beginCommit(expecting: 8)
    expect(space.allocate(8) == nil)
    #expect(space.violations() == [])
  }

  @Test("wholeUnits takes for each block the shortest run of free units that holds it")
  func wholeUnits() {
    let unit = Layout.pageSize / 2
    var space = space(
      .wholeUnits,
      [(7 * unit - 1000, 1000 + unit), (20 * unit, 3 * unit - 8), (30 * unit, 8 * unit)],
      end: 60 * unit)
    #expect(space.freePages == 1 + 2 + 8)
    space.beginCommit(expecting: 20_000)
    expect(space.allocate(1000) == 7 * unit)
    expect(space.allocate(1000) == 7 * unit + 1000)
    expect(space.allocate(3000) == 20 * unit)
    expect(space.allocate(800) == 20 * unit + 3000)
    expect(space.allocate(2000) == 30 * unit)
    // Of the unit that the first commit has begun no other commit takes a part.
    space.beginCommit(expecting: 8)
    expect(space.allocate(8) == 31 * unit)
    // A load stays together.
    space.beginCommit(expecting: 1 << 20)
    expect(space.allocate(8) == 32 * unit)
    space.beginCommit(expecting: 20_000)
    expect(space.allocate(6 * unit) == nil)
    #expect(space.violations() == [])
  }

  /// Commits random updates. Returns the file's length, and the births of the live blocks in each page.
  private func churn(
    _ allocation: Allocation, commits: Int, seed: UInt64 = testSeed()
  ) throws -> (file: Int, births: [Int: Set<UInt64>]) {
    let bench = try Workbench()
    let database = try bench.open(
      "data", DatabaseOptions(durability: .none, allocation: allocation, growthStep: 1 << 16))
    var random = SeededRandom(seed: seed)
    try database.write { transaction, table in
      for key in Int64(0)..<2000 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    for commit in 0..<commits {
      try database.write { transaction, table in
        for _ in 0..<5 {
          let key = Int64(random.below(2000))
          try transaction.put(table, key, row(key, commit, count: 200))
        }
      }
    }
    try database.checkedAudit("\(allocation), seed \(random.seed)")
    return (database.usage().file, try births(in: database, allocation.pageSize))
  }

  /// The births of the live blocks in each page.
  private func births(
    in database: Database, _ pageSize: Int = Layout.pageSize
  ) throws -> [Int: Set<UInt64>] {
    var births: [Int: Set<UInt64>] = [:]
    let store = try database.store
    let pin = try store.readers.pinNewest(label: "births")
    defer { store.readers.unpin(pin) }
    let version = pin.version
    for index in 0..<version.tableCount {
      try visit(version.roots[index].root, version.roots[index].kind, isNode: true, version.space) {
        for page in $0.offset / pageSize...($0.end - 1) / pageSize {
          births[page, default: []].insert($0.birth)
        }
      }
    }
    return births
  }

  private func visit(
    _ ref: BlockRef, _ kind: KeyKind, isNode: Bool, _ space: BlockSpace,
    _ body: (BlockRef) -> Void
  ) throws {
    body(ref)
    guard isNode else { return }
    let node = try Node(ref, space, kind)
    for index in 0..<node.count where node.slot(index, kind) & Node.referenceBit != 0 {
      try visit(
        try node.reference(index, kind), kind, isNode: node.level > 0, space, body)
    }
  }

  @Test(
    "wholePages and wholeUnits keep blocks of only one version in a page over many commits",
    arguments: [Allocation.wholePages, .wholeUnits])
  func onePageOneCommit(_ allocation: Allocation) throws {
    let births = try churn(allocation, commits: 300).births
    #expect(births.values.allSatisfy { $0.count == 1 })
    #expect(births.count > 100)
  }

  @Test("the default's file stays within 1.3 times that of tightFit under churn")
  func sizeUnderChurn() throws {
    let tight = try churn(.tightFit, commits: 1500, seed: 1).file
    let clustered = try churn(.clustered, commits: 1500, seed: 1).file
    #expect(Double(clustered) <= 1.3 * Double(tight), "\(clustered) and \(tight) bytes")
    #expect((tight, clustered) == (524_288, 589_824))
  }

  @Test("after many long transactions a short one writes few pages")
  func pagesAfterLongTransactions() throws {
    let bench = try Workbench()
    let database = try bench.open("data", DatabaseOptions(durability: .none))
    let rows = 20_000
    var random = SeededRandom(seed: testSeed())
    func update(_ count: Int) throws {
      try database.write { transaction, table in
        for _ in 0..<count {
          let key = Int64(random.below(rows))
          try transaction.put(table, key, row(key, 0, count: 200))
        }
      }
    }
    try database.write { transaction, table in
      for key in 0..<Int64(rows) { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    for _ in 0..<500 { try update(200) }
    var pages = 0
    for _ in 0..<40 {
      try update(10)
      let births = try births(in: database)
      let newest = births.values.compactMap { $0.max() }.max()
      pages += births.values.count { $0.contains(newest ?? 0) }
    }
    // Ten leaves, and the nodes above them: they have 29 pages where each lies alone.
    #expect(pages < 40 * 15, "\(pages) pages in 40 commits, seed \(random.seed)")
    try database.checkedAudit("seed \(random.seed)")
  }

  @Test("rows loaded in one transaction are contiguous, however many steps the file grows by")
  func onePiece() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.growthStep = 1 << 16
    let database = try bench.open("data", options)
    try database.write { transaction, table in
      for key in 0..<Int64(20_000) { try transaction.put(table, key, row(key, 0, count: 400)) }
    }
    // Before the first row, and behind the last.
    #expect(try database.checkedAudit().freeExtents <= 2)
    try database.close()
    let again = try bench.open("data", options)
    #expect(try again.checkedAudit().rows == 20_000)
  }
}
