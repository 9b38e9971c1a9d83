// The rules by which a policy is chosen, one by one.
import Analysis
import MetricModel
import Objective
import Policies
import PredicateLanguage
import RecordFixtures
import RecordModel
import Testing

@Suite("Recommendation")
struct RecommendationTests {
  private func analysis(
    _ figures: [SmallRecord.Figures], _ objective: Objective? = nil
  ) -> ScenarioAnalysis {
    ScenarioAnalysis(record: SmallRecord.make(figures), samples: [], objective: objective)
  }

  @Test("the policy that costs the least by the objective is recommended, with what it costs")
  func cheapest() throws {
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
    // 20 MB above the files of every-launch for 10 days at 3, and 10 MB below them with 0.02 for rewriting.
    #expect(
      result.recommendation.text.contains(
        "; by the objective it costs -0.28 points, compared with 0.6 under `never`."))
    // Where writing a gigabyte costs 100 points, 20 MB outweigh what they save.
    let dear = analysis(
      [
        .init(policy: .never, size: 40_000_000),
        .init(policy: .automatic, size: 10_000_000, rewritten: 20_000_000),
        .init(policy: .everyLaunch, size: 20_000_000, rewritten: 5_000_000),
      ], Objective(try Prices(space: 3, rewritten: 100)))
    #expect(dear.recommendation.headline == "On this workload, compact at every launch.")
    #expect(
      dear.recommendation.context.contains(
        "Objective: 3 per GB·day above a freshly compacted file, 100 per GB rewritten."))
    #expect(
      dear.recommendation.context.contains(
        "With other prices of work, the cheapest would be: `automatic` on native at 0.1 times"
          + " and `never` on native at 10 times."
      ))
  }

  @Test("without every-launch live data stand in, and the choice is the same")
  func reference() {
    let without = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 20_000_000),
    ])
    #expect(without.recommendation.headline == "On this workload, compact automatically.")
    // 9 MB and 39 MB above the live data for 10 days at 3.
    #expect(
      without.recommendation.text.contains(
        "; by the objective it costs 0.29 points, compared with 1.17 under `never`."))
    #expect(
      without.recommendation.text.contains(
        "without `every-launch`, on native live data stand in for a freshly compacted file."))
  }

  @Test("a record without how long its runs were has no recommendation")
  func withoutTime() {
    var record = SmallRecord.make([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 20_000_000),
    ])
    for cell in record.cells.indices {
      for run in record.cells[cell].repetitions.indices {
        record.cells[cell].repetitions[run].exact.area = nil
      }
    }
    let headline = ScenarioAnalysis(record: record, samples: []).recommendation.headline
    #expect(
      headline
        == "No recommendation: on native the record does not have how long its runs were; run it again."
    )
  }

  @Test("limits of the objective come before its prices, for never too")
  func limits() {
    let figures: [SmallRecord.Figures] = [
      .init(policy: .never, size: 20_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 900_000_000, peakDisk: 20_000_000),
      .init(policy: .everyLaunch, size: 15_000_000, rewritten: 5_000_000, launch: 900_000_000),
    ]
    var objective = Objective()
    // The high-water mark is twice the size here.
    objective.limits.maxSize = ByteCount(25_000_000)
    let small = analysis(figures, objective)
    #expect(small.recommendation.headline == "On this workload, compact automatically.")
    #expect(
      small.recommendation.text.contains(
        "Excluded: `never`, because it exceeds a limit: size 40.0 MB, at most 25.0 MB."))
    #expect(small.recommendation.text.contains("points, while `never` exceeds a limit."))
    objective.limits.maxSize = ByteCount(1_000_000)
    #expect(
      analysis(figures, objective).recommendation.headline
        == "No recommendation: on native every policy exceeds a limit of the objective.")
    objective.limits.maxSize = nil
    objective.limits.maxLaunch = 500_000_000
    #expect(
      analysis(figures, objective).recommendation.text.contains(
        "Excluded: `every-launch`, because it exceeds a limit: launch 923 ms, at most 500 ms."))
    objective.limits.maxLaunch = nil
    objective.limits.maxDisk = ByteCount(30_000_000)
    #expect(
      analysis(figures, objective).recommendation.headline
        == "No recommendation: on native `never`, with which policies are compared, has no price: its peak of disk use,"
        + " which max-disk limits, was not measured.")
  }

  @Test("time blocked at launch is priced beyond that of never")
  func blocked() throws {
    let figures: [SmallRecord.Figures] = [
      .init(policy: .never, size: 40_000_000, launch: 600_000_000),
      .init(policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000, launch: 900_000_000),
    ]
    let objective = Objective(try Prices(space: 3, rewritten: 1, blocked: 1))
    // 0.005 points for rewriting, and one for each second beyond never's: (900 − 600) × 1.03 ms in the median of the second,
    // fourth and sixth run.
    #expect(
      analysis(figures, objective).recommendation.text.contains(
        "; by the objective it costs 0.314 points, compared with 0.9 under `never`."))
    #expect(
      analysis(figures, Objective(try Prices(space: 3, rewritten: 1, blocked: 4)))
        .recommendation.headline == "On this workload, do not compact.")
  }

  @Test("a policy is chosen by the times of every second run, and its cost is that of the others")
  func splitTimes() throws {
    let (fast, slow) = (100_000_000, 1_500_000_000)
    let figures: [SmallRecord.Figures] = [
      .init(policy: .never, size: 40_000_000, launches: Array(repeating: fast, count: 6)),
      .init(
        policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000,
        launches: [fast, slow, fast, slow, fast, slow]),
    ]
    let text = analysis(figures, Objective(try Prices(space: 3, rewritten: 1, blocked: 1)))
      .recommendation.text
    #expect(text.hasPrefix("On this workload, compact at every launch."))
    #expect(
      text.contains("by the objective it costs 1.405 points, compared with 0.9 under `never`."))
  }

  @Test("never is recommended if the best policy costs less by at most 5 % or 1 MiB over the run")
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

  @Test("among costs that count as equal the simplest policy is named, and no more decides")
  func ties() throws {
    let equal = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 20_000_000),
      .init(policy: .everyLaunch, size: 10_400_000, rewritten: 5_000_000),
    ])
    #expect(equal.recommendation.headline == "On this workload, compact automatically.")
    let cheaper = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: 80_000_000),
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

  @Test("a policy whose rewritten bytes are not known has no price, unless they cost nothing")
  func untold() throws {
    let figures: [SmallRecord.Figures] = [
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 10_000_000, rewritten: nil),
      .init(policy: .everyLaunch, size: 10_400_000, rewritten: 5_000_000),
    ]
    let told = analysis(figures)
    #expect(told.recommendation.headline == "On this workload, compact at every launch.")
    #expect(
      told.recommendation.text.contains(
        "Excluded: `automatic`, because the objective prices rewritten bytes, and the engine does not report those of"
          + " its automatic compaction."))
    let untold = analysis(Array(figures.prefix(2)))
    #expect(
      untold.recommendation.headline.hasPrefix(
        "No recommendation: on native no policy but `never` has a price"))
    #expect(untold.comparisons.map(\.extraRewritten) == [nil])
    let free = analysis(Array(figures.prefix(2)), Objective(try Prices(space: 3, rewritten: 0)))
    #expect(free.recommendation.headline == "On this workload, compact automatically.")
    #expect(free.recommendation.text.contains("an unreported number of rewritten bytes"))
  }

  @Test("a policy with too long a launch is excluded, and much rewriting has its price")
  func excluded() {
    let result = analysis([
      .init(policy: .never, size: 40_000_000),
      .init(policy: .automatic, size: 5_000_000, rewritten: 600_000_000),
      .init(policy: .everyLaunch, size: 10_000_000, rewritten: 5_000_000),
    ])
    #expect(result.recommendation.headline == "On this workload, compact at every launch.")
    #expect(!result.recommendation.text.contains("Excluded"))
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

  @Test("a launch that was to compact and had no space is skipped, and its policy has triggered")
  func skipped() {
    func sentences(_ outcomes: [(CompactionEvent.Outcome, String)]) -> [String] {
      var record = SmallRecord.make([
        .init(policy: .never, size: 40_000_000), .init(policy: .everyLaunch, size: 40_000_000),
      ])
      let events = outcomes.enumerated().map { index, outcome in
        // The policy is not asked at the first launch, which has no bytes.
        let size = ByteCount(index == 0 ? 0 : 40_000_000)
        return RunEvent(
          launch: index + 1, phase: "open", commit: index, time: .zero,
          event: CompactionEvent(
            kind: .onLaunch, outcome: outcome.0, reason: outcome.1, before: size, after: size,
            rewritten: .zero))
      }
      for index in record.cells[1].repetitions.indices {
        record.cells[1].repetitions[index].events = events
      }
      return ScenarioAnalysis(record: record, samples: []).recommendation.choice
    }
    #expect(
      sentences([
        (.skipped, "new database"), (.skipped, "no space for 2"), (.skipped, "no space for 3"),
      ]) == [
        "Compactions of `every-launch` were skipped on native at 2 launches (the last: no space for 3)."
      ])
    #expect(
      sentences([(.skipped, "new database"), (.declined, "20 MB <= 50 MB")]) == [
        "`every-launch` never triggered on native (at the last launch: 20 MB <= 50 MB)."
      ])
    #expect(
      sentences([(.skipped, "new database")]) == [
        "`every-launch` never triggered on native (at the last launch: new database)."
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
      result.recommendation.text.contains("On lmdb no policy costs clearly less than `never`"))
    #expect(!result.recommendation.text.contains("native"))
  }
}
