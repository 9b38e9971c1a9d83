// What snapshots and iterators retain: a snapshot versions of rows, an iterator whole files.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("What is retained for readers of RocksDB", .enabled(if: hasRocksDB))
struct RocksDBPinTests {
  private func withSession(_ body: (any EngineSession) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let session = try RocksDBEngine().session(folder, automatic: true)
      try session.fill(0..<3000, bytes: 500)
      try session.rocks.flushAll()
      try body(session)
      try session.close()
    }
  }

  @Test("an iterator retains every run that it was created over, until its snapshot ends")
  func iterator() throws {
    try withSession { session in
      let runs = try session.rocks.setup.files.sizes().tables
      let snapshot = try session.beginSnapshot(label: "scans")
      var seen = 0
      try #expect(snapshot.scan(0, from: 0, limit: 10) { _, _ in seen += 1 } == 10)
      _ = try session.rocks.compactAll()
      let held = try session.spaceUsage()
      #expect(held.pinned == runs)
      try #expect(snapshot.scan(0, from: 100, limit: 5000) { _, _ in seen += 1 } == 2900)
      #expect(seen == 2910)
      snapshot.end()
      // The files go with the next flush or compaction.
      try session.fill(0..<1, bytes: 500)
      try session.rocks.flushAll()
      try #expect(session.spaceUsage().pinned == .zero)
    }
  }

  @Test("a snapshot retains no run, and the versions of rows that it sees outlast compaction")
  func snapshot() throws {
    try withSession { session in
      let before = try session.rocks.setup.files.sizes().tables
      let snapshot = try session.beginSnapshot(label: "reads")
      try session.fill(0..<3000, bytes: 500, seed: 2)
      _ = try session.rocks.compactAll()
      let held = try session.spaceUsage()
      #expect(held.pinned == .zero)
      // Both versions of each row.
      let runs = try session.rocks.setup.files.sizes().tables
      #expect(10 * runs > 19 * before, "\(before) \(runs)")
      snapshot.end()
      _ = try session.rocks.compactAll()
      let after = try session.rocks.setup.files.sizes().tables
      #expect(10 * after < 11 * before, "\(before) \(after)")
    }
  }

  @Test("snapshots and transactions that have ended do not keep the database open")
  func ended() throws {
    try withTemporaryFolder { folder in
      let engine = try RocksDBEngine()
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
