// What repeats bit for bit in another run, and the bytes that do not.
import EngineInterface
import EngineTestSupport
import MetricModel
import SystemIO
import TestSupport
import Testing

@testable import DuckDBEngine

@Suite("Two runs of DuckDB", .enabled(if: hasDuckDB))
struct DuckDBRepeatTests {
  /// Makes a database with updates and deletions, and returns its space after each commit and the file as closing leaves it.
  private func run(automatic: Bool) throws -> (spaces: [SpaceUsage], file: [UInt8]) {
    try withTemporaryFolder { folder in
      let engine = try DuckDBEngine()
      let session = try engine.session(folder, automatic: automatic)
      var spaces: [SpaceUsage] = []
      for commit in 0..<120 {
        let first = 20 * (commit % 60)
        try session.fill(first..<first + 30, bytes: 900, seed: UInt64(commit))
        if commit % 7 == 6 { try session.delete(first..<first + 15) }
        spaces.append(try session.spaceUsage())
      }
      try session.close()
      return (spaces, try FileSystem.read(folder.appending(engine.mainFile)))
    }
  }

  @Test(
    "have the same space after each commit, whatever identifiers DuckDB draws",
    arguments: [false, true])
  func spaces(automatic: Bool) throws {
    let first = try run(automatic: automatic).spaces
    #expect(Set(first.map(\.sidecar)).count > 10)
    #expect(Set(first.map(\.file)).count > 5)
    for _ in 0..<2 { try #expect(run(automatic: automatic).spaces == first) }
  }

  @Test("leave files that differ in the identifier and its checksum alone")
  func files() throws {
    let (one, other) = (try run(automatic: true).file, try run(automatic: true).file)
    try #require(one.count == other.count)
    let differing = one.indices.filter { one[$0] != other[$0] }
    #expect(!differing.isEmpty)
    let (checksum, identifier) = (0..<8, 124..<140)
    #expect(differing.allSatisfy { checksum.contains($0) || identifier.contains($0) })
  }
}
