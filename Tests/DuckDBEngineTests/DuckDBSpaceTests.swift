// The account of space: what of it is exact, and how far the estimate of live bytes is from what a compacted copy has.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import DuckDBEngine

@Suite("The space of a DuckDB database", .enabled(if: hasDuckDB))
struct DuckDBSpaceTests {
  /// What a database is made of before it is measured.
  enum Waste: CaseIterable {
    /// Two thirds of the rows deleted.
    case deletions
    /// Each row written four times.
    case updates
    /// Some rows updated, and those of the last commits in the log only.
    case logged
  }

  private func make(_ waste: Waste, bytes: Int, in session: any EngineSession) throws {
    try session.fill(0..<3000, bytes: bytes)
    switch waste {
    case .deletions: try session.delete((0..<3000).filter { $0 % 3 != 0 })
    case .updates:
      for seed in UInt64(2)...4 { try session.fill(0..<3000, bytes: bytes, seed: seed) }
    case .logged: try session.fill(0..<600, bytes: bytes, seed: 2)
    }
  }

  @Test(
    "live bytes are within a block and a hundredth of what a compacted copy uses",
    arguments: Waste.allCases, [100, 500, 3000])
  func estimate(_ waste: Waste, bytes: Int) throws {
    try withTemporaryFolder { folder in
      let engine = try DuckDBEngine()
      let session = try engine.session(folder)
      try make(waste, bytes: bytes, in: session)
      let live = try #require(session.spaceUsage().live).bytes
      let copyFolder = folder.appending("copy")
      try FileSystem.makeFolders(copyFolder)
      try session.writeCompactedCopy(to: copyFolder.appending(engine.mainFile))
      try session.close()
      let copied = try engine.session(copyFolder)
      let usage = try copied.spaceUsage()
      try copied.close()
      let used = usage.file.bytes - (usage.overhead ?? .zero).bytes
      #expect(
        abs(live - used) <= DatabaseSetup.blockSize + used / 100, "\(live) \(used) \(usage)")
    }
  }
}
