// The troubles that users of log-structured merge trees report, reproduced in small: rows that stay after they were deleted,
// and bytes that are written several times.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("What a log-structured merge tree costs", .enabled(if: hasRocksDB))
struct RocksDBTroubleTests {
  private static let rows = 8000
  private static let bytes = 500

  /// Runs `body` with a database of eight thousand rows.
  private func withRows(automatic: Bool, _ body: (any EngineSession) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let session = try RocksDBEngine().session(folder, automatic: automatic)
      try session.fill(0..<Self.rows, bytes: Self.bytes)
      try body(session)
      try session.close()
    }
  }

  @Test(
    "nine tenths of the rows are deleted, and stay; the next flush lets automatic compaction free them",
    arguments: [false, true])
  func tombstones(automatic: Bool) throws {
    try withRows(automatic: automatic) { session in
      try session.delete((0..<Self.rows).filter { $0 % 10 != 0 })
      let deleted = try session.spaceUsage()
      let live = try #require(deleted.live)
      #expect(deleted.file > 9 * live, "\(deleted)")
      try session.rocks.flushAll()
      let flushed = try session.spaceUsage()
      if automatic {
        #expect(10 * flushed.file < 12 * live, "\(flushed)")
        #expect(session.drainEvents().count == 1)
      } else {
        #expect(flushed.file > 9 * live, "\(flushed)")
      }
    }
  }

  @Test(
    "overwritten at random, a row is written twice without compaction, and over four times with it")
  func writeAmplification() throws {
    func factor(automatic: Bool) throws -> Double {
      var result = 0.0
      try withRows(automatic: automatic) { session in
        var random = SeededRandom(seed: 3)
        let commits = 200
        let before = try #require(session.bytesWritten)
        for _ in 0..<commits {
          try session.write { transaction in
            for _ in 0..<100 {
              try random.bytes(Self.bytes).withUnsafeBytes {
                try transaction.put(0, Int64(random.below(Self.rows)), $0)
              }
            }
          }
        }
        let written = try #require(session.bytesWritten) - before
        result = Double(written.bytes) / Double(commits * 100 * (Self.bytes + RowKey.bytes))
      }
      return result
    }
    let (without, with) = (try factor(automatic: false), try factor(automatic: true))
    #expect(1.9 < without && without < 2.2, "\(without)")
    #expect(4 < with && with < 6, "\(with)")
  }
}
