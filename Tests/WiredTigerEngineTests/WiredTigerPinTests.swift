// What is retained for readers: versions in the history store, and blocks of checkpoints that are stored by name.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

@Suite("What is retained for readers of WiredTiger", .enabled(if: hasWiredTiger))
struct WiredTigerPinTests {
  private func history(_ session: any EngineSession) throws -> (used: ByteCount, file: ByteCount) {
    let database = try session.tiger
    let name = WiredTigerFolder.historyFile
    let file = try #require(database.setup.files.lengths()[name])
    return (try database.blocks(ofFile: name).used, file)
  }

  @Test(
    "for a snapshot older versions go into the history store, which is pinned until the snapshot ends"
  )
  func snapshot() throws {
    try withTemporaryFolder { folder in
      let session = try WiredTigerEngine().session(folder)
      try session.fill(0..<2000, bytes: 250)
      try #expect(history(session).used == .zero)
      let snapshot = try session.beginSnapshot(label: "old")
      for seed in UInt64(2)...5 { try session.fill(0..<2000, bytes: 250, seed: seed) }
      let held = try session.spaceUsage()
      #expect(held.pinned == (try history(session)).used)
      // Of each row more versions than the one that the snapshot sees.
      #expect(try #require(held.pinned).bytes > 2 * 2000 * 250, "\(held)")
      snapshot.end()
      let ended = try session.spaceUsage()
      #expect(ended.pinned == .zero)
      #expect(ended.file == held.file)
      try session.close()
    }
  }

  @Test("after the reader ended the history store keeps its length until a launch compacts")
  func stays() throws {
    try withTemporaryFolder { folder in
      let engine = try WiredTigerEngine()
      var session = try engine.session(folder)
      try session.fill(0..<2000, bytes: 250)
      let snapshot = try session.beginSnapshot(label: "old")
      for seed in UInt64(2)...5 { try session.fill(0..<2000, bytes: 250, seed: seed) }
      snapshot.end()
      let before = try history(session)
      try session.fill(0..<2000, bytes: 250, seed: 6)
      try #expect(history(session) == before)
      try session.close()
      // Opening empties it, since no reader outlives a process, and leaves the file.
      session = try engine.session(folder)
      try #expect(history(session).used == .zero)
      try #expect(10 * history(session).file > 9 * before.file)
      try session.close()
      let opened = try engine.open(
        folder, SessionOptions(tables: ["rows"], compactOnLaunch: { _ in true }))
      try #expect(history(opened.session).file < ByteCount(64 << 10))
      try opened.session.close()
    }
  }

  @Test("a checkpoint stored by name keeps its blocks over closing, until it is dropped")
  func savepoint() throws {
    try withTemporaryFolder { folder in
      let engine = try WiredTigerEngine()
      var session = try engine.session(folder)
      try session.fill(0..<2000, bytes: 500)
      let bytes = try #require(session.spaceUsage().live)
      try session.require((any SavepointStoring).self, for: "test").makeSavepoint("before")
      for seed in UInt64(2)...3 { try session.fill(0..<2000, bytes: 500, seed: seed) }
      try #expect(session.tiger.savepoints(ofFile: "rows.wt") == ["before"])
      try #expect(10 * #require(session.spaceUsage().pinned) > 9 * bytes)
      try session.close()
      session = try engine.session(folder)
      try #expect(10 * #require(session.spaceUsage().pinned) > 9 * bytes)
      try session.require((any SavepointStoring).self, for: "test").dropSavepoint("before")
      try #expect(session.tiger.savepoints(ofFile: "rows.wt") == [])
      try #expect(session.spaceUsage().pinned == .zero)
      try session.close()
    }
  }

  @Test("the names of checkpoints are read from metadata, without WiredTiger's own")
  func names() {
    let text =
      "app_metadata=,checkpoint=(WiredTigerCheckpoint.7=(addr=\"01\",order=7),one=(addr=\"\",order=8),"
      + "\"two\"=(addr=\"02\")),checkpoint_lsn=(4,2)"
    #expect(Checkpoints(metadata: text).names == ["one", "two"])
    #expect(Checkpoints(metadata: "checkpoint=,version=(major=1)").names == [])
  }

  @Test("snapshots and transactions that have ended do not keep the database open")
  func ended() throws {
    try withTemporaryFolder { folder in
      let engine = try WiredTigerEngine()
      let session = try engine.session(folder)
      let snapshot = try session.beginSnapshot(label: "ended")
      let transaction = try session.beginWrite()
      try transaction.commit()
      snapshot.end()
      try session.close()
      // It would be locked by this process.
      try engine.session(folder).close()
      withExtendedLifetime((snapshot, transaction)) {}
    }
  }
}
