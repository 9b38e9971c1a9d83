// A replay of the records, as at opening and after commits of other processes, yields the same free space and the same
// deferred free extents as the engine that made the commits.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Replay of the records")
struct ReplayTests {
  private func sorted(_ extents: borrowing DeferredFreeExtents) -> [[UInt64]] {
    var all: [[UInt64]] = []
    extents.enumerate { all.append([UInt64($0.offset), UInt64($0.size), $0.birth, $0.death]) }
    return all.sorted { $0[0] < $1[0] }
  }

  /// Joins extents that touch: a running compaction keeps them separate at its limit.
  private func list(_ free: borrowing FreeSpace) -> [Extent] {
    var all: [Extent] = []
    free.enumerate { extent in
      if let last = all.indices.last, all[last].end == extent.offset {
        all[last].size += extent.size
      } else {
        all.append(extent)
      }
    }
    return all
  }

  private func compare(_ store: Store, _ context: String) throws {
    var access = try store.acquireWriteLock()
    access.writer.collectNewlyFree()
    let (retained, reclamation, version, running) = store.readers.withLock { state in
      (
        state.deferredFree.retainedBytes(), state.deferredFree.reclamation, state.newest.number,
        sorted(state.deferredFree)
      )
    }
    let registered = retained.flatMap {
      Array(repeating: $0.version, count: $0.holderCount)
    }
    let slot = try #require(CommitSlot(store.context.base, at: Layout.slotOffset(of: version)))
    let chain = try RecordChain(slot, base: store.context.base)
    let rule = ReclamationRule(reclamation, registered)
    let replay = try chain.freeSpace(pinnedBy: rule)
    let deferredFree = DeferredFreeExtents(
      reclamation, registered: RegisteredVersions(registered), pinned: replay.pinned)
    let freeAgrees = list(replay.free) == list(access.writer.allocator.space)
    let deferredAgree = sorted(deferredFree) == running
    #expect(freeAgrees && deferredAgree, "\(context)")
    #expect(deferredFree.retainedBytes() == retained, "\(context)")
    #expect(deferredFree.violations() == [], "\(context)")
  }

  @Test(
    "after every commit a replay of the records gives the same free and deferred free extents",
    arguments: [DatabaseOptions.Reclamation.exact, .oldestReader])
  func sameAsRunning(_ reclamation: DatabaseOptions.Reclamation) throws {
    let bench = try Workbench()
    var random = SeededRandom(seed: testSeed())
    var options = DatabaseOptions(durability: .none, reclamation: reclamation, growthStep: 16 << 10)
    options.automaticCompaction = AutomaticCompaction(
      minimumFile: 16 << 10, freeToUsedTrigger: 0.5, limitFactor: 1.2, minimumLimit: 16 << 10,
      backOffCommits: 3)
    let database = try bench.open("data", options)
    var held: [Snapshot] = []
    for commit in 0..<400 {
      try database.write { transaction, table in
        for _ in 0..<1 + random.below(30) {
          let key = Int64(random.below(200))
          if random.oneIn(commit % 40 < 20 ? 5 : 2) {
            _ = try transaction.delete(table, key)
          } else {
            try transaction.put(table, key, row(key, commit, count: random.below(400)))
          }
        }
      }
      if random.oneIn(3) { held.append(try database.beginSnapshot()) }
      if random.oneIn(3), !held.isEmpty { held.remove(at: random.below(held.count)).end() }
      try compare(try database.store, "seed \(random.seed), commit \(commit)")
    }
  }
}
