// One call of the engine that takes 200 ms, on real threads, is in the report: in the sentence of the event during which it
// was made, for a writer and for a lookup.
import Analysis
import Generators
import MetricModel
import RecordModel
import ReportRendering
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("A delayed call in the report")
struct DelayedCallReportTests {
  private static let load = LoadSpec(
    arrivals: .scheduled(.steady, nil), rate: .perSecond(1000))
  private static let writer = ClientSpec(
    name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 1, load: load)))

  /// Runs the scenario's only cell on real threads, and returns its timeline and the report's sentence that begins so.
  private func sentence(
    _ opening: String, _ scenario: Scenario, on engine: DelayingEngine
  ) throws -> (sentence: String, timeline: Timeline) {
    let result = try CellRunTests.run(scenario, on: engine, schedule: .threads)
    var scenario = scenario
    scenario.engines = [engine.id]
    let key = CellKey(
      engine: engine.id, policy: scenario.policies[0].name, arm: scenario.arms[0].name)
    let record = RunRecord(
      scenario: scenario,
      provenance: Provenance(
        toolVersion: "0", command: "run", schedule: .threads, seed: 1, repetitions: 1,
        startedAt: "", operatingSystem: "", processor: "", cores: 2, memory: .zero, fileSystem: "",
        engineVersions: [:]),
      cells: [CellRecord(key: key, status: .measured, repetitions: [result.record])])
    let rows = CellRows(key: key, repetition: 1, rows: result.samples)
    let report = ReportMarkdown.text(ScenarioAnalysis(record: record, samples: [rows]))
    let line = try #require(
      report.split(separator: "\n").first { $0.hasPrefix("- **\(opening)**") }, "\(report)")
    return (String(line), try #require(result.record.timeline))
  }

  /// Checks that the sentence has the longest wait of the role, from the intended time, and that it is the delay.
  private func check(
    _ role: ClientRole, _ words: String, in found: (sentence: String, timeline: Timeline)
  ) throws {
    let series = try #require(found.timeline.series.first { $0.role == role })
    let longest = try #require(series.intended?.max.max())
    #expect(longest >= Int(DelayingEngine.delay))
    let wait = Nanoseconds.words(Double(longest))
    #expect(
      found.sentence.contains("\(words) waited up to \(wait) from their intended time"),
      "\(found.sentence)")
  }

  @Test("a write that takes 200 ms is the longest wait in the sentence of the compaction around it")
  func writer() throws {
    // The load is one commit of 100 rows; then each transaction writes one.
    let engine = DelayingEngine(
      delaysAtPut: 100 + 300, events: [1 + 300: .started, 1 + 400: .finished])
    let found = try sentence(
      "While it compacted automatically", CellRunTests.scenario([Self.writer], commits: 600),
      on: engine)
    try check(.writers, "writes", in: found)
    #expect(found.sentence.contains("; no reads were made during it"))
  }

  @Test("a read that takes 200 ms is the longest wait in the sentence of the snapshot beside it")
  func lookup() throws {
    let reader = ClientSpec(name: "keeper", kind: .reader(ReaderSpec(table: "Item", reads: 0)))
    let lookups = LookupTests.lookups(reads: 1, load: Self.load)
    let found = try sentence(
      "While a snapshot was held",
      CellRunTests.scenario([Self.writer, reader, lookups], commits: 600),
      on: DelayingEngine(delaysAtRead: 20))
    try check(.lookups, "reads", in: found)
    #expect(found.sentence.contains("(`keeper`)"))
  }
}
