// Thresholds of automatic compaction: they change what the engine does, and engines without them refuse them.
import EngineInterface
import MetricModel
import NativeEngine
import Policies
import RecordModel
import SQLiteEngine
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Thresholds of automatic compaction")
struct AutomaticThresholdTests {
  /// Deletes this share of the rows, and commits on.
  private static func run(_ policy: String, deleted share: Double) throws -> RepetitionResult {
    var scenario = CellRunTests.scenario(
      [CellRunTests.writer], policy: try Policy(parsing: policy),
      phase: PhaseSpec(name: "work", commits: 400, deleteShare: share, clients: ["writer"]))
    scenario.tables = [TableSpec(name: "Item", rows: 4000, valueSize: .fixed(500))]
    return try CellRunTests.run(scenario, on: NativeEngine.exact)
  }

  private static func hasCompacted(_ result: RepetitionResult) -> Bool {
    result.record.events.contains { $0.event.kind == .automatic && $0.event.outcome == .finished }
  }

  @Test("a lower share of free bytes makes a compaction begin that the engine's own does not")
  func start() throws {
    #expect(!Self.hasCompacted(try Self.run("automatic", deleted: 0.5)))
    let eager = try Self.run(
      "automatic(start-free-share 35 %, target-free-share 10 %)", deleted: 0.5)
    #expect(Self.hasCompacted(eager))
    let files = eager.samples.map(\.observation.space.file)
    #expect(try #require(files.last) < #require(files.max()))
  }

  @Test("a file that is shorter than the smallest one is left alone")
  func minimum() throws {
    #expect(Self.hasCompacted(try Self.run("automatic", deleted: 0.85)))
    #expect(!Self.hasCompacted(try Self.run("automatic(min-file 1 GiB)", deleted: 0.85)))
  }

  @Test("an engine whose thresholds are fixed refuses them")
  func refused() throws {
    var options = SessionOptions(tables: ["Item"], automaticCompaction: true)
    options.automaticThresholds = AutomaticThresholds()
    #expect(throws: EngineError.self) { try SQLiteEngine().refuseLimits(options) }
    #expect(throws: Never.self) { try NativeEngine.exact.refuseLimits(options) }
  }
}
