// The free space and the deferred free extents, alone and compared with a model.
import TestSupport
import Testing

@testable import StorageEngine

/// `#expect` for calls that change what they are made on.
private func expect(_ isSo: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(isSo, sourceLocation: sourceLocation)
}

@Suite("Free space")
struct FreeSpaceTests {
  private func space(_ extents: [(Int, Int)], end: Int) -> FreeSpace {
    var space = FreeSpace(end: end)
    for (offset, size) in extents { space.free(Extent(offset: offset, size: size)) }
    return space
  }

  @Test("the smallest extent that fits is used, the lowest among equals")
  func bestFit() {
    var space = space([(20_000, 64), (30_000, 32), (40_000, 32), (50_000, 128)], end: 60_000)
    expect(space.allocate(32) == 30_000)
    expect(space.allocate(24) == 40_000)
    expect(space.allocate(40) == 20_000)
    expect(space.allocate(256) == nil)
    #expect(space.violations() == [])
  }

  @Test("freed neighbors become one extent (FREE-3)")
  func joins() {
    var space = space([(20_000, 8), (20_016, 8), (20_008, 8)], end: 60_000)
    #expect(space.extentCount == 1)
    expect(space.allocate(24) == 20_000)
    #expect(space.bytes == 0)
  }

  @Test("nothing is allocated at or above the limit until it is removed (FREE-2, FREE-4)")
  func limit() {
    var space = space([(20_000, 4000)], end: 30_000)
    space.setLimit(22_000)
    #expect(space.violations() == [])
    expect(space.allocate(2008) == nil)
    expect(space.allocate(2000) == 20_000)
    space.free(Extent(offset: 20_000, size: 2000))
    #expect(space.violations() == [])
    space.setLimit(.max)
    expect(space.allocate(4000) == 20_000)
  }

  @Test("a free tail is truncated, and growth is joined with it")
  func tail() {
    var space = space([(28_000, 2000)], end: 30_000)
    #expect(space.freeTailOffset == 28_000)
    space.truncate(to: 29_000)
    #expect((space.end, space.bytes) == (29_000, 1000))
    space.grow(to: 40_000)
    #expect(space.freeTailOffset == 28_000)
    #expect(space.violations() == [])
  }

  @Test(
    "random allocations, frees and limits keep FREE-1 to FREE-6 and match a map of granules",
    arguments: Allocation.allCases)
  func random(_ allocation: Allocation) {
    var random = SeededRandom(seed: testSeed())
    let bytes = 200_000
    var space = FreeSpace(end: Layout.blocksStart + bytes, allocation)
    space.free(Extent(offset: Layout.blocksStart, size: bytes))
    var used: [Extent] = []
    for step in 0..<6000 {
      if random.oneIn(2) {
        let size = 8 * (1 + random.below(random.oneIn(10) ? 2000 : 250))
        if let offset = space.allocate(size, random.oneIn(3) ? .short : .long) {
          let extent = Extent(offset: offset, size: size)
          #expect(used.allSatisfy { $0.end <= offset || extent.end <= $0.offset })
          #expect(extent.end <= space.limit)
          used.append(extent)
        }
      } else if !used.isEmpty {
        space.free(used.remove(at: random.below(used.count)))
      }
      if random.oneIn(200) {
        let limit = Layout.blocksStart + 8 * random.below(bytes / 8)
        space.setLimit(random.oneIn(2) ? .max : limit)
      }
      if random.oneIn(10) { space.beginCommit(expecting: 8 * random.below(3000)) }
      if step % 20 == 0 {
        #expect(space.violations() == [], "seed \(random.seed)")
        #expect(space.bytes + used.reduce(0) { $0 + $1.size } == bytes)
      }
    }
  }

  @Test(
    "an index has the order of a sorted array, with one chunk and with a directory of four levels",
    arguments: [200, 20_000, 400_000])
  func manyExtents(_ offsets: Int) {
    var random = SeededRandom(seed: testSeed())
    var index = OrderedIndex<Extent>()
    var model: Set<Int> = []
    // Two of three offsets are present at the end of the first half, one of three at the end.
    for step in 0..<2 * offsets {
      let offset = random.below(offsets)
      let bound = index.lowerBound(offset)
      let isPresent = model.contains(offset)
      #expect((index.element(at: bound)?.offset == offset) == isPresent, "seed \(random.seed)")
      if isPresent, step >= offsets || random.oneIn(3) {
        index.remove(at: bound)
        model.remove(offset)
      } else if !isPresent, step < offsets || random.oneIn(3) {
        index.insert(Extent(offset: offset, size: 8), at: bound)
        model.insert(offset)
      }
    }
    var found: [Int] = []
    var position = index.first
    while let extent = index.element(at: position) {
      found.append(extent.offset)
      position = index.next(position)
    }
    #expect(found == model.sorted(), "seed \(random.seed)")
    #expect(index.count == model.count)
    #expect(index.last?.offset == found.last)
  }

