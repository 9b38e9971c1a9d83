// The troubles that users of DuckDB report, reproduced in small: a file that does not shrink after deletions, and one that
// grows with each checkpoint beside a reader.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import DuckDBEngine

@Suite("What DuckDB's checkpoints free", .enabled(if: hasDuckDB))
struct DuckDBTroubleTests {
  private static let rows = 4000

  @Test("VACUUM and a checkpoint after it leave a file of deleted rows as long as it was")
  func vacuum() throws {
    try withTemporaryFolder { folder in
      let session = try DuckDBEngine().session(folder)
      try session.fill(0..<Self.rows, bytes: 500)
      try session.delete((0..<Self.rows).filter { $0 % 10 != 0 })
      try session.close()
      let files = DatabaseFiles(in: folder)
      let setup = DatabaseSetup(
        duck: try DuckDBLibrary.load(), files: files, durability: .none, vacuums: false)
      let before = try files.fileBytes()
      let connection = try Connection(DuckDBInstance(setup, isNew: false))
      try connection.run("VACUUM")
      try connection.run("CHECKPOINT \(DatabaseSetup.catalog)")
      let after = try files.fileBytes()
      #expect(after >= before)
    }
  }

  @Test("rows that are replaced beside an open snapshot stay in the file until it has ended")
  func reader() throws {
    try withTemporaryFolder { folder in
      let session = try DuckDBEngine().session(folder, automatic: true)
      try session.fill(0..<Self.rows, bytes: 500)
      try session.fill(0..<Self.rows, bytes: 500, seed: 2)
      let alone = try session.spaceUsage()
      let live = try #require(alone.live)
      let snapshot = try session.beginSnapshot(label: "reader")
      for seed in UInt64(3)...6 { try session.fill(0..<Self.rows, bytes: 500, seed: seed) }
      let beside = try session.spaceUsage()
      #expect(beside.file > alone.file + 2 * live, "\(alone) \(beside)")
      snapshot.end()
      for seed in UInt64(7)...9 { try session.fill(0..<Self.rows, bytes: 500, seed: seed) }
      let after = try session.spaceUsage()
      #expect(after.file < 3 * live, "\(after)")
      try session.close()
    }
  }
}
