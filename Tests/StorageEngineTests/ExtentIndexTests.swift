// The indexes of free extents compared with sorted arrays: for files of each length of segment, and extents of a granule, of
// many segments, and of more than a word can hold.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Indexes of free extents")
struct ExtentIndexTests {
  @Test(
    "a tree of bitmaps finds what a set of numbers has",
    arguments: [64, 128, 4096, 1 << 13, 1 << 19])
  func bitmapTree(_ capacity: Int) {
    var random = SeededRandom(seed: testSeed())
    let tree = BitmapTree(capacity: capacity)
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: tree.wordCount)
    defer { words.deallocate() }
    words.initialize(repeating: 0, count: tree.wordCount)
    var model: Set<Int> = []
    for step in 0..<2000 {
      // Few at the end, so that words become empty on all levels.
      let number = model.isEmpty || random.oneIn(2) ? random.below(capacity) : model.min()!
      if model.count > (step < 1000 ? 100 : 3), let least = model.min() {
        tree.remove(least, in: words)
        model.remove(least)
      } else {
        tree.insert(number, in: words)
        model.insert(number)
      }
      let probe = random.oneIn(3) ? number : random.below(capacity)
      let next = model.filter { $0 >= probe }.min()
      let previous = model.filter { $0 <= probe }.max()
      guard tree.first(from: probe, in: words) == next,
        tree.last(upTo: probe, in: words) == previous,
        tree.contains(probe, in: words) == model.contains(probe)
      else {
        Issue.record("step \(step), number \(probe), seed \(random.seed)")
        return
      }
    }
    for number in model { tree.remove(number, in: words) }
    #expect(tree.isEmpty(words))
    #expect((0..<tree.wordCount).allSatisfy { words[$0] == 0 })
    #expect(tree.first(from: capacity, in: words) == nil)
    #expect(tree.last(upTo: -1, in: words) == nil)
  }

  /// Segments are 4 KiB to 16 MiB long; in the longest file there are more than otherwise, because they are not longer.
  static let lengths = [1 << 22, 1 << 28, 1 << 40]

  /// Returns the extent of a part of the file, or nil: parts are apart, so that no two extents touch.
  private func extent(_ part: Int, of parts: Int, _ end: Int, _ size: Int) -> Extent? {
    let distance = end / parts / 8 * 8
    let extent = Extent(offset: part * distance + 8 * (size % 64), size: size)
    return extent.end < (part + 1) * distance ? extent : nil
  }

  private func size(_ random: inout SeededRandom, upTo limit: Int) -> Int {
    let greatest = [512, 5000, 1 << 17, limit / 8][random.below(4)]
    return 8 * (1 + random.below(min(greatest, limit / 8)))
  }

  @Test(
    "an index has the orders of sorted arrays, by address and by size, with few segments and with many",
    arguments: lengths, [0, 2000, 1_000_000])
  func orders(_ end: Int, _ expected: Int) {
    var random = SeededRandom(seed: testSeed())
    let parts = 1200
    let middle = end / 2
    for limit in [Int.max, middle] {
      var index = ExtentIndex(limit: limit, covering: end, expecting: expected, .clustered)
      var model: [Int: Extent] = [:]
      for step in 0..<6000 {
        // Half of the changes lie close together, so that some segments are full and most are empty.
        let part = random.oneIn(2) ? random.below(parts) : random.below(40)
        if let old = model.removeValue(forKey: part) {
          index.remove(old, at: index.lowerBound(old.offset))
        } else if let new = extent(part, of: parts, end, size(&random, upTo: end / parts)) {
          model[part] = new
          index.insert(new, at: index.lowerBound(new.offset))
        }
        guard step % 40 == 0 else { continue }
        let sorted = model.values.sorted { $0.offset < $1.offset }
        guard matches(index, sorted, &random, end) else {
          Issue.record("step \(step), limit \(limit), seed \(random.seed)")
          return
        }
      }
    }
  }

  /// Whether all searches find what is found in the array.
  private func matches(
    _ index: borrowing ExtentIndex, _ sorted: [Extent], _ random: inout SeededRandom, _ end: Int
  ) -> Bool {
    var found: [Extent] = []
    var position = index.byAddress.first
    while let extent = index.byAddress.element(at: position) {
      found.append(extent)
      position = index.byAddress.next(position)
    }
    guard found == sorted, index.byAddress.count == sorted.count, position == index.byAddress.end,
      index.byAddress.last == sorted.last
    else { return false }
    found = []
    while let previous = index.byAddress.previous(position) {
      found.append(index.byAddress.element(at: previous)!)
      position = previous
    }
    guard found == sorted.reversed() else { return false }
    let bySize = sorted.filter { $0.offset < index.limit }
      .sorted { ($0.size, $0.offset) < ($1.size, $1.offset) }
    guard index.largest == bySize.last else { return false }
    for _ in 0..<30 {
      let size = 8 * (1 + random.below(random.oneIn(2) ? 600 : 40_000))
      let offset = 8 * random.below(end / 8)
      let fit = bySize.first {
        $0.size == size && $0.offset >= offset || $0.size > size
      }
      guard index.firstFit(size, from: offset) == fit else { return false }
      let known = sorted.isEmpty ? offset : sorted[random.below(sorted.count)].offset
      for probe in [offset, known, known + 8] {
        let atOrBefore = sorted.last { $0.offset <= probe }
        guard index.last(atOrBefore: probe)?.extent == atOrBefore else { return false }
      }
    }
    guard let extent = bySize.isEmpty ? nil : bySize[random.below(bySize.count)] else {
      return true
    }
    let following = bySize.first { ($0.size, $0.offset) > (extent.size, extent.offset) }
    return index.firstFit(extent.size, from: extent.offset) == extent
      && index.next(extent) == following
  }

  @Test("an extent is replaced and cut in its segment, and into later ones", arguments: lengths)
  func replacements(_ end: Int) {
    var random = SeededRandom(seed: testSeed())
    for _ in 0..<200 {
      var space = FreeSpace(end: end, .clustered)
      // One long extent of which parts are cut out, until nothing is left, and which is then whole again.
      let begin = Layout.blocksStart
      let whole = Extent(offset: begin, size: min(end, 1 << 24) - begin)
      space.free(whole)
      var left = [whole]
      var cut: [Extent] = []
      for _ in 0..<30 {
        let extent = left.remove(at: random.below(left.count))
        let from = extent.offset + 8 * random.below(extent.size / 8)
        let to = from + 8 * (1 + random.below((extent.end - from) / 8))
        let part = Extent(offset: from, size: to - from)
        let removed = space.remove(part)
        #expect(removed)
        cut.append(part)
        let before = Extent(offset: extent.offset, size: from - extent.offset)
        let behind = Extent(offset: to, size: extent.end - to)
        left += [before, behind].filter { $0.size > 0 }
        if left.isEmpty { break }
      }
      let extents = left.sorted { $0.offset < $1.offset }
      #expect(space.extents == extents, "seed \(random.seed)")
      #expect(space.violations() == [], "seed \(random.seed)")
      for part in cut.shuffled(using: &random) { space.free(part) }
      #expect(space.extents == [whole], "seed \(random.seed)")
      #expect(space.violations() == [], "seed \(random.seed)")
    }
  }

  @Test("the index covers a file that becomes longer, with all extents that there were")
  func growth() {
    var random = SeededRandom(seed: testSeed())
    var space = FreeSpace(end: 1 << 20, .clustered)
    var expected: [Extent] = []
    for bits in 20...42 {
      if bits > 20 { space.grow(to: 1 << bits) }
      // What the file grew by is free, but for its first page; then a part in the middle is not.
      let half = 1 << (bits - 1)
      let used = Extent(offset: bits > 20 ? half : 1 << 19, size: Layout.pageSize)
      if bits == 20 { space.free(Extent(offset: half, size: half)) }
      let removed = space.remove(used)
      #expect(removed)
      let hole = Extent(offset: half + half / 2 + 8 * random.below(1000), size: 8)
      let isFree = space.remove(hole)
      #expect(isFree)
      expected.append(Extent(offset: used.end, size: hole.offset - used.end))
      expected.append(Extent(offset: hole.end, size: 1 << bits - hole.end))
      #expect(space.extents == expected, "\(bits) bits, seed \(random.seed)")
      #expect(space.violations() == [], "\(bits) bits, seed \(random.seed)")
    }
  }
}
