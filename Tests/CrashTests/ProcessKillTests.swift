import StorageEngine
import SystemIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Killed processes")
struct ProcessKillTests {
  @Test(
    """
    kill -9 at random moments loses no acknowledged commit and leaves no half one, while the file is replaced as well, and \
    where no commit is synced as well
    """,
    arguments: [[], ["compacting", "2"], ["unsynced"], ["unsynced", "compacting", "2"]])
  func kills(_ words: [String]) async throws {
    let seed = testSeed()
    var random = SeededRandom(seed: seed)
    try await withTemporaryFolder { folder in
      let writer = WriterProcess(file: folder.appending("killed.db"), seed: seed)
      let series = NumberedCommits(seed: seed)
      var rows: RowModel = [:]
      var made = 0
      var acknowledged = 0
      for round in 0..<40 {
        let run = try await writer.runAndKill(
          after: random.below(30), plusNanoseconds: UInt64(random.below(3_000_000)), words)
        #expect(run.ending == .signalled(SIGKILL), "SEED=\(seed), round \(round)")
        acknowledged = max(acknowledged, run.last)
        guard FileSystem.exists(writer.file) else { continue }
        let database = try Database.open(path: writer.file)
        let found = try database.rows()
        let number = try #require(NumberedCommits.number(in: found))
        #expect(
          number == acknowledged || number == acknowledged + 1,
          "SEED=\(seed), round \(round): \(acknowledged) acknowledged, \(number) found")
        while made < number {
          made += 1
          rows = rows.applying(series.changes(of: made))
        }
        #expect(found == rows, "SEED=\(seed), round \(round): half a commit at \(number)")
        #expect(try database.audit().violations == [])
        #expect(try !FileSystem.list(folder).contains { $0.hasSuffix(".compacting") })
        try database.close()
        acknowledged = number
      }
      print("40 kills \(words): \(made) commits survived, seed \(seed)")
      #expect(made > 50)
    }
  }

  @Test("everything that the writer reports is there when it ends by itself")
  func quietEnd() async throws {
    try await withTemporaryFolder { folder in
      let writer = WriterProcess(file: folder.appending("quiet.db"), seed: 3)
      let outcome = try await writer.run(["commits", "20"])
      #expect(outcome.ending.isSuccess, "\(outcome.errorText)")
      #expect(outcome.outputText.hasPrefix("1\n2\n3\n"))
      let database = try Database.open(path: writer.file)
      #expect(NumberedCommits.number(in: try database.rows()) == 20)
      try database.close()
    }
  }
}
