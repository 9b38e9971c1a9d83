// The rules by which a policy is chosen, one by one.
import Analysis
import MetricModel
import Policies
import PredicateLanguage
import RecordFixtures
import RecordModel
import Testing

@Suite("Recommendation")
struct RecommendationTests {
  private func analysis(_ figures: [SmallRecord.Figures]) -> ScenarioAnalysis {
    ScenarioAnalysis(record: SmallRecord.make(figures), samples: [])
  }

  @Test("the policy with the smallest time-weighted size is recommended")
  func smallestSize() {
    let result = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 20_000_000),
      .init(policy: .everyLaunch, size: 20_000_000, rewritten: 5_000_000),
    ])
    #expect(result.recommendation.headline == "On this workload, compact automatically.")
    #expect(
      result.recommendation.engines.joined().contains(
        "On native it keeps the files at a time-weighted 10.0 MB, compared with 40.0 MB under `never`"
          + " (75.0 % less)"))
    #expect(result.recommendation.text.contains("20.0 MB rewritten"))
  }

  @Test("never is recommended if the best policy saves less than 5 % or 1 MiB")
  func notWorthIt() {
    let small = analysis([
      .init(policy: .never, size: 2_000_000), .init(policy: .automatic, size: 1_000_000),
    ])
    #expect(small.recommendation.headline == "On this workload, do not compact.")
    let little = analysis([
      .init(policy: .never, size: 400_000_000), .init(policy: .automatic, size: 390_000_000),
    ])
    #expect(little.recommendation.headline == "On this workload, do not compact.")
  }

  @Test("among equal sizes the fewest rewritten bytes win, then the simpler policy")
  func ties() throws {
    let cheaper = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 20_000_000),
      .init(policy: .everyLaunch, size: 10_400_000, rewritten: 5_000_000),
    ])
    #expect(cheaper.recommendation.headline == "On this workload, compact at every launch.")
    let predicate = try Predicate(observed: "totalBytes > 20 MB")
    let simpler = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .onLaunch(predicate, automatic: true), size: 10_000_000, rewritten: 5_000_000),
      .init(policy: .onLaunch(predicate), size: 10_000_000, rewritten: 5_000_000),
      .init(policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000),
    ])
    #expect(simpler.recommendation.headline == "On this workload, compact at every launch.")
    let last = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .onLaunch(predicate, automatic: true), size: 10_000_000, rewritten: 1),
      .init(policy: .onLaunch(predicate), size: 10_000_000, rewritten: 1),
    ])
    #expect(
      last.recommendation.headline
        == "On this workload, compact on launch when `totalBytes > 20 MB`.")
  }

  @Test("unreported rewritten bytes win no tie, and are not described as zero")
  func untold() {
    let told = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: nil),
      .init(policy: .everyLaunch, size: 10_400_000, rewritten: 5_000_000),
    ])
    #expect(told.recommendation.headline == "On this workload, compact at every launch.")
    let untold = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: nil),
    ])
    #expect(untold.recommendation.headline == "On this workload, compact automatically.")
    #expect(untold.recommendation.text.contains("an unreported number of rewritten bytes"))
    #expect(untold.comparisons.map(\.extraRewritten) == [nil])
  }

  @Test("a policy that rewrites more than the clients wrote, or has too long a launch, is excluded")
  func excluded() {
    let result = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 5_000_000, rewritten: 60_000_000),
      .init(policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000),
    ])
    #expect(result.recommendation.headline == "On this workload, compact at every launch.")
    #expect(
      result.recommendation.text.contains(
        "Excluded: `automatic`, because it rewrites 60.0 MB, more than the clients wrote (50.0 MB)."
      ))
    let slow = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .everyLaunch, size: 10_000_000, rewritten: 1, launch: 2_000_000_000),
    ])
    #expect(slow.recommendation.headline == "On this workload, do not compact.")
    #expect(slow.recommendation.text.contains("its longest launch takes 2.05 s"))
  }

  @Test("a condition that never triggers is reported with the values of the last launch")
  func neverFires() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 2)
    let text = ScenarioAnalysis(record: record, samples: samples).recommendation.text
    #expect(
      text.contains(
        "`on-launch: totalBytes > 100 MB && usedBytes / totalBytes < 50%` never triggered on native (at the"
          + " last launch: totalBytes 23.1 MB <= 100 MB), lmdb (at the last launch: totalBytes 74.4 MB"
          + " <= 100 MB) and sqlite (at"))
    #expect(text.contains("lmdb grows by 63.0 MB beyond its live data over 3,000 commits"))
    #expect(text.contains("21.0 kB per commit (`invalidated`: not at all, `refreshed`: 10.5 MB)"))
    #expect(text.contains("Exact result: both runs of each cell gave the same bytes."))
  }

  @Test("without never no policy is recommended, and never alone is no recommendation either")
  func noComparator() {
    let alone = analysis([.init(policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000)])
    #expect(
      alone.recommendation.headline
        == "No recommendation: on native `never` was not run in arm `usual`, so there is nothing"
        + " to compare with.")
    #expect(
      alone.recommendation.engines
        == ["On native the time-weighted file size is 10.0 MB under `every-launch`."])
    let never = analysis([.init(policy: .never, size: 10_000_000)])
    #expect(
      never.recommendation.headline.hasPrefix(
        "No recommendation: on native only `never` was measured"))
    let absent = analysis([
      .init(policy: .never, size: 1, digests: [], status: .notApplicable(reason: "it always does")),
      .init(policy: .automatic, size: 10_000_000, rewritten: 5_000_000),
    ])
    #expect(absent.recommendation.headline.contains("was not measured (it always does)"))
    #expect(absent.choices.allSatisfy { $0.cell == nil })
  }

  @Test("a policy that compacted nothing is not recommended even where its files are smaller")
  func unfired() {
    let result = analysis([
      .init(policy: .never, size: 40_000_000), .init(policy: .everyLaunch, size: 10_000_000),
    ])
    #expect(result.recommendation.headline == "On this workload, do not compact.")
    #expect(
      result.recommendation.engines
        == ["On native no policy triggered a compaction: the time-weighted file size is 40.0 MB."])
    #expect(
      result.recommendation.choice == [
        "`every-launch` never triggered on native (no launch evaluated it)."
      ]
    )
    let same = analysis([
      .init(policy: .never, size: 40_000_000), .init(policy: .automatic, size: 40_000_000),
    ])
    #expect(
      same.recommendation.choice == [
        "`automatic` never triggered on native: sizes equal those of `never`."
      ])
  }

  @Test("the headline starts with failed cells, and an engine without data has no recommendation")
  func failedCells() {
    let failed = CellRecord.Status.failed(reason: "no space")
    let all = analysis([
      .init(policy: .never, size: 1, digests: [], status: failed),
      .init(policy: .automatic, size: 1, digests: [], status: failed),
    ])
    #expect(
      all.recommendation.headline
        == "All 2 cells failed (native, never, usual; native, automatic, usual). No recommendation:"
        + " on native nothing was measured in arm `usual` (failed: no space).")
    let some = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000),
      .init(policy: .automatic, size: 1, digests: [], status: failed),
    ])
    #expect(
      some.recommendation.headline
        == "1 of 3 cells failed (native, automatic, usual). On this workload, compact at every launch."
    )
    let empty = analysis([
      .init(policy: .never, size: 0), .init(policy: .automatic, size: 0),
    ])
    #expect(empty.recommendation.headline == "No recommendation: native stores no data.")
  }

  @Test("each engine has its own sentence, and the headline names engines that differ")
  func engines() throws {
    let (record, samples) = try SyntheticRecord.make()
    let result = ScenarioAnalysis(record: record, samples: samples).recommendation
    #expect(
      result.headline
        == "On this workload: on native and sqlite, compact automatically; on lmdb, do not compact."
    )
    #expect(result.engines.count == 3)
    for (sentence, engine) in zip(result.engines, ["native", "lmdb", "sqlite"]) {
      #expect(sentence.hasPrefix("On \(engine) "))
    }
    #expect(
      result.choice.contains(
        "`automatic` is n/a on lmdb: LMDB never compacts by itself; only its copy does."))
  }

  @Test("an engine that is not available has no sentence")
  func missingEngine() throws {
    var (record, samples) = try SyntheticRecord.make(repetitions: 2)
    for index in record.cells.indices where record.cells[index].key.engine == "native" {
      record.cells[index].status = .unavailable(reason: "left out")
      record.cells[index].repetitions = []
    }
    samples.removeAll { $0.key.engine == "native" }
    let result = ScenarioAnalysis(record: record, samples: samples)
    #expect(result.choices.map(\.engine) == ["lmdb", "sqlite"])
    #expect(
      result.recommendation.text.contains("On lmdb no policy saves enough compared with `never`"))
    #expect(!result.recommendation.text.contains("native"))
  }
}
