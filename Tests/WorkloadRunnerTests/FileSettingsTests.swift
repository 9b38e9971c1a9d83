// The settings of an arm for the file and its journal reach the engine, and their effects are in the record.
import EngineInterface
import MetricModel
import RecordModel
import SQLiteEngine
import ScenarioModel
import TestSupport
import Testing
import WorkloadRunner

@Suite("Arms with settings of the file")
struct FileSettingsTests {
  @Test(
    "with a rollback journal and no busy timeout each commit beside a reader is refused and counted"
  )
  func refused() throws {
    let reader = ClientSpec(
      name: "keeper", kind: .frozen(FrozenSpec(table: "Item", window: 1)))
    var scenario = CellRunTests.scenario([CellRunTests.writer, reader], commits: 40)
    scenario.arms[0].log = LogSpec(journal: .delete)
    scenario.arms[0].limits = LimitSpec(busyTimeout: 0)
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
    let run = try CellRunTests.run(scenario, on: try SQLiteEngine())
    let events = run.record.events.map(\.event)
    #expect(events.map(\.outcome) == [.finished])
    let event = try #require(events.first)
    #expect(3 * event.after < event.before)
    let last = try #require(run.samples.last?.observation.space)
    #expect(last.file == event.after && last.free == .zero)
    #expect(scenario.unsupportedReason(recording: scenario.arms[0])?.contains("shrinks") == true)
  }

  @Test(
    "the record has how full the pages were at the end of the last launch, if the engine reports it"
  )
  func pages() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], commits: 10, launches: 2)
    scenario.tables[0].rows = 3000
    let full = try CellRunTests.run(scenario, on: try SQLiteEngine())
    var delete = PhaseSpec(name: "delete", deleteShare: 0.5)
    delete.onlyInLaunches = [2]
    scenario.phases.append(delete)
    let half = try CellRunTests.run(scenario, on: try SQLiteEngine())
    guard try Self.tellsPages() else {
      #expect(full.record.tables == nil && half.record.tables == nil)
      return
    }
    let tables = try [full, half].map { try #require($0.record.tables?.first) }
    #expect(tables.map(\.table) == ["Item", "Item"])
    #expect(tables[0].payload >= ByteCount(3000 * 32))
    #expect(2 * tables[1].payload == tables[0].payload)
    // What lives is the table's pages and those of the table of tables.
    for result in [full, half] {
      let live = try #require(result.samples.last?.observation.space.live)
      let pages = try #require(result.record.tables).reduce(ByteCount.zero) { $0 + $1.bytes }
      #expect(live - pages == ByteCount(4096))
    }
    let silent = try CellRunTests.run(scenario, on: LoggingEngine())
    #expect(silent.record.tables == nil)
  }

  /// Whether this machine's SQLite was built with dbstat.
  private static func tellsPages() throws -> Bool {
    try withTemporaryFolder { folder in
      let session = try SQLiteEngine().open(folder, SessionOptions(tables: ["Item"])).session
      defer { try? session.close() }
      if case .tables = try session.require((any PageInspecting).self, for: "page statistics")
        .pageStatistics()
      {
        return true
      }
      return false
    }
  }
}
