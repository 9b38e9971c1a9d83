// One forged violation for each invariant of the free space and of the deferred free extents. All calls maintain the
// invariants, so the violations are made directly in memory.
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
    for page in [8, 16, 24] {
      free.free(Extent(offset: page * Self.page, size: 2 * Self.page))
    }
    #expect(free.violations() == [])
    return free
  }

  /// Returns the rules that are violated once `forge` has changed what is sound.
  private func rules(
    limit: Int? = nil, _ forge: (inout FreeSpace) -> Void
  ) -> Set<String> {
    var free = sound(limit: limit)
    forge(&free)
    return broken(free.violations())
  }

  private func broken(_ violations: [String]) -> Set<String> {
    Set(violations.map { String($0.prefix { $0 != " " && $0 != ":" }) })
  }

  @Test(
    "FREE-1: an extent that overlaps another, or lies outside the file's blocks, is reported")
  func overlap() {
    #expect(rules { $0.index.byAddress.forgeFirst { $0.size = 9 * Self.page } }.contains("FREE-1"))
    for offset in [Self.end, Layout.blocksStart - 8] {
      let broken = rules { $0.free(Extent(offset: offset, size: 8)) }
      #expect(broken.contains("FREE-1"), "offset \(offset)")
    }
  }

  @Test("FREE-2: an extent that is missing in the index by size is reported")
  func bySize() {
    #expect(rules { $0.index.bySize.forgeFirst() } == ["FREE-2"])
  }

  @Test(
    "FREE-2: a size that is not noted for its segment, and one that is noted without an extent, are reported"
  )
  func classes() {
    let short = Extent(offset: 40 * Self.page, size: 64)
    let segment = sound().index.byAddress.segment(short.offset)
    #expect(rules { $0.free(short) } == [])
    let missing = rules {
      $0.free(short)
      $0.index.classes.remove(8, in: segment)
    }
    #expect(missing == ["FREE-2"])
    #expect(rules { $0.index.classes.insert(8, in: segment) } == ["FREE-2"])
    // Above the limit the size is not noted.
    #expect(rules(limit: 30 * Self.page) { $0.free(short) } == [])
    let above = rules(limit: 30 * Self.page) {
      $0.free(short)
      $0.index.classes.insert(8, in: segment)
    }
    #expect(above == ["FREE-2"])
  }

  @Test("FREE-3: two extents that touch are reported")
  func touching() {
    #expect(rules { $0.index.byAddress.forgeFirst { $0.size = 8 * Self.page } }.contains("FREE-3"))
  }

  @Test("FREE-4: an extent that crosses the limit is reported")
  func crossing() {
    let broken = rules(limit: 12 * Self.page) {
      $0.index.byAddress.forgeFirst { $0.size = 5 * Self.page }
    }
    #expect(broken.contains("FREE-4"))
  }

  @Test("FREE-5: a wrong sum and an extent of no bytes are reported")
  func sums() {
    #expect(rules { $0.index.byAddress.forgeFirst { $0.size += 8 } }.contains("FREE-5"))
    let empty = rules {
      $0.bytes -= 2 * Self.page
      $0.index.byAddress.forgeFirst { $0.size = 0 }
    }
    #expect(empty.contains("FREE-5"))
  }

  @Test("FREE-6: an extent that is missing in the index by pages is reported")
  func byPages() {
    #expect(rules { $0.index.byPages.forgeFirst() } == ["FREE-6"])
  }
}

extension AddressIndex {
  /// Changes the first extent where it is, whatever the order.
  fileprivate mutating func forgeFirst(_ change: (inout Extent) -> Void) {
    guard var extent = element(at: first) else { return }
    change(&extent)
    replace(at: first, by: extent)
  }
}

extension SizeIndex {
  /// Moves the first entry by a granule.
  fileprivate mutating func forgeFirst() {
    let first = lowerBound(size: 0)
    guard let entry = entry(at: first) else { return }
    remove(at: first)
    insert(size: entry.size, offset: entry.offset + 8)
  }
}

@Suite("Invariants of deferred free extents")
struct DeferredFreeExtentsInvariantTests {
  /// Versions 3 and 7 are registered; the extent was live from 2 until before 5, so only 3 pins it.
  private func sound() -> DeferredFreeExtents {
    let extent = DeferredFreeExtent(offset: Layout.blocksStart, size: 64, birth: 2, death: 5)
    var pinned = PinnedExtents(ReclamationRule(.exact, [3, 7]))
    pinned.add(extent)
    let deferredFree = DeferredFreeExtents(
      .exact, registered: RegisteredVersions([3, 7]), pinned: pinned)
    #expect(deferredFree.violations() == [])
    return deferredFree
  }

  private func rules(_ change: (inout DeferredFreeExtent) -> Void) -> Set<String> {
    let deferredFree = sound()
    deferredFree.enumerateByVersion { _, extent in change(&extent.pointee) }
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
    "DEFERRED-2: an extent in the list of another version than the last before its death is reported"
  )
  func versionList() {
    #expect(rules { $0.death = 9 }.contains("DEFERRED-2"))
  }

  @Test("DEFERRED-3: an extent in the list of a version before its birth is reported")
  func unseen() {
    #expect(rules { $0.birth = 4 }.contains("DEFERRED-3"))
  }

  @Test("DEFERRED-4: a wrong sum is reported")
  func sum() {
    #expect(rules { $0.size += 8 }.contains("DEFERRED-4"))
  }

  @Test("DEFERRED-5: bytes counted for another version than by the rule are reported")
  func retained() {
    #expect(rules { $0.size += 8 }.contains("DEFERRED-5"))
    #expect(rules { _ in } == [])
  }
}
