// Measures, determinism, comparisons and what held snapshots cost.
import Analysis
import MetricModel
import Policies
import PredicateLanguage
import RecordFixtures
import RecordModel
import ScenarioModel
import Testing

@Suite("Analysis of a record")
struct AnalysisTests {
  private func analysis(
    _ figures: [SmallRecord.Figures], _ schedule: RunSchedule = .stepped
  ) -> ScenarioAnalysis {
    ScenarioAnalysis(record: SmallRecord.make(figures, schedule: schedule), samples: [])
  }

  @Test("bytes are exact when all runs agree, and times are medians with their real coverage")
  func exactAndTimed() throws {
    let result = analysis([.init(policy: .never, size: 9_000_000)])
    let cell = try #require(result.cells.first)
    #expect(cell.measure(.highWater) == .exact(18_000_000, runs: 6))
    #expect(cell.measure(.amplification) == .exact(9, runs: 6))
    #expect(cell.measure(.commitMax).value == 32.5)
    #expect(cell.measure(.commitMax).interval?.coverage == 0.96875)
    #expect(cell.measure(.written) == .absent(reason: "the engine does not report what it wrote"))
    #expect(cell.measure(.readP50) == .absent(reason: "nothing was read"))
    #expect(result.determinism.finding == .exact(runs: 6))
    #expect(result.recommendation.text.hasSuffix("all 6 runs of each cell gave the same bytes."))
  }

  @Test("a cell whose runs differ is named and demoted to medians; the others stay exact")
  func differing() throws {
    let result = analysis([
      .init(policy: .never, size: 9_000_000, digests: ["a", "a", "b"]),
      .init(policy: .automatic, size: 9_000_000),
    ])
    #expect(result.determinism.finding == .differs([SmallRecord.key(.never)]))
    #expect(result.determinism.sentence.contains("1 of 2 cells differed"))
    #expect(!result.cells[0].measure(.final).isExact)
    #expect(result.cells[0].measure(.final).interval?.coverage == 0.75)
    #expect(result.cells[1].measure(.final).isExact)
  }

  @Test("under real threads nothing is called exact, and one run is not called checked")
  func threadsAndSingle() {
    let threads = analysis([.init(policy: .never, size: 9_000_000)], .threads)
    #expect(threads.determinism.finding == .threads)
    #expect(!threads.cells[0].measure(.final).isExact)
    let single = analysis([.init(policy: .never, size: 9_000_000, digests: ["a"])])
    #expect(single.determinism.finding == .unchecked)
    #expect(single.cells[0].measure(.final) == .exact(9_000_000, runs: 1))
    #expect(!single.recommendation.text.contains("Exact result"))
  }

  @Test("a policy is compared with never on the same engine and arm, runs paired by their number")
  func comparisons() throws {
    let result = analysis([
      .init(policy: .never, size: 9_000_000, launch: 1_000_000),
      .init(policy: .everyLaunch, size: 4_000_000, rewritten: 3_000_000, launch: 3_000_000),
    ])
    let comparison = try #require(result.comparisons.first)
    #expect(result.comparisons.count == 1)
    #expect(comparison.key == SmallRecord.key(.everyLaunch))
    #expect(comparison.savedTimeWeighted == ByteCount(5_000_000))
    #expect(comparison.savedHighWater == ByteCount(10_000_000))
    #expect(comparison.extraRewritten == ByteCount(3_000_000))
    #expect(comparison.extraWritten == nil)
    #expect(comparison.extraBlockedAtLaunch == 2_050_000)
    let ratio = try #require(comparison.blockedAtLaunchRatio)
    #expect(abs(ratio.ratio - 3) < 1e-9)
    #expect(ratio.pairs == 6)
  }

  @Test("cells without figures keep their reason")
  func absent() {
    let result = analysis([
      .init(policy: .never, size: 1, digests: [], status: .unavailable(reason: "no library")),
      .init(policy: .automatic, size: 1, digests: [], status: .notApplicable(reason: "none here")),
      .init(policy: .everyLaunch, size: 1, digests: []),
    ])
    #expect(
      result.cells.map(\.absence) == [
        "not available on this machine: no library", "none here",
        "interrupted before its first run ended",
      ])
    #expect(result.cells[1].measure(.final) == .absent(reason: "none here"))
    #expect(result.determinism.finding == .nothing)
    #expect(
      result.recommendation.headline
        == "No recommendation: on native nothing was measured in arm `usual` (not available on this machine: no"
        + " library).")
  }

  @Test(
    "the cost of held snapshots: growth while held, per engine, and the effect of each mitigation")
  func pinCosts() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 2)
    let costs = ScenarioAnalysis(record: record, samples: samples).pinCosts
    #expect(costs.map(\.engine) == ["native", "lmdb", "sqlite"])
    #expect(costs.allSatisfy { $0.phase == "pinned" && $0.policy == "never" && $0.launch == 1 })
    #expect(costs.map(\.main.levelsOff) == [true, false, false])
    #expect(costs.map(\.main.longestLag) == [3000, 3000, 3000])
    let lmdb = costs[1]
    // 21,000 bytes a commit, in pages.
    #expect(abs(try #require(lmdb.main.bytesPerCommit).bytes - 21_000) < 50)
    #expect(abs(lmdb.main.growth.bytes - 3000 * 21_000) <= 4096)
    #expect(lmdb.main.afterRelease?.hasPrefix("stays at 74.4 MB") == true)
    #expect(costs[2].main.afterRelease?.hasPrefix("shrinks from 154 MB") == true)
    #expect(lmdb.mitigations.map(\.name) == ["invalidated", "refreshed"])
    #expect(lmdb.mitigations.first?.growth == .zero)
    #expect(lmdb.mitigations.first?.whileHeld == "does not grow beyond its live data")
  }

  @Test("long policy names get short labels, and the same condition the same letter")
  func labels() throws {
    let scenario = try SyntheticScenario.make()
    let labels = PolicyLabels(scenario.policies)
    #expect(
      scenario.policies.map { labels[$0.name] } == [
        "never", "automatic", "every-launch", "on-launch A", "on-launch B",
        "automatic + on-launch B",
      ])
    #expect(labels.legend.count == 3)
    let named = Policy.onLaunch(try Predicate(observed: "totalBytes > 1 MB"), name: "half-free")
    #expect(PolicyLabels([named]).legend.first?.label == "half-free")
    #expect(PolicyLabels([named]).legend.first?.rule == "on-launch: totalBytes > 1 MB")
  }
}
