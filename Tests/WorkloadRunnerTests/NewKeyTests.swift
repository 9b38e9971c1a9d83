// Another key for an encrypted database: its rows, its key, and the recorded events.
import EngineInterface
import MetricModel
import NativeEngine
import RecordModel
import ScenarioModel
import SystemIO
import Testing
import WorkloadRunner

@Suite("Another key")
struct NewKeyTests {
  private func scenario(_ change: NewKey?, encrypted: Bool = true) -> Scenario {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 3)
    scenario.arms[0].isEncrypted = encrypted
    scenario.phases[0].newKey = change
    return scenario
  }

  @Test("each launch compacts under another key, and the next one opens under it")
  func compaction() throws {
    let result = try CellRunTests.run(scenario(.compaction), on: NativeEngine.exact)
    let events = result.record.events.map(\.event).filter { $0.kind == .copy }
    #expect(events.map(\.outcome) == [.finished, .finished, .finished])
    #expect(
      events.allSatisfy { ($0.rewritten ?? .zero) > .zero && $0.reason == "under another key" })
    #expect(result.samples.last?.compactions == 3)
    #expect(result.record.exact.commits == 120)
  }

  @Test("a crash after it leaves a database under the new key")
  func crash() throws {
    var scenario = scenario(.compaction)
    scenario.lifecycle.crashes = [1, 2]
    let result = try CellRunTests.run(scenario, on: NativeEngine.exact)
    #expect(result.samples.last?.compactions == 3)
  }

  @Test("a copy under another key has every row, and the key of the database stays the same")
  func copy() throws {
    let result = try CellRunTests.run(scenario(.copy), on: NativeEngine.exact)
    let reported = result.samples.map(\.events).filter { $0.contains("copy under another key has") }
    #expect(reported.count == 3)
    #expect(result.samples.last?.compactions == 0)
    let plain = try CellRunTests.run(scenario(nil), on: NativeEngine.exact)
    #expect(plain.samples.map(\.observation.space) == result.samples.map(\.observation.space))
  }

  @Test("a database that is not encrypted passes over it", arguments: NewKey.allCases)
  func passedOver(_ change: NewKey) throws {
    let result = try CellRunTests.run(scenario(change, encrypted: false), on: LoggingEngine())
    #expect(result.record.events.isEmpty)
    #expect(result.samples.allSatisfy { $0.events.isEmpty })
  }

  @Test("an engine that does not encrypt refuses another key")
  func refused() throws {
    let session = try LoggingEngine().open(FilePath("/nowhere"), SessionOptions(tables: ["Item"]))
      .session
    let error = #expect(throws: EngineError.self) {
      try session.require((any Rekeyable).self, for: "another key")
    }
    #expect(error?.code == .unsupported)
  }
}
