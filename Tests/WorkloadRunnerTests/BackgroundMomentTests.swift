// Moments in the background: the database is opened, and compacted where the policy asks for it; nothing else happens.
import EngineInterface
import LMDBEngine
import MetricModel
import NativeEngine
import Policies
import SQLiteEngine
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Moments in the background")
struct BackgroundMomentTests {
  private static let engines: [any Engine] = [
    NativeEngine.exact, try! LMDBEngine(), try! SQLiteEngine(),
  ]

  private static func scenario(
    _ policy: String, background: [BackgroundSpec] = [BackgroundSpec(.charging, gapPermille: 250)]
  ) throws -> Scenario {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 3)
    scenario.tables[0].rows = 2000
    scenario.policies = [try Policy(parsing: policy)]
    scenario.lifecycle.background = background
    return scenario
  }

  @Test(
    "a moment compacts where the condition names it, on each engine", arguments: engines.indices)
  func compacts(_ engine: Int) throws {
    let engine = Self.engines[engine]
    let result = try CellRunTests.run(try Self.scenario("on-launch: isCharging"), on: engine)
    let events = result.record.events.filter { $0.event.kind == .onLaunch }
    #expect(
      events.filter { $0.phase == "charging" }.map(\.event.outcome) == [.finished, .finished])
    #expect(events.filter { $0.phase == "charging" }.map(\.launch) == [1, 2])
    #expect(
      events.filter { $0.phase == "open" && $0.launch > 1 }.map(\.event.outcome) == [
        .declined, .declined,
      ])
    #expect(result.record.exact.rewritten ?? .zero > .zero)
  }

  @Test("in a moment no client runs, time goes on, and the launch comes when it would anyway")
  func passes() throws {
    let scenario = try Self.scenario(
      "never",
      background: [
        BackgroundSpec(.idle, gapPermille: 250), BackgroundSpec(.charging, gapPermille: 500),
      ])
    let result = try CellRunTests.run(scenario, on: LoggingEngine())
    #expect(result.record.exact.commits == 120)
    let moments = result.samples.filter { ["idle", "charging"].contains($0.phase) }
    #expect(moments.map(\.phase) == ["idle", "charging", "idle", "charging"])
    #expect(moments.map(\.observation.commits) == [40, 40, 80, 80])
    let hours = moments.map { $0.observation.time.seconds / 3600 }
    #expect(hours.map { Int($0) } == [2, 4, 10, 12])
    var plain = scenario
    plain.lifecycle.background = nil
    let without = try CellRunTests.run(plain, on: LoggingEngine())
    #expect(result.samples.last?.observation.time == without.samples.last?.observation.time)
  }

  @Test("each moment closes what it opened, without a transaction")
  func closes() throws {
    let engine = LoggingEngine()
    _ = try CellRunTests.run(try Self.scenario("never"), on: engine)
    // Three launches, and two moments.
    #expect(engine.trace.lines.count { $0 == "close" } == 5)
    var plain = try Self.scenario("never")
    plain.lifecycle.background = nil
    let other = LoggingEngine()
    _ = try CellRunTests.run(plain, on: other)
    #expect(
      engine.trace.lines.count { $0 == "commit" } == other.trace.lines.count { $0 == "commit" })
  }

  @Test(
    "a policy is asked in the background only if it names what differs there",
    arguments: [
      ("every-launch", false), ("on-launch: totalBytes > 1", false),
      ("on-launch: isCharging || totalBytes > 1", true), ("on-launch: not isIdle", true),
      ("on-launch: opening > 1", true),
    ])
  func asked(_ policy: String, isAsked: Bool) throws {
    let result = try CellRunTests.run(try Self.scenario(policy), on: NativeEngine.exact)
    let moments = result.record.events.filter { $0.phase == "charging" }
    #expect(moments.count == (isAsked ? 2 : 0))
    #expect(moments.allSatisfy { $0.event.outcome == .finished })
    let launches = result.record.events.filter { $0.phase == "open" && $0.launch > 1 }
    #expect(launches.map(\.event.outcome) == [.finished, .finished])
  }

  @Test("launches since a compaction and the pinned bytes of the previous launch pass over moments")
  func history() throws {
    let policy = "on-launch: isCharging && launch == 1 || launchesSinceCompaction > 99"
    let result = try CellRunTests.run(try Self.scenario(policy), on: NativeEngine.exact)
    let reasons = result.record.events.filter { $0.phase == "open" && $0.launch > 1 }
      .map(\.event.reason)
    #expect(reasons.count == 2)
    #expect(reasons.first?.contains("launchesSinceCompaction 1 <= 99") == true, "\(reasons)")
    #expect(reasons.last?.contains("launchesSinceCompaction 2 <= 99") == true, "\(reasons)")
  }

  @Test("a trace cannot have moments, and the reason is stated")
  func recorded() throws {
    let scenario = try Self.scenario("never")
    #expect(
      scenario.unsupportedReason(recording: scenario.arms[0])?.contains("in the background") == true
    )
  }
}
