// The account of space: what of it is exact, and how far the estimate of live bytes is from what a compacted copy has.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("The space of a RocksDB database", .enabled(if: hasRocksDB))
struct RocksDBSpaceTests {
  /// What a database is made of before it is measured.
  enum Waste: CaseIterable {
    /// Two thirds of the rows deleted.
    case deletions
    /// Each row written four times.
    case updates
    /// Some rows updated, and those of the last commits in the memtable only.
    case unflushed
  }

  private func make(_ waste: Waste, in session: any EngineSession) throws {
    try session.fill(0..<3000, bytes: 500)
    switch waste {
    case .deletions: try session.delete(1000..<3000)
    case .updates: for seed in UInt64(2)...4 { try session.fill(0..<3000, bytes: 500, seed: seed) }
    case .unflushed: try session.fill(0..<600, bytes: 500, seed: 2)
    }
  }

  @Test(
    "live bytes differ by at most 0.3 % from a compacted copy's; RocksDB's own estimate by up to three times",
    arguments: Waste.allCases, [false, true])
  func estimate(_ waste: Waste, automatic: Bool) throws {
    try withTemporaryFolder { folder in
      let engine = try RocksDBEngine()
      let session = try engine.session(folder, automatic: automatic)
      try make(waste, in: session)
      let space = try session.spaceUsage()
      let live = try #require(space.live).bytes
      let copyFolder = folder.appending("copy")
      try FileSystem.makeFolders(copyFolder)
      try session.writeCompactedCopy(to: copyFolder.appending(engine.mainFile))
      let rocks = try session.rocks
      let theirs = rocks.sum(of: "rocksdb.estimate-live-data-size")
      try session.close()
      let copy = try engine.session(copyFolder)
      let exact = try copy.rocks.sum(of: "rocksdb.live-sst-files-size")
      try copy.close()
      #expect(1000 * abs(live - exact) <= 3 * exact, "\(live) live, \(exact) in the copy")
      // RocksDB's own, which knows files and not rows.
      let factor = Double(theirs) / Double(exact)
      if waste == .deletions {
        #expect(2.9 < factor && factor < 3.1)
      } else {
        #expect(0.75 < factor && factor < 1.25)
      }
    }
  }

  @Test("after a full compaction all runs are live and nothing is free")
  func compacted() throws {
    try withTemporaryFolder { folder in
      let engine = try RocksDBEngine()
      let session = try engine.session(folder)
      try make(.deletions, in: session)
      try session.close()
      let opened = try engine.open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      let space = try opened.session.spaceUsage()
      let runs = try opened.session.rocks.sum(of: "rocksdb.live-sst-files-size")
      #expect(space.live == ByteCount(runs))
      #expect(space.free == .zero)
      #expect(space.pinned == .zero)
      try opened.session.close()
    }
  }

  @Test("a database has the same bytes wherever its folder is")
  func pathLength() throws {
    func usage(_ name: String) throws -> SpaceUsage {
      try withTemporaryFolder { folder in
        let long = folder.appending(name)
        try FileSystem.makeFolders(long)
        let session = try RocksDBEngine().session(long)
        try session.fill(0..<1000, bytes: 500)
        let usage = try session.spaceUsage()
        try session.close()
        return usage
      }
    }
    let short = try usage("a")
    try #expect(usage("ab") == short)
    try #expect(usage(String(repeating: "long", count: 20)) == short)
  }

  @Test("the engine's counters are the log's bytes and those of every run that was written")
  func counters() throws {
    try withTemporaryFolder { folder in
      let session = try RocksDBEngine().session(folder)
      try session.fill(0..<1000, bytes: 500)
      let rocks = try session.rocks
      try rocks.flushAll()
      let counters = rocks.counters
      #expect(counters.compacted == .zero)
      // Each row in the log and in a run.
      #expect(counters.logged.bytes > 1000 * 500)
      try #expect(counters.flushed >= rocks.setup.files.sizes().tables)
      #expect(session.bytesWritten == counters.logged + counters.flushed)
      let rewritten = try rocks.compactAll()
      #expect(rocks.counters.compacted == rewritten)
      try session.close()
    }
  }

  @Test("in the background RocksDB flushes and compacts by itself, and reports it as an event")
  func background() throws {
    try withTemporaryFolder { folder in
      let session = try RocksDBEngine().session(folder, automatic: true, inBackground: true)
      for seed in UInt64(1)...3 { try session.fill(0..<4000, bytes: 500, seed: seed) }
      let rocks = try session.rocks
      rocks.awaitRest()
      let events = session.drainEvents()
      #expect(events.map(\.outcome) == [.finished])
      #expect(events[0].rewritten == rocks.counters.compacted)
      #expect(session.drainEvents().isEmpty)
      try #expect(session.count() == 4000)
      try session.close()
    }
  }
}
