// Four processes on one file: commits, versions held, openings and closings, and what they left. With SOAK_SECONDS=1800
// for half an hour, and then memory must not grow either; SOAK_PACE is the sleep between steps, in milliseconds.
import Glibc
import SoakModel
import SystemIO
import TestSupport
import Testing

@Suite("Every engine bears four processes for long")
struct SoakTests {
  @Test(
    "four processes agree about every version and lose no commit, and where they run for long none of them grows",
    arguments: EngineUnderTest.all)
  func soak(_ test: EngineUnderTest) async throws {
    let seconds = getenv("SOAK_SECONDS").map { String(cString: $0) }
    let pace = getenv("SOAK_PACE").map { String(cString: $0) } ?? (seconds == nil ? "0" : "100")
    let length = seconds.map { ["--seconds", $0] } ?? ["--steps", "150"]
    try await withTemporaryFolder { folder in
      let seed = testSeed()
      let outcome = try await ChildProcess(
        try Self.program(),
        arguments: [
          "run", "--engine", test.engine.id, "--pace", pace, "--folder", folder.string,
          "--seed", String(seed),
        ] + length
      ).run()
      #expect(
        outcome.ending.isSuccess, "SEED=\(seed): \(outcome.outputText)\(outcome.errorText)")
      #expect(outcome.outputText.contains("| \(test.engine.id) |"), "\(outcome.outputText)")
      if seconds != nil { print(outcome.outputText) }
    }
  }

  @Test("four processes of six threads, each with an opening of its own, do so too")
  func threads() async throws {
    try await withTemporaryFolder { folder in
      let seed = testSeed()
      let outcome = try await ChildProcess(
        try Self.program(),
        arguments: [
          "run", "--engine", "native", "--threads", "6", "--pace", "0", "--steps", "30",
          "--folder", folder.string, "--seed", String(seed),
        ]
      ).run()
      #expect(
        outcome.ending.isSuccess, "SEED=\(seed): \(outcome.outputText)\(outcome.errorText)")
      let cells = outcome.outputText.split(separator: "\n").last?.split(separator: "|") ?? []
      try #require(cells.count > 3, "\(outcome.outputText)")
      // The database is opened once by each thread, at least.
      let openings = Int(cells[3].filter { $0 != " " }) ?? 0
      #expect(openings >= 24, "\(outcome.outputText)")
    }
  }

  @Test(
    "rows that no process changes outlast a long soak, and the file keeps its initial length"
  )
  func lasting() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await ChildProcess(
        try Self.program(),
        arguments: ["run", "--engine", "lmdb", "--seconds", "1", "--folder", folder.string]
      ).run()
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
      let cells = outcome.outputText.split(separator: "\n").last?.split(separator: "|") ?? []
      try #require(cells.count > 6, "\(outcome.outputText)")
      let megabytes = Double(cells[6].filter { $0 != " " }) ?? 0
      #expect(megabytes > 21, "\(outcome.outputText)")
    }
  }

  /// It is built beside the tests.
  private static func program() throws -> FilePath { try Repository.program("soak-process") }
}

@Suite("The trend of a process's memory")
struct MemoryTrendTests {
  /// Half an hour, a sample each five seconds.
  private func trend(_ bytes: (Double) -> Int) -> MemoryTrend {
    var trend = MemoryTrend()
    for seconds in stride(from: 0.0, to: 1800, by: 5) {
      trend.add(seconds: seconds, bytes: bytes(seconds))
    }
    return trend
  }

  @Test("memory that only grew in the warm-up has no slope")
  func flat() throws {
    let slope = try #require(
      trend { 20 << 20 - Int(max(0, 250 - $0)) * 40_000 }.slope(afterSeconds: 300))
    #expect(slope.slope == 0)
    #expect(slope.interval.high == 0)
  }

  @Test(
    "a leak of two MiB an hour is over the bar, one of half a MiB is not", arguments: [2.0, 0.5])
  func leak(_ mebibytes: Double) throws {
    // In pages, as a heap grows, and with a sawtooth of 200 KiB that a pool makes.
    let slope = try #require(
      trend { seconds in
        let pages = Int(mebibytes * 256 * seconds / 3600)
        return 10 << 20 + pages * 4096 + Int(seconds.truncatingRemainder(dividingBy: 35)) * 5850
      }.slope(afterSeconds: 300))
    #expect((slope.interval.high < MemoryTrend.bar) == (mebibytes < MemoryTrend.bar), "\(slope)")
    #expect(slope.interval.low > 0, "\(slope)")
  }

  @Test("samples of some minutes are too few for a slope")
  func short() {
    #expect(trend { _ in 1 << 20 }.slope(afterSeconds: 1500) == nil)
  }

  @Test(
    "a process's memory can be seen from outside, its anonymous part being less than its share of all"
  )
  func seen() throws {
    let memory = try #require(ProcessMemory(of: ProcessFacts.currentID, databaseIn: "/none"))
    #expect(memory.anonymous > 0)
    #expect(memory.anonymous < memory.proportional)
    #expect(memory.proportional <= memory.resident)
    #expect(memory.database == 0)
    #expect(memory.mappings > 10)
  }

  @Test(
    "the pages of the database are counted apart, but those of a file that was removed, and changed copies, are not"
  )
  func apart() {
    func mapping(_ path: String, _ resident: Int, _ proportional: Int, _ anonymous: Int) -> String {
      """
      7f00-7f10 rw-p 00000000 fe:00 25 \(path)
      Size: 4096 kB
      Rss: \(resident) kB
      Pss: \(proportional) kB
      Anonymous: \(anonymous) kB
      VmFlags: rd mr mw me

      """
    }
    let text =
      mapping("", 100, 100, 100) + mapping("/usr/lib/libc.so.6", 50, 10, 3)
      + mapping("/soak/native/data.native", 1000, 300, 0)
      + mapping("/soak/native/data.native", 900, 200, 7)
      + mapping("/soak/native/data.native (deleted)", 2000, 1500, 0)
      + mapping("/soak/native-2/data.native", 64, 32, 0)
    let memory = ProcessMemory(mappings: text, databaseIn: "/soak/native")
    #expect(memory.resident == (100 + 50 + 7 + 2000 + 64) * 1024)
    #expect(memory.proportional == (100 + 10 + 7 + 1500 + 32) * 1024)
    #expect(memory.anonymous == (100 + 3 + 7) * 1024)
    #expect(memory.database == (1000 + 900 - 7) * 1024)
    #expect(memory.mappings == 6)
  }
}
