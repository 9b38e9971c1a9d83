// Write stalls: commits that RocksDB slows or stops are reported with their times, others are not.
import EngineInterface
import EngineTestSupport
import SystemIO
import TestSupport
import Testing

@testable import RocksDBEngine

@Suite("RocksDB's write stalls")
struct RocksDBStallTests {
  private static let rowsOfCommit = 400
  private static let bytes = 1000

  /// Overwrites rows until a stall was reported, in at most so many commits, and returns the times of the stalls.
  private func stalls(
    inBackground: Bool, maxCommits: Int
  ) throws -> [(begin: UInt64, end: UInt64)] {
    let times = Guarded<[(begin: UInt64, end: UInt64)]>([])
    try withTemporaryFolder { folder in
      var options = SessionOptions(
        tables: ["rows"], automaticCompaction: true, worksInBackground: inBackground)
      options.onStall = { begin, end in times.withLock { $0.append((begin, end)) } }
      let session = try RocksDBEngine().open(folder, options).session
      var random = SeededRandom(seed: 7)
      let value = random.bytes(Self.bytes)
      for _ in 0..<maxCommits where times.withLock({ $0.isEmpty }) {
        try session.write { transaction in
          for _ in 0..<Self.rowsOfCommit {
            try value.withUnsafeBytes {
              try transaction.put(0, Int64(random.below(20_000)), $0)
            }
          }
        }
      }
      try session.close()
    }
    return times.withLock { $0 }
  }

  @Test(
    "commits of more than a memtable each, with no pause between them, are stopped until a flush has ended",
    .enabled(if: hasRocksDB))
  func stopped() throws {
    let began = Clock.monotonicNanoseconds()
    let stall = try #require(try stalls(inBackground: true, maxCommits: 2000).first)
    #expect(began < stall.begin && stall.begin < stall.end)
    #expect(stall.end < Clock.monotonicNanoseconds())
  }

  @Test(
    "where each commit waits for its flush there is no stall", .enabled(if: hasRocksDB))
  func stepped() throws {
    #expect(try stalls(inBackground: false, maxCommits: 40).isEmpty)
  }

  @Test("the stalled time is a counter of RocksDB's statistics")
  func counter() {
    let counters = Counters(
      """
      rocksdb.stall.micros COUNT : 1203
      rocksdb.db.write.stall P50 : 0.000000 P95 : 0.000000 COUNT : 5 SUM : 9
      rocksdb.wal.bytes COUNT : 20
      """)
    #expect(counters.stalledMicroseconds == 1203)
    #expect(counters.written.bytes == 20)
  }
}
