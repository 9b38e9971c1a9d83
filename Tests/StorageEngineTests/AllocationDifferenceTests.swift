// Random allocations and frees on the allocator and on the reference: each offset is the same, for each strategy. What
// a file looks like, and so every recorded run, depends on each of them.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Allocation beside the reference")
struct AllocationDifferenceTests {
  @Test(
    "each strategy chooses the offsets of the reference, in a bloated file too",
    arguments: Allocation.allCases, [false, true])
  func sameOffsets(_ allocation: Allocation, isBloated: Bool) {
    var random = SeededRandom(seed: testSeed())
    let end = Layout.blocksStart + 300_000
    var free = FreeSpace(end: end, allocation)
    var reference = ReferenceAllocator(end: end, allocation, isBloated: isBloated)
    free.isBloated = isBloated
    let all = Extent(offset: Layout.blocksStart, size: 300_000)
    free.free(all)
    reference.free(all)
    var used: [Extent] = []
    var (allocated, refused) = (0, 0)
    for step in 0..<5000 {
      switch random.below(100) {
      case 0..<50:
        let size = 8 * (1 + random.below(random.oneIn(12) ? 1500 : 260))
        let life = random.oneIn(3) ? BlockLifetime.short : .long
        let mayGrow = allocation == .clustered && random.oneIn(4)
        let offset = free.allocate(size, life, mayGrow: mayGrow)
        let expected = reference.allocate(size, life, mayGrow: mayGrow)
        guard offset == expected else {
          Issue.record(
            "step \(step), \(size) bytes: \(offset ?? -1), not \(expected ?? -1); seed \(random.seed)"
          )
          return
        }
        if let offset {
          allocated += 1
          used.append(Extent(offset: offset, size: size))
        } else {
          refused += 1
        }
      case 50..<90 where !used.isEmpty:
        let extent = used.remove(at: random.below(used.count))
        free.free(extent)
        reference.free(extent)
      case 90..<98:
        let expecting = random.oneIn(10) ? 1 << 19 : 8 * random.below(4000)
        let replaced = 8 * random.below(4000)
        free.beginCommit(expecting: expecting, replacing: replaced)
        reference.beginCommit(expecting: expecting, replacing: replaced)
      case 98:
        let limit = random.oneIn(2) ? Int.max : Layout.blocksStart + 8 * random.below(37_500)
        free.setLimit(limit)
        reference.setLimit(limit)
      case 99 where random.oneIn(4):
        let newEnd = reference.end + 8 * (1 + random.below(2000))
        free.grow(to: newEnd)
        reference.grow(to: newEnd)
      default: continue
      }
      if step % 10 == 0 {
        #expect(free.extents == reference.extents, "step \(step), seed \(random.seed)")
        #expect(free.bytes == reference.bytes)
        #expect(free.violations() == [])
      }
    }
    // Most calls of both kinds: otherwise the sequence would show little.
    #expect(allocated > 1000 && refused > 10, "\(allocated) allocated, \(refused) refused")
  }
}
