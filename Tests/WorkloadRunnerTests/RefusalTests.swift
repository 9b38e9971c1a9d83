// A transaction that is refused because of a limit is rolled back, counted and recorded; no other error is.
import EngineInterface
import MetricModel
import RecordModel
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Refusals")
struct RefusalTests {
  private func scenario(_ spec: WriterSpec, commits: Int, limits: LimitSpec?) -> Scenario {
    var scenario = CellRunTests.scenario(
      [ClientSpec(name: "writer", kind: .writer(spec))], commits: commits)
    scenario.arms[0].limits = limits
    return scenario
  }

  @Test(
    "a refused transaction takes one of its phase's commits and is counted, with the first words")
  func counted() throws {
    // The load is a commit too.
    let engine = LoggingEngine(failsAfterCommits: 11)
    let result = try CellRunTests.run(
      scenario(
        WriterSpec(table: "Item", updates: 1), commits: 40, limits: LimitSpec(versions: 5)),
      on: engine)
    #expect(result.record.exact.commits == 10)
    #expect(result.samples.last?.observation.refusals == 30)
    // The first one gives a sample.
    #expect(result.samples.map(\.observation.refusals).contains(1))
    #expect(
      result.record.refusals == [
        Refusal(
          launch: 1, phase: "work", commit: 10, count: 30, code: "outOfSpace",
          reason: "the disk is full")
      ])
  }

  @Test("on real threads too each attempt is one of the phase's commits", arguments: 1...3)
  func threads(_ turn: Int) throws {
    let writers = (1...3).map {
      ClientSpec(
        name: "writer \($0)", kind: .writer(WriterSpec(table: "Item", inserts: 1, deletes: 1)))
    }
    var scenario = CellRunTests.scenario(writers, commits: 300)
    scenario.arms[0].limits = LimitSpec(versions: 5)
    let result = try CellRunTests.run(
      scenario, on: LoggingEngine(failsAfterCommits: 51), schedule: .threads)
    #expect(result.record.exact.commits == 50)
    #expect(result.samples.last?.observation.refusals == 250)
  }

  @Test("the rows that a refused transaction inserted and deleted are what they were")
  func undone() throws {
    // Otherwise the queue would reach rows that were never committed, and report them as lost.
    let result = try CellRunTests.run(
      scenario(
        WriterSpec(table: "Item", inserts: 1, deletes: 1, keys: .fifo), commits: 300,
        limits: LimitSpec(versions: 5)), on: LoggingEngine(failsAfterCommits: 11))
    #expect(result.samples.last?.observation.refusals == 290)
  }

  @Test("where nothing is limited, or not in this launch, the same error ends the run")
  func unlimited() {
    for limits in [nil, LimitSpec(versions: 5, launches: [2])] {
      #expect(throws: EngineError.self) {
        try CellRunTests.run(
          scenario(WriterSpec(table: "Item", updates: 1), commits: 40, limits: limits),
          on: LoggingEngine(failsAfterCommits: 11))
      }
    }
  }
}
