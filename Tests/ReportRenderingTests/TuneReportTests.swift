// What the page, the table and the terminal show of a tune record, on records made by hand.
import LaunchSchedules
import MetricModel
import Objective
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

@Suite("The report of a tune record")
struct TuneReportTests {
  private typealias Outcome = TuneFixture.Outcome

  private static let closure = "on-launch: totalBytes - usedBytes > 3 MB"
  private static let memory = "on-launch: launchesSinceCompaction >= 4"

  /// A rule for closures, one with memory, and a vendor's.
  private static func engine(isTimed: Bool = false) -> TunedEngine {
    var engine = TuneFixture.engine(
      [
        Outcome(closure, excess: [4, 4, 4, 4, 4], blocked: [9, 9, 9, 9, 9], cost: 110),
        Outcome(memory, excess: [5, 5, 5, 5, 5], blocked: [7, 7, 7, 7, 7], cost: 120),
        Outcome("realm-20MB-50", excess: [6, 6, 6, 6, 6], cost: 150),
      ], isTimed: isTimed)
    engine.families = [
      family(.freeBytes, closure, [3_000_000]), family(.everyLaunches, memory, [4]),
    ]
    return engine
  }

  private static func family(
    _ family: PolicyFamily, _ policy: String, _ thresholds: [Int]
  ) -> TunedFamily {
    TunedFamily(
      family: family.rawValue, hasMemory: family.hasMemory, policy: policy,
      thresholds: thresholds, candidates: 10, trainingRegret: 0.1, validatedRegret: 0.1,
      violations: 0)
  }

  private static func page(
    _ engine: TunedEngine, _ mixture: WorkloadMixture = WorkloadMixture()
  ) -> String {
    TuneMarkdown.text(TuneAnalysis(TuneFixture.record(engine, mixture)), folder: "plots")
  }

  /// The text between a heading and the next one.
  private static func section(_ heading: String, _ page: String) throws -> String {
    let parts = page.components(after: "### \(heading)\n")
    return try #require(parts)
  }

  @Test("a rule that compacted in no held-out run means not to compact; one that did is shipped")
  func idleRule() {
    var idle = TuneFixture.engine([Outcome(Self.closure, cost: 110, compactions: 0)])
    idle.families = [Self.family(.freeBytes, Self.closure, [3_000_000])]
    let terminal = TuneText.text(TuneAnalysis(TuneFixture.record(idle)), isBrief: true)
    #expect(terminal.contains("do not compact at launch: the best rule, totalBytes"), "\(terminal)")
    #expect(Self.page(idle).contains("**Do not compact at launch**, regret 10.0 %"))
    #expect(Self.page(Self.engine()).contains("**Ship `totalBytes - usedBytes > 3 MB`**"))
  }

  @Test("rules with memory have tables and code of their own, behind those for closures")
  func sections() throws {
    let page = Self.page(Self.engine())
    let closures = try Self.section("Rules for closures", page)
    let memory = try Self.section("Rules with memory", page)
    #expect(closures.contains("totalBytes - usedBytes > 3 MB") && closures.contains("realm-20MB"))
    #expect(!closures.contains("launchesSinceCompaction"))
    #expect(memory.contains("launchesSinceCompaction >= 4") && !memory.contains("realm-20MB"))
    for language in ["swift", "objc", "kotlin", "java", "javascript"] {
      #expect(memory.contains("```\(language)\n"), "\(language)")
    }
    let terminal = TuneText.text(
      TuneAnalysis(TuneFixture.record(Self.engine())), isBrief: false)
    let parts = terminal.split(separator: "rules with memory")
    #expect(parts.count == 2)
    #expect(parts[0].contains("rules for closures") && parts[1].contains("launchesSince"))
    #expect(!parts[0].contains("launchesSince"))
  }

