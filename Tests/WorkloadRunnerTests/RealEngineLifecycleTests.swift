// Crashes, seed files and keys on the engines themselves: what an engine in memory cannot show.
import EngineInterface
import LMDBEngine
import MetricModel
import NativeEngine
import RecordModel
import SQLiteEngine
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Lifecycles on real engines")
struct RealEngineLifecycleTests {
  /// Their libraries must be on the machine that tests them.
  private static let engines: [any Engine] = [
    NativeEngine.exact, NativeEngine.oldestReader, try! LMDBEngine(), try! SQLiteEngine(),
  ]

  @Test(
    "every launch crashes in the middle of a transaction, and the next finds the committed rows",
    arguments: engines.indices, [false, true])
  func crashes(_ engine: Int, compacts: Bool) throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 4)
    scenario.lifecycle.crashes = [1, 2, 3]
    if compacts { scenario.policies[0].onLaunch = .always }
    // Rows that are missing, or were never committed, end the run with an error.
    let result = try CellRunTests.run(scenario, on: Self.engines[engine])
    #expect(result.record.exact.commits == 160)
    let outcomes = result.record.events.map(\.event.outcome)
    #expect(outcomes == (compacts ? [.skipped, .finished, .finished, .finished] : []))
  }

  @Test(
    "a seed file is found by the first launch, packed, with every row",
    arguments: engines.indices)
  func seeds(_ engine: Int) throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 2)
    scenario.tables[0].rows = 3000
    scenario.lifecycle.isSeeded = true
    scenario.policies[0].onLaunch = .always
    let seeded = try CellRunTests.run(scenario, on: Self.engines[engine])
    // A policy is asked about it before any phase, as about every database that exists.
    #expect(seeded.record.events.map(\.event.outcome) == [.finished, .finished])
    #expect(seeded.samples.allSatisfy { $0.phase != "load" })
    scenario.lifecycle.isSeeded = false
    let loaded = try CellRunTests.run(scenario, on: Self.engines[engine])
    let first = try #require(seeded.samples.first?.observation.space)
    let load = try #require(loaded.samples.first { $0.phase == "load" }?.observation.space)
    #expect(first.file <= load.file && first.file > ByteCount(3000 * 32))
    #expect(seeded.record.exact.commits == loaded.record.exact.commits)
  }

  @Test("with a key the same commits are made over the same rows, crashes and compactions included")
  func twins() throws {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 4)
    scenario.lifecycle.crashes = [2]
    scenario.policies[0].onLaunch = .always
    let plain = try CellRunTests.run(scenario, on: NativeEngine.exact)
    scenario.arms[0].isEncrypted = true
    let sealed = try CellRunTests.run(scenario, on: NativeEngine.exact)
    #expect(plain.record.exact.commits == sealed.record.exact.commits)
    #expect(plain.record.exact.operations == sealed.record.exact.operations)
    #expect(plain.record.exact.finalLive == sealed.record.exact.finalLive)
    #expect(sealed.record.exact.final > plain.record.exact.final)
    #expect(plain.record.events.count == sealed.record.events.count)
  }
}
