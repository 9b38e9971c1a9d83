// The order of a plan's runs: stepped ones first, then blocks of all cells on real threads.
import EngineInterface
import Experiments
import MetricModel
import NativeEngine
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
    "an engine that cannot have the tables is not run, with the reason; the others are",
    arguments: [
      ([RowShape.list, .list], "B: as objects there is one table of each shape"),
      ([.links(2), .links(3)], "B: as objects there is one table of each shape"),
      (Array(repeating: nil, count: 9), "I: as objects there are at most 8 tables"),
    ] as [([RowShape?], String)])
  func tables(_ shapes: [RowShape?], _ reason: String) throws {
    var scenario = try SyntheticScenario.make()
    scenario.tables = zip("ABCDEFGHI", shapes).map { name, shape in
      var table = TableSpec(name: String(name), rows: 1, valueSize: .fixed(8))
      table.shape = shape
      return table
    }
    let plan = ExperimentPlan(
      scenario, engines: [.available(NativeEngine.objects), .available(NativeEngine.exact)],
      schedule: .stepped, repetitions: 1)
    #expect(Set(plan.parts.flatMap(\.runs).map(\.cell.engine)) == ["native"])
    for cell in plan.cells where cell.key.engine == "native-objects" {
      guard case .notApplicable(let found) = cell.status else {
        Issue.record("\(cell.key) is \(cell.status)")
        continue
      }
      #expect(found.hasPrefix(reason))
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