  @Test("extents freed at once leave what they leave one by one, among few and among very many")
  func freedAtOnce() {
    var random = SeededRandom(seed: testSeed())
    // Of every second one first, so that more are free than the cache is taken to hold.
    let sizes = (0..<40_000).map { _ in 8 * (1 + random.below(random.oneIn(50) ? 4000 : 100)) }
    let end = sizes.reduce(Layout.blocksStart, +)
    var together = FreeSpace(end: end, .clustered)
    var oneByOne = FreeSpace(end: end, .clustered)
    var left: [Extent] = []
    var offset = Layout.blocksStart
    for (index, size) in sizes.enumerated() {
      let extent = Extent(offset: offset, size: size)
      offset += size
      guard index % 2 == 0 else {
        left.append(extent)
        continue
      }
      oneByOne.free(extent)
      together.free(of: [extent])
    }
    while !left.isEmpty {
      let count = min(left.count, 1 + random.below(600))
      let freed = (0..<count).map { _ in left.remove(at: random.below(left.count)) }
        .sorted { $0.offset < $1.offset }
      for extent in freed { oneByOne.free(extent) }
      together.free(of: freed)
      guard random.oneIn(20) || left.isEmpty else { continue }
      #expect(together.violations() == [], "seed \(random.seed)")
      #expect(together.extents == oneByOne.extents, "seed \(random.seed)")
      expect(together.bytes == oneByOne.bytes && together.freePages == oneByOne.freePages)
    }
    #expect(
      together.extents == [Extent(offset: Layout.blocksStart, size: end - Layout.blocksStart)])
  }

  @Test("sizes below and above the longest that fit into a word are in one order")
  func largeSizes() {
    var random = SeededRandom(seed: testSeed())
    var index = SizeIndex()
    var model: [SizedOffset] = []
    for _ in 0..<600 {
      let entry = SizedOffset(
        size: SizeIndex.largeSize - 20 + random.below(40), offset: 8 * random.below(1 << 39))
      index.insert(size: entry.size, offset: entry.offset)
      model.append(entry)
      guard random.oneIn(3) else { continue }
      let removed = model.remove(at: random.below(model.count))
      index.remove(size: removed.size, offset: removed.offset)
    }
    model.sort { ($0.size, $0.offset) < ($1.size, $1.offset) }
    var found: [SizedOffset] = []
    var position = index.lowerBound(size: 0)
    while let entry = index.entry(at: position) {
      found.append(entry)
      position = index.next(position)
    }
    #expect(found == model, "seed \(random.seed)")
    expect(index.last == model.last && index.count == model.count)
    for entry in model {
      let next = model.first { ($0.size, $0.offset) >= (entry.size, entry.offset + 8) }
      let position = index.lowerBound(size: entry.size, offset: entry.offset + 8)
      #expect(index.entry(at: position) == next)
    }
  }
}

@Suite("Deferred free extents")
struct DeferredFreeExtentsTests {
  private func deferredFree(_ offset: Int, birth: UInt64, death: UInt64) -> DeferredFreeExtent {
    DeferredFreeExtent(offset: offset, size: 8, birth: birth, death: death)
  }

  @Test(
    "an extent born after the newest pin is free at once, except under oldest-reader reclamation")
  func unseen() {
    var exact = DeferredFreeExtents(.exact)
    var oldest = DeferredFreeExtents(.oldestReader)
    exact.register(5)
    oldest.register(5)
    expect(!exact.deferFree(deferredFree(0, birth: 6, death: 7)))
    expect(oldest.deferFree(deferredFree(0, birth: 6, death: 7)))
  }

  @Test("an extent is free when the last version that pins it ends (DEFERRED-2, DEFERRED-3)")
  func handedDown() {
    var extents = DeferredFreeExtents(.exact)
    var freed = UniqueList<Extent>()
    extents.register(3)
    extents.register(5)
    expect(extents.deferFree(deferredFree(8, birth: 2, death: 6)))
    expect(extents.deferFree(deferredFree(16, birth: 4, death: 6)))
    extents.unregister(5, freed: &freed)
    #expect(freed.buffer.map(\.offset) == [16])
    #expect(extents.violations() == [])
    extents.unregister(3, freed: &freed)
    #expect(freed.buffer.map(\.offset) == [16, 8])
    #expect(extents.bytes == 0)
  }

  @Test("random pins and commits give the same as the rule applied to every extent")
  func random() {
    var random = SeededRandom(seed: testSeed())
    for reclamation in [DatabaseOptions.Reclamation.exact, .oldestReader] {
      var extents = DeferredFreeExtents(reclamation)
      var freed = UniqueList<Extent>()
      var pins: [UInt64] = []
      var all: [DeferredFreeExtent] = []
      for version in UInt64(1)...600 {
        let dead = DeferredFreeExtent(
          offset: Int(version) * 8, size: 8, birth: UInt64(1 + random.below(Int(version))),
          death: version + 1)
        let birthBeforeDeath = min(dead.birth, version)
        let extent = DeferredFreeExtent(
          offset: dead.offset, size: 8, birth: birthBeforeDeath, death: dead.death)
        if random.oneIn(3) {
          extents.register(version)
          pins.append(version)
        }
        if extents.deferFree(extent) { all.append(extent) }
        if random.oneIn(3), !pins.isEmpty {
          extents.unregister(pins.remove(at: random.below(pins.count)), freed: &freed)
        }
        let rule = ReclamationRule(reclamation, pins.sorted())
        all.removeAll { !rule.isPinned($0) }
        #expect(extents.bytes == all.count * 8, "seed \(random.seed), version \(version)")
        if version % 10 == 0 { #expect(extents.violations() == []) }
      }
    }
  }
}

extension FreeSpace {
  /// All free extents in the order of their addresses.
  var extents: [Extent] {
    var all: [Extent] = []
    enumerate { all.append($0) }
    return all
  }

  /// Frees the extents at once.
  fileprivate mutating func free(of extents: [Extent]) {
    var extents = extents
    extents.withUnsafeMutableBufferPointer { free($0) }
  }
}
