// The registered versions as a list, and deferred free extents that follow it.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Registered versions")
struct RegisteredVersionsTests {
  @Test("the list is what a dictionary of holders has, in ascending order")
  func model() {
    var random = SeededRandom(seed: testSeed())
    var list = RegisteredVersions()
    var holders: [UInt64: Int] = [:]
    for step in 0..<3000 {
      let version = UInt64(1 + random.below(150))
      switch random.below(100) {
      case 0:
        list.removeAll()
        holders = [:]
      case 1:
        list.removeVersions(above: version)
        holders = holders.filter { $0.key <= version }
      case 2..<40:
        if let count = holders[version] {
          list.removeHolder(of: version)
          holders[version] = count > 1 ? count - 1 : nil
        }
      default:
        list.add(version)
        holders[version, default: 0] += 1
      }
      let expected = holders.sorted { $0.key < $1.key }
        .map { RegisteredVersion(number: $0.key, holders: $0.value) }
      let found = (0..<list.count).map { list[$0] }
      #expect(found == expected, "seed \(random.seed), step \(step)")
      let below = list.numbers(below: version)
      #expect(below == holders.keys.filter { $0 < version }.sorted())
      let contained = list.contains(version)
      #expect(contained == (holders[version] != nil))
    }
  }

  @Test(
    "deferred free extents follow the list: versions end, the newest begins, others are ignored")
  func synchronized() {
    var extents = DeferredFreeExtents(.exact)
    var freed = UniqueList<Extent>()
    extents.register(3)
    extents.register(5)
    for (offset, birth) in [(8, 2), (16, 4)] {
      let isDeferred = extents.deferFree(
        DeferredFreeExtent(offset: offset, size: 8, birth: UInt64(birth), death: 6))
      #expect(isDeferred)
    }
    // 4 and 7 are neither registered nor the newest: their readers find that out and begin again.
    extents.synchronize(
      with: RegisteredVersions([3, 4, 3, 6, 7]), newest: 6, freed: &freed)
    let registered = extents.registered
    #expect(registered == [3, 6])
    #expect(freed.buffer.map(\.offset) == [16])
    let holders = extents.retainedBytes().map(\.holderCount)
    #expect(holders == [2, 1])
    #expect(extents.violations() == [])
    extents.synchronize(with: RegisteredVersions(), newest: 6, freed: &freed)
    #expect(freed.buffer.map(\.offset) == [16, 8])
    let isEmpty = extents.isEmpty
    #expect(isEmpty && extents.bytes == 0)
  }
}
