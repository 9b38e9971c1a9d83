// Clients that request checkpoints: when they do, and where the outcome is recorded.
import MetricModel
import RecordModel
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Clients that make checkpoints")
struct CheckpointClientTests {
  private func run(_ spec: CheckpointSpec, _ schedule: Schedule) throws -> (
    RepetitionResult, LoggingEngine
  ) {
    let client = ClientSpec(name: "checkpointer", kind: .checkpoints(spec))
    let engine = LoggingEngine()
    let scenario = CellRunTests.scenario([CellRunTests.writer, client], commits: 40)
    return (try CellRunTests.run(scenario, on: engine, schedule: schedule), engine)
  }

  @Test("once when its phase begins, or after every so many commits of it")
  func times() throws {
    let (_, once) = try run(CheckpointSpec(mode: .full), .stepped)
    #expect(once.trace.lines.count { $0 == "full checkpoint" } == 1)
    let (_, often) = try run(CheckpointSpec(mode: .full, everyCommits: 10), .stepped)
    let lines = often.trace.lines.filter { $0 == "full checkpoint" || $0 == "commit" }
    // The first commit is of the load. In a drawn order it comes at the tenth commit after the last, or later.
    let places = lines.indices.filter { lines[$0] == "full checkpoint" }
    #expect((2...4).contains(places.count))
    #expect(places.first.map { $0 >= 11 } == true)
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 10 })
  }

  @Test("the outcome is a line in the next sample", arguments: [Schedule.stepped, .threads])
  func recorded(_ schedule: Schedule) throws {
    let (result, _) = try run(CheckpointSpec(mode: .truncate), schedule)
    let events = result.samples.map(\.events).filter { !$0.isEmpty }
    #expect(!events.isEmpty)
    let line = "truncate checkpoint: busy; 3 of 5 pages in the log are in the file"
    #expect(events.allSatisfy { $0.contains(line) })
    // It is none of the compactions.
    #expect(result.samples.last?.compactions == 0)
  }

  @Test("no trace is made of it, nor of a log that is kept in a way of its own")
  func traces() {
    let client = ClientSpec(name: "c", kind: .checkpoints(CheckpointSpec(mode: .passive)))
    var scenario = CellRunTests.scenario([CellRunTests.writer, client])
    #expect(
      scenario.unsupportedReason(recording: scenario.arms[0])?.contains("checkpoints") == true)
    scenario = CellRunTests.scenario([CellRunTests.writer])
    scenario.arms[0].log = LogSpec(sizeLimit: 0)
    #expect(scenario.unsupportedReason(recording: scenario.arms[0])?.contains("log") == true)
  }
}
