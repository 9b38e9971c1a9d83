// One forged breach for each numbered rule of the free space and of the retired extents. The structures keep their rules
// in every call, so the breaches are made behind their back, in the memory that they stand on.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Invariants of free space")
struct FreeSpaceInvariantTests {
  private static let page = Layout.pageSize
  private static let end = 64 * page

  /// Three free extents of two pages each, far from each other.
  private func sound(limit: Int? = nil) -> FreeSpace {
    var free = FreeSpace(end: Self.end, .clustered)
    if let limit { free.setLimit(limit) }
    for place in [8, 16, 24] {
      free.free(Extent(offset: place * Self.page, size: 2 * Self.page))
    }
    #expect(free.violations() == [])
    return free
  }

  /// The rules that are broken once the pair that `index` has first is another one.
  private func rules(
    _ free: FreeSpace, _ index: PairIndex, _ change: (inout Pair) -> Void
  ) throws -> Set<String> {
    var pair = try #require(index.pair(at: index.first))
    change(&pair)
    index.replace(at: index.first, by: pair)
    return broken(free.violations())
  }

  private func broken(_ violations: [String]) -> Set<String> {
    Set(violations.map { String($0.prefix { $0 != " " && $0 != ":" }) })
  }

  @Test(
    "FREE-1: an extent that lies over another, behind the end or before the first block is found")
  func overlap() throws {
    let free = sound()
    defer { free.deallocate() }
    #expect(try rules(free, free.byAddress) { $0.second = 9 * Self.page }.contains("FREE-1"))
    for offset in [Self.end, Layout.blocksStart - 8] {
      var outside = sound()
      defer { outside.deallocate() }
      outside.free(Extent(offset: offset, size: 8))
      #expect(broken(outside.violations()).contains("FREE-1"), "offset \(offset)")
    }
  }

  @Test("FREE-2: an extent that is not found by its size is found missing there")
  func bySize() throws {
    let free = sound()
    defer { free.deallocate() }
    #expect(try rules(free, free.bySize) { $0.second += 8 } == ["FREE-2"])
  }

  @Test("FREE-3: two extents that touch are found")
  func touching() throws {
    let free = sound()
    defer { free.deallocate() }
    #expect(try rules(free, free.byAddress) { $0.second = 8 * Self.page }.contains("FREE-3"))
  }

  @Test("FREE-4: an extent that crosses the limit is found")
  func crossing() throws {
    let free = sound(limit: 12 * Self.page)
    defer { free.deallocate() }
    #expect(try rules(free, free.byAddress) { $0.second = 5 * Self.page }.contains("FREE-4"))
  }

  @Test("FREE-5: a sum that is not that of the extents, and half a granule, are found")
  func sums() throws {
    let free = sound()
    defer { free.deallocate() }
    #expect(try rules(free, free.byAddress) { $0.second += 8 }.contains("FREE-5"))
    var half = sound()
    defer { half.deallocate() }
    half.free(Extent(offset: 40 * Self.page, size: 4))
    #expect(broken(half.violations()) == ["FREE-5"])
  }

  @Test("FREE-6: an extent that is not found by its whole pages is found missing there")
  func byPages() throws {
    let free = sound()
    defer { free.deallocate() }
    #expect(try rules(free, free.byPages) { $0.second += 8 } == ["FREE-6"])
  }
}

@Suite("Invariants of deferred-free extents")
struct DeferredFreeExtentsInvariantTests {
  /// Versions 3 and 7 are registered; the extent lived from 2 to before 5, so only 3 sees it.
  private func sound() -> DeferredFreeExtents {
    let extent = DeferredFreeExtent(offset: Layout.blocksStart, size: 64, birth: 2, death: 5)
    let deferredFree = DeferredFreeExtents(.exact, registered: [3, 7], extents: [extent])
    #expect(deferredFree.violations() == [])
    return deferredFree
  }

  private func rules(_ change: (inout DeferredFreeExtent) -> Void) -> Set<String> {
    let deferredFree = sound()
    defer { deferredFree.deallocate() }
    deferredFree.forEachVersion { _, extents in
      for index in extents.indices { change(&extents[index]) }
    }
    return Set(deferredFree.violations().map { String($0.prefix { $0 != " " && $0 != ":" }) })
  }

  @Test("DEFERRED-1: a version that is older than a registered one cannot be registered")
  func order() async {
    await #expect(processExitsWith: .failure) {
      var deferredFree = DeferredFreeExtents(.exact)
      deferredFree.register(7)
      deferredFree.register(3)
    }
    await #expect(processExitsWith: .success) {
      var deferredFree = DeferredFreeExtents(.exact)
      deferredFree.register(3)
      deferredFree.register(7)
      deferredFree.register(3)
    }
  }

  @Test(
    "DEFERRED-2: an extent that hangs on another version than the last before its death is found")
  func place() {
    #expect(rules { $0.death = 9 }.contains("DEFERRED-2"))
  }

  @Test("DEFERRED-3: an extent that hangs on a version from before its birth is found")
  func unseen() {
    #expect(rules { $0.birth = 4 }.contains("DEFERRED-3"))
  }

  @Test("DEFERRED-4: a sum that is not that of the extents is found")
  func sum() {
    #expect(rules { $0.size += 8 }.contains("DEFERRED-4"))
  }

  @Test("DEFERRED-5: bytes that are counted for another version than the rule says are found")
  func retained() {
    #expect(rules { $0.size += 8 }.contains("DEFERRED-5"))
    #expect(rules { _ in } == [])
  }
}
