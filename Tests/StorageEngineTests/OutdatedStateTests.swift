// What a session keeps of a version that others have gone on from.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Outdated sessions")
struct OutdatedStateTests {
  private func put(_ database: Database, _ generation: Int) throws {
    try database.write { transaction, table in
      for key in Int64(0)..<200 {
        try transaction.put(table, key, row(key, generation, count: 200))
      }
    }
  }

  private func deferredCount(_ database: Database) throws -> Int {
    try database.store.readers.withLock { $0.deferredFree.extentCount }
  }

  @Test(
    "a session that sees another's commit drops its pinned extents, and its account still adds up",
    arguments: [Workbench.fast, Workbench.asProcess])
  func dropped(options: DatabaseOptions) throws {
    let bench = try Workbench()
    let first = try bench.open("data", options)
    let second = try bench.open("data", options)
    try put(first, 0)
    let pin = try first.beginSnapshot()
    for generation in 1..<4 { try put(first, generation) }
    #expect(try deferredCount(first) > 0)
    let before = try first.store.readers.withLock { $0.account }
    try put(second, 4)
    try first.beginSnapshot().end()
    #expect(try deferredCount(first) == 0)
    #expect(try first.store.readers.withLock { $0.account } == before)
    #expect(first.usage() == second.usage())
    #expect(first.oldestPins() == second.oldestPins())
    #expect(try #require(first.oldestPins().first).exclusive > 0)
    try first.checkedAudit()
    #expect(try deferredCount(first) > 0)
    try put(first, 5)
    pin.end()
    try put(first, 6)
    try first.checkedAudit()
    #expect(try deferredCount(first) == 0)
    try first.close()
    try second.close()
  }

  @Test("what holds a compaction back is the same for a session whose state is outdated")
  func oldestReader() throws {
    let bench = try Workbench()
    let first = try bench.open("data", Workbench.asProcess)
    let second = try bench.open("data", Workbench.asProcess)
    try put(first, 0)
    let pin = try second.beginSnapshot()
    for generation in 1..<4 { try put(first, generation) }
    try put(second, 4)
    try first.beginSnapshot().end()
    let readers = [try first.store.readers, try second.store.readers]
    let active = readers.map(\.activeReaders)
    #expect(active.map(\.count) == [1, 1])
    #expect(active.map(\.oldestVersion) == [pin.version, pin.version])
    let pinned = readers.map { $0.pinnedBytes(above: 0) }
    #expect(try #require(pinned[0]).version == pin.version)
    #expect(try #require(pinned[0]).bytes == first.usage().pinned)
    #expect(pinned[0]?.bytes == pinned[1]?.bytes)
    pin.end()
    try first.close()
    try second.close()
  }

  @Test("the index of a replayed free list is made once, for as many extents as the checkpoint has")
  func index() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<6000 { try transaction.put(table, key, row(key, 0, count: 900)) }
    }
    // Every other leaf becomes a hole.
    for part in 0..<20 {
      try database.write { transaction, table in
        for key in Int64(part * 300)..<Int64(part * 300 + 300) where key / 4 % 2 == 0 {
          _ = try transaction.delete(table, key)
        }
      }
    }
    let chain = try database.recordChain()
    let replay = try chain.freeSpace(pinnedBy: ReclamationRule(.exact, []))
    let count = replay.free.extentCount
    let segments = replay.free.index.byAddress.segmentCount
    let expected = Segmentation(
      covering: replay.free.end, expecting: chain.checkpoint.free.count)
    #expect(segments == expected.count, "\(count) extents")
    #expect(replay.free.violations() == [])
  }
}
