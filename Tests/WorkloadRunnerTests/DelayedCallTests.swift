// One call of the engine that takes 200 ms is found in the latency from the intended time, where it happened, on real
// threads.
import Generators
import MetricModel
import RecordModel
import ScenarioModel
import Testing

@Suite("A delayed call")
struct DelayedCallTests {
  private static let load = LoadSpec(
    arrivals: .scheduled(.steady, nil), rate: .perSecond(1000))

  /// Returns the row of timings that has the n-th operation, of those that `count` counts in each row.
  private func row(
    of number: Int, in result: RepetitionResult, _ count: (TimingSample) -> Int
  ) throws -> TimingSample {
    var sum = 0
    for row in result.timings {
      sum += count(row)
      if sum >= number { return row }
    }
    return try #require(nil, "\(sum) operations were timed, and not \(number)")
  }

  @Test("a write that takes 200 ms is in the writer's latency from the intended time, in its row")
  func writer() throws {
    let writer = ClientSpec(
      name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 1, load: Self.load)))
    var scenario = CellRunTests.scenario([writer], commits: 600)
    scenario.sampling.everyMilliseconds = 20
    // The load writes 100 rows; then each transaction writes one.
    let engine = DelayingEngine(delaysAtPut: 100 + 300)
    let result = try CellRunTests.run(scenario, on: engine, schedule: .threads)
    let row = try row(of: 300, in: result) { $0.intendedLatency.count }
    let delay = Int(DelayingEngine.delay)
    #expect(row.intendedLatency.max >= delay && row.commitLatency.max >= delay)
    #expect(row.commits >= 300)
    #expect(result.record.timing.intendedLatency.max >= delay)
    // Those that were due meanwhile waited as well, which the time from their actual beginning does not show.
    let load = try #require(result.record.timing.openLoads.first)
    #expect(load.intended.max >= delay && load.greatestDelay > 0)
  }

  @Test("a read that takes 200 ms is in the lookup's latency from the intended time, in its row")
  func lookup() throws {
    let client = LookupTests.lookups(reads: 1, load: Self.load)
    var scenario = LookupTests.alone(client, transactions: 600)
    scenario.sampling.everyMilliseconds = 20
    let engine = DelayingEngine(delaysAtRead: 300)
    let result = try CellRunTests.run(scenario, on: engine, schedule: .threads)
    let row = try row(of: 300, in: result) { $0.lookupIntendedLatency.count }
    let delay = Int(DelayingEngine.delay)
    #expect(row.lookupIntendedLatency.max >= delay && row.lookupLatency.max >= delay)
    let figures = try #require(result.record.lookups?.first)
    #expect(figures.together.service.max >= delay)
    #expect(figures.threads[0].intended.max >= delay)
  }

  @Test("lookups are told apart by whether they began before, during or after a compaction")
  func stages() throws {
    let client = LookupTests.lookups(reads: 1, load: LoadSpec(rate: .perSecond(100)))
    let scenario = CellRunTests.scenario([CellRunTests.writer, client], commits: 40)
    // The load is one commit.
    let engine = DelayingEngine(events: [1 + 10: .started, 1 + 25: .finished])
    let result = try CellRunTests.run(scenario, on: engine)
    let figures = try #require(result.record.lookups?.first)
    // One at the beginning and one with each commit, after what the commit reports.
    #expect(figures.beforeCompaction?.transactions == 10)
    #expect(figures.duringCompaction?.transactions == 15)
    #expect(figures.afterCompaction?.transactions == 16)
    let calm = try CellRunTests.run(scenario, on: DelayingEngine())
    #expect(calm.record.lookups?.first?.beforeCompaction == nil)
  }
}
