// What an arm says of the file and its journal reaches the engine, and what comes of it is in the record.
import EngineInterface
import MetricModel
import RecordModel
import SQLiteEngine
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Arms with settings of the file")
struct FileSettingsTests {
  @Test(
    "with a rollback journal and no patience each commit beside a reader is refused and counted")
  func refused() throws {
    let reader = ClientSpec(
      name: "keeper", kind: .frozen(FrozenSpec(table: "Item", window: 1)))
    var scenario = CellRunTests.scenario([CellRunTests.writer, reader], commits: 40)
    scenario.arms[0].log = LogSpec(journal: .delete)
    scenario.arms[0].limits = LimitSpec(patience: 0)
    let result = try CellRunTests.run(scenario, on: try SQLiteEngine())
    let refusals = try #require(result.record.refusals)
    #expect(refusals.map(\.code) == ["busy"])
    #expect(refusals[0].count + result.record.exact.commits == 40 && refusals[0].count > 0)
    #expect(refusals[0].reason.contains("0 ms were waited for a reader or writer"))
    // The same clients on a write-ahead log.
    scenario.arms[0].log = nil
    let usual = try CellRunTests.run(scenario, on: try SQLiteEngine())
    #expect(usual.record.refusals == nil && usual.record.exact.commits == 40)
  }

  @Test(
    "a phase shortens the file where the arm laid it out for that, and passes over it elsewhere")
  func shortened() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 10)
    scenario.tables[0].rows = 3000
    var delete = PhaseSpec(name: "delete", deleteShare: 0.9)
    delete.deleteBatch = 500
    var cut = PhaseSpec(name: "cut")
    cut.shortens = .all
    scenario.phases += [delete, cut]
    let plain = try CellRunTests.run(scenario, on: try SQLiteEngine())
    #expect(plain.record.events.isEmpty)
    scenario.arms[0].autoVacuum = .incremental
    let asked = try CellRunTests.run(scenario, on: try SQLiteEngine())
    let events = asked.record.events.map(\.event)
    #expect(events.map(\.outcome) == [.finished])
    let event = try #require(events.first)
    #expect(3 * event.after < event.before)
    let last = try #require(asked.samples.last?.observation.space)
    #expect(last.file == event.after && last.free == .zero)
    #expect(scenario.hindranceToRecording(scenario.arms[0])?.contains("cut") == true)
  }
}
