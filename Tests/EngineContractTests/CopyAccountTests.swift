// How far an account of space can be trusted: what it calls live, beside what a compacted copy really needs.
import EngineInterface
import MetricModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine's live bytes are those that a compacted copy needs")
struct CopyAccountTests {
  /// Live bytes, and those of a compacted copy once it is opened.
  private func measure(_ test: EngineUnderTest) throws -> (live: Int, copy: Int) {
    try withTemporaryFolder { folder in
      let session = try test.open(folder)
      try fill(session, rows: 6000, bytes: 500)
      try delete(session, keys: 1000..<5000)
      try update(session, commits: 50, of: 1000, bytes: 500)
      let held = try session.beginSnapshot(label: "beside")
      try update(session, commits: 50, of: 1000, bytes: 500)
      let live = try #require(session.spaceUsage().live)
      let other = folder.appending("copy")
      try FileSystem.makeFolders(other)
      try session.writeCompactedCopy(to: test.file(in: other))
      held.end()
      try session.close()
      let copied = try test.open(other)
      let copy = try #require(copied.spaceUsage().live)
      try #expect(copied.read { try $0.count(0) } == 2000)
      try copied.close()
      return (live.bytes, copy.bytes)
    }
  }

  @Test(
    "the two differ by what each engine's pages leave empty, and by nothing else",
    arguments: EngineUnderTest.all)
  func beside(_ test: EngineUnderTest) throws {
    let (live, copy) = try measure(test)
    guard test.engine.capabilities.copyRepacksPages else {
      #expect(live == copy)
      return
    }
    // Where the account is exact it never has too little.
    let tolerance = test.engine.capabilities.accounting == .exact ? 0 : live / 100
    #expect(copy <= live + tolerance, "\(live) live, \(copy) in the copy")
    #expect(10 * copy >= 8 * live, "\(live) live, \(copy) in the copy")
  }
}