  @Test("without a calibration the page states that blocking is no axis; with one it has a column")
  func blocking() throws {
    let without = Self.page(Self.engine())
    #expect(without.contains("time blocked at launch is not in it: add `--calibration`"))
    #expect(!without.contains("blocked a run"))
    let with = Self.page(Self.engine(isTimed: true))
    #expect(!with.contains("add `--calibration`"))
    #expect(with.contains("blocked a run") && with.contains("9.00 ms"))
    for (isTimed, cell) in [(false, ",0,,1,"), (true, ",0,9000000,1,")] {
      let table = TuneCSV.text(TuneAnalysis(TuneFixture.record(Self.engine(isTimed: isTimed))))
      let rows = String(decoding: table, as: UTF8.self).split(whereSeparator: \.isNewline)
      #expect(rows[0].contains("rewritten_bytes,blocked_ns,compactions"))
      #expect(rows[1].contains(cell), "\(rows[1])")
    }
  }

  @Test("the mixture is stated as it was chosen")
  func mixture() {
    var engine = TuneFixture.engine(
      [
        Outcome("a", workload: 0, cost: 110), Outcome("a", workload: 1, cost: 150),
      ], workloads: ["one", "two"])
    engine.families = []
    #expect(Self.page(engine).contains("within a Kullback–Leibler divergence of 0.1 of equal ones"))
    let weighted = Self.page(engine, WorkloadMixture(maxDivergence: 0.5, weights: ["two": 3]))
    #expect(weighted.contains("Each arm of a scenario counts 1, but: two 3.00."))
    #expect(weighted.contains("divergence of 0.5 of these"))
    let worst = Self.page(engine, WorkloadMixture(maxDivergence: nil))
    #expect(worst.contains("The worst mixture is the worst workload alone."))
  }

  @Test("at other prices of work the shipped rule and vendors' rules have their regret in a fold")
  func otherPrices() throws {
    var engine = Self.engine()
    #expect(!Self.page(engine).contains("At other prices of work"))
    for index in engine.runs.indices {
      let objective = Objective()
      engine.runs[index].otherOptima = Objective.otherFactors.map { factor in
        let cost = objective.scalingWork(by: factor).cost(of: engine.runs[index].figures)
        return Cost(units: cost.units / 2)
      }
    }
    let page = Self.page(engine)
    let fold = try #require(page.components(after: "At other prices of work"))
    #expect(fold.contains("| realm-20MB-50") || fold.contains("`realm-20MB-50`"))
    #expect(fold.contains("100 %"))
    let table = fold.prefix(while: { $0 != "<" })
    #expect(!table.contains("launchesSinceCompaction"))
  }

  @Test("a policy without figures in some runs is named on the page and in the terminal")
  func incomplete() {
    var engine = Self.engine()
    engine.runs.removeAll { $0.policy == "realm-20MB-50" && $0.seed == 2 }
    let words = "which has figures in 4 of 5 runs"
    #expect(Self.page(engine).contains("Left out: `realm-20MB-50`, \(words)."))
    let terminal = TuneText.text(TuneAnalysis(TuneFixture.record(engine)), isBrief: true)
    #expect(terminal.contains("left out: realm-20MB-50 has figures in 4 of 5 runs"))
  }

  @Test("the picture has the time blocked beside the name, where it is known")
  func picture() throws {
    let timed = try #require(
      TunePicture.all(TuneAnalysis(TuneFixture.record(Self.engine(isTimed: true)))).first)
    #expect(timed.svg.contains("3 MB · 9.00 ms"), "\(timed.svg)")
    let untimed = try #require(
      TunePicture.all(TuneAnalysis(TuneFixture.record(Self.engine()))).first)
    #expect(!untimed.svg.contains(" ms"))
  }
}

extension String {
  /// Returns what is between the first occurrence of a text and the next heading; nil without one.
  fileprivate func components(after text: String) -> String? {
    guard let begin = ranges(of: text).first?.upperBound else { return nil }
    let rest = self[begin...]
    return String(rest[..<(rest.ranges(of: "\n#").first?.lowerBound ?? rest.endIndex)])
  }
}
