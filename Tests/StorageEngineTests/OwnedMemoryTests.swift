// Lists and pools that own their memory.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Lists and pools")
struct OwnedMemoryTests {
  @Test(
    "a list without capacity takes elements, keeps them in order, and gives most of its memory back"
  )
  func growth() {
    var list = UniqueList<Int>(capacity: 0)
    for number in 0..<10_000 { list.append(number) }
    let all = list.array
    #expect(all == Array(0..<10_000))
    list.removeAll(retaining: 8)
    let rest = list.array
    #expect(rest == [])
    for number in 0..<100 { list.append(number) }
    let again = list.array
    #expect(again == Array(0..<100))
  }

  @Test("elements of a class are released when a list drops its memory")
  func release() {
    final class Witness {}
    weak var witness: Witness?
    do {
      var list = UniqueList<Witness>(capacity: 0)
      let kept = Witness()
      witness = kept
      list.append(kept)
      for _ in 0..<20 { list.append(Witness()) }
      list.removeAll(retaining: 2)
    }
    #expect(witness == nil)
  }

  @Test("a list is sorted like an array, and elements of equal numbers keep their order")
  func sort() {
    var random = SeededRandom(seed: testSeed())
    for count in [0, 1, 2, 3, 64, 65, 1000] + (0..<50).map({ _ in random.below(300) }) {
      // Ascending runs, as in the lists of versions.
      var value = 0
      let elements = (0..<count).map { index in
        value = random.oneIn(9) ? random.below(50) : value + random.below(3)
        return Extent(offset: value, size: index)
      }
      var list = UniqueList<Extent>(capacity: 0)
      for element in elements { list.append(element) }
      list.sort { $0.offset }
      let sorted = list.array
      let expected = elements.sorted { ($0.offset, $0.size) < ($1.offset, $1.size) }
      #expect(sorted == expected, "seed \(random.seed), \(count) elements")
    }
  }

  @Test("a list that is written once has its elements by index, and none has no memory")
  func longList() {
    let list: LongList<Int> = [3, 1, 2]
    #expect(Array(list) == [3, 1, 2])
    #expect(list.reversed() == [2, 1, 3])
    #expect(LongList<Int>().isEmpty)
    #expect(LongList(UniqueList<Int>(capacity: 100)).isEmpty)
  }

  @Test("the blocks of a pool do not overlap, are aligned, and are used again")
  func pool() {
    var pool = SlabPool(blockSize: 512, alignment: 64)
    var blocks: [UnsafeMutableRawPointer] = []
    for _ in 0..<500 {
      let block = pool.allocate()
      blocks.append(block)
    }
    let addresses = blocks.map { UInt(bitPattern: $0) }.sorted()
    for (low, high) in zip(addresses, addresses.dropFirst()) { #expect(high - low >= 512) }
    #expect(addresses.allSatisfy { $0 % 64 == 0 })
    for block in blocks { pool.deallocate(block) }
    let again = Set((0..<500).map { _ in UInt(bitPattern: pool.allocate()) })
    let areSame = again == Set(addresses)
    #expect(areSame)
  }

  @Test("a list of deferred free extents keeps their order, and returns its chunks to the pool")
  func deferredFreeList() {
    func extents(of list: DeferredFreeList) -> [Int] {
      var offsets: [Int] = []
      list.enumerate { offsets.append($0.pointee.offset) }
      return offsets
    }
    func addresses(of list: DeferredFreeList) -> Set<UInt> {
      var all: Set<UInt> = []
      list.enumerate { all.insert(UInt(bitPattern: $0)) }
      return all
    }
    var pool = DeferredFreeList.makePool()
    var seen: [Set<UInt>] = []
    for count in [0, 1, 15, 16, 1005, 1005] {
      var list = DeferredFreeList()
      for offset in 0..<count {
        list.append(DeferredFreeExtent(offset: offset, size: 8, birth: 1, death: 2), &pool)
      }
      #expect(list.count == count)
      #expect(extents(of: list) == Array(0..<count))
      seen.append(addresses(of: list))
      list.deallocate(to: &pool)
    }
    let areSame = seen[4] == seen[5]
    #expect(areSame)
  }

  @Test("when a version ends that has nearly all deferred free extents, their memory goes")
  func shrinking() {
    var extents = DeferredFreeExtents(.exact)
    var freed = UniqueList<Extent>()
    extents.register(1)
    for offset in 0..<20_000 {
      let isDeferred = extents.deferFree(
        DeferredFreeExtent(offset: 8 * offset, size: 8, birth: 1, death: 2))
      #expect(isDeferred)
    }
    extents.register(2)
    for offset in 30_000..<30_100 {
      let isDeferred = extents.deferFree(
        DeferredFreeExtent(offset: 8 * offset, size: 8, birth: 2, death: 3))
      #expect(isDeferred)
    }
    let used = extents.pool.usedCount
    extents.unregister(1, freed: &freed)
    let (usedAfter, free) = (extents.pool.usedCount, extents.pool.freeCount)
    #expect(used > 1000 && usedAfter < 10 && free == 0)
    #expect(extents.violations() == [])
    extents.unregister(2, freed: &freed)
    let (count, bytes) = (freed.count, extents.bytes)
    #expect(count == 20_100 && bytes == 0)
  }

  @Test("a record that counts more extents than it has bytes for is corrupt")
  func count() {
    var writer = RecordWriter()
    for value in [4, 0, 0, 0, 0, 0, 0, 0] { writer.put(value) }
    var reader = RecordReader(UnsafeRawBufferPointer(writer.buffer), version: 1)
    #expect(throws: StorageError.self) { try reader.count() }
    writer.put(0)
    reader = RecordReader(UnsafeRawBufferPointer(writer.buffer), version: 1)
    #expect(throws: Never.self) { try #expect(reader.count() == 4) }
  }
}
