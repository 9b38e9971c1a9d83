// Clients in another opening of the database, whose commits count beside those of the phase.
import EngineInterface
import RecordModel
import ScenarioModel
import TestSupport
import Testing
import WorkloadRunner

@Suite("Process clients")
struct ProcessClientTests {
  private func result(
    _ clients: Int, every: Int, on engine: any Engine, schedule: Schedule
  ) throws -> RepetitionResult {
    let spec = ProcessSpec(table: "Item", work: .writes, everyCommits: every, isThread: true)
    let others = (1...clients).map { ClientSpec(name: "other \($0)", kind: .process(spec)) }
    return try CellRunTests.run(
      CellRunTests.scenario([CellRunTests.writer] + others, commits: 40), on: engine,
      schedule: schedule)
  }

  @Test(
    "a phase ends though other openings commit after every commit, also after each other's",
    .timeLimit(.minutes(HangGuard.minutes)), arguments: [(1, 1), (2, 2), (3, 1)], Schedule.allCases)
  func ends(_ others: (count: Int, every: Int), _ schedule: Schedule) throws {
    let engine = LoggingEngine()
    let result = try result(others.count, every: others.every, on: engine, schedule: schedule)
    // The phase's own commits are all made, and each of the others acts at most once after the last of them.
    let last = try #require(result.record.phases.last)
    #expect(last.lastCommit - last.firstCommit >= 40)
    #expect(result.record.exact.commits == last.lastCommit)
    #expect(engine.trace.withState { $0.snapshots } == 0)
  }

  @Test("under the stepped schedule such a phase repeats to the commit")
  func repeats() throws {
    let (a, b) = (LoggingEngine(), LoggingEngine())
    let first = try result(2, every: 1, on: a, schedule: .stepped)
    let second = try result(2, every: 1, on: b, schedule: .stepped)
    #expect(first.record.exact.commits == second.record.exact.commits)
    #expect(first.record.exact.commits > 40)
    #expect(a.trace.lines == b.trace.lines)
  }
}
