// What policies remember of earlier launches, on the engines: exact, and alike in every run.
import EngineInterface
import LMDBEngine
import MetricModel
import NativeEngine
import Policies
import SQLiteEngine
import ScenarioModel
import Testing
import WorkloadRunner

@Suite("Launch history")
struct LaunchHistoryTests {
  private static let engines: [any Engine] = [
    NativeEngine.exact, NativeEngine.oldestReader, try! LMDBEngine(), try! SQLiteEngine(),
  ]

  /// Runs eight launches a day apart, each with 40 commits, and returns the outcome and reason of each decision.
  private static func decisions(
    _ policy: String, on engine: any Engine, files: Int? = nil
  ) throws -> [(outcome: CompactionEvent.Outcome, reason: String)] {
    var scenario = CellRunTests.scenario([CellRunTests.writer], launches: 8)
    scenario.tables[0].rows = 3000
    scenario.gapBetweenLaunches = VirtualTime(seconds: 86_400)
    scenario.policies[0].onLaunch = try Policy(parsing: policy).onLaunch
    scenario.arms[0].files = files
    let result = try CellRunTests.run(scenario, on: engine)
    // The first launch finds no database.
    return result.record.events.map(\.event).filter { $0.kind == .onLaunch }
      .filter { $0.outcome != .skipped }
      .map { ($0.outcome, $0.reason) }
  }

  @Test(
    "launches and commits are counted from the launch that compacted", arguments: engines.indices)
  func counts(_ engine: Int) throws {
    let launches = try Self.decisions(
      "on-launch: launchesSinceCompaction >= 3", on: Self.engines[engine])
    // Launch 3 is the third since the scenario began, 6 the third since that.
    #expect(
      launches.map(\.outcome) == [
        .declined, .finished, .declined, .declined, .finished, .declined, .declined,
      ])
    let commits = try Self.decisions(
      "on-launch: commitsSinceCompaction >= 80", on: Self.engines[engine])
    #expect(
      commits.map(\.outcome) == [
        .declined, .finished, .declined, .finished, .declined, .finished, .declined,
      ])
    let days = try Self.decisions(
      "on-launch: timeSinceCompaction >= 60 h", on: Self.engines[engine])
    #expect(
      days.map(\.outcome) == [
        .declined, .declined, .finished, .declined, .declined, .finished, .declined,
      ])
  }

  @Test(
    "waste is the sum over launches of the bytes above usedBytes and the time before, to the byte-second",
    arguments: engines.indices)
  func waste(_ engine: Int) throws {
    // The threshold cannot be reached, and the reason has the value.
    let text =
      "on-launch: wasteSinceCompaction > 1e30 || totalBytes - usedBytes > 1e30 || time > 1e30"
    let reasons = try Self.decisions(text, on: Self.engines[engine]).map(\.reason)
    #expect(reasons.count == 7)
    var (sum, before) = (0.0, 0.0)
    for reason in reasons {
      let waste = try Self.value("wasteSinceCompaction ", in: reason)
      let unused = try Self.value("totalBytes - usedBytes ", in: reason)
      let time = try Self.value("time ", in: reason)
      sum += unused * (time - before)
      before = time
      // The reasons have three digits of the bytes and the time.
      #expect(abs(waste - sum) <= 0.01 * max(sum, 1), "\(reason)")
    }
    #expect(try Self.decisions(text, on: Self.engines[engine]).map(\.reason) == reasons)
  }

  @Test("rent-or-buy begins anew behind its compaction", arguments: engines.indices)
  func rentOrBuy(_ engine: Int) throws {
    let decisions = try Self.decisions(
      "rent-or-buy(1 s)", on: Self.engines[engine])
    // A day of a page's waste is more than a second of the data; SQLite updates in place and wastes nothing.
    let wastes = Self.engines[engine].id != "sqlite"
    #expect(decisions.map(\.outcome).contains(.finished) == wastes)
    let never = try Self.decisions("rent-or-buy(10000 d)", on: Self.engines[engine])
    #expect(never.allSatisfy { $0.outcome == .declined })
  }

  @Test("each file of a divided database has a history of its own")
  func files() throws {
    let decisions = try Self.decisions(
      "on-launch: launchesSinceCompaction >= 3", on: NativeEngine.exact, files: 2)
    #expect(decisions.count == 14)
    #expect(
      decisions.enumerated().allSatisfy { index, decision in
        decision.outcome == ([1, 4].contains(index / 2) ? .finished : .declined)
      })
  }

  private static func value(_ name: String, in reason: String) throws -> Double {
    let rest = try #require(reason.split(separator: name, maxSplits: 1).last)
    let words = rest.split(whereSeparator: { " ,".contains($0) })
    let units: [String: Double] = ["kB": 1e3, "MB": 1e6]
    let unit: Double = units[words.count > 1 ? String(words[1]) : ""] ?? 1
    let number: Double = try #require(Double(words[0]))
    return number * unit
  }
}
