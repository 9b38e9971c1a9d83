// The order of a plan's runs: stepped ones first, then blocks of all cells on real threads.
import EngineInterface
import Experiments
import NullEngine
import RecordFixtures
import RecordModel
import ScenarioModel
import Testing

@Suite("The plan of a run")
struct ExperimentPlanTests {
  private func plan(_ schedule: RunSchedule, repetitions: Int) throws -> ExperimentPlan {
    ExperimentPlan(
      try SyntheticScenario.make(), engines: [.available(NullEngine())], schedule: schedule,
      repetitions: repetitions)
  }

  @Test("one schedule alone has its repetitions, each with every cell once")
  func one() throws {
    for (schedule, expected) in [(RunSchedule.stepped, Schedule.stepped), (.threads, .threads)] {
      let parts = try plan(schedule, repetitions: 3).parts
      #expect(parts.map(\.schedule) == [expected])
      #expect(Set(parts[0].runs.map(\.repetition)) == [1, 2, 3])
    }
  }

  @Test(
    "both schedules are one stepped run of each cell, then blocks in different orders on threads")
  func both() throws {
    var plan = try plan(.both, repetitions: 6)
    #expect(plan.parts.map(\.schedule) == [.stepped, .threads])
    let cells = plan.parts[0].runs.map(\.cell)
    #expect(Set(cells).count == cells.count && cells.count > 1)
    let blocks = Dictionary(grouping: plan.parts[1].runs, by: \.repetition)
    #expect(blocks.keys.sorted() == [2, 3, 4, 5, 6, 7])
    for block in blocks.values { #expect(Set(block.map(\.cell)) == Set(cells)) }
    #expect(Set(blocks.values.map { $0.map(\.cell) }).count > 1)
    // In the order of blocks, so that the runs of one block are neighbors in time.
    let order = plan.parts[1].runs.map(\.repetition)
    #expect(order == order.sorted())
    plan.steppedRepetitions = 2
    #expect(Set(plan.parts[0].runs.map(\.repetition)) == [1, 2])
    #expect(Set(plan.parts[1].runs.map(\.repetition)) == [3, 4, 5, 6, 7, 8])
  }
}
