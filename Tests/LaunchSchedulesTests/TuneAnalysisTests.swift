// What `tune` makes of held-out runs, on records made by hand.
import Foundation
import LaunchSchedules
import MetricModel
import Objective
import RecordFixtures
import RecordModel
import Testing

@Suite("The analysis of a tune record")
struct TuneAnalysisTests {
  private typealias Outcome = TuneFixture.Outcome

  private static func tuning(
    _ engine: TunedEngine, _ mixture: WorkloadMixture = WorkloadMixture()
  ) -> EngineTuning {
    TuneAnalysis(TuneFixture.record(engine, mixture)).engines[0]
  }

  private static func dominated(_ tuning: EngineTuning, _ policy: String) throws -> Double {
    try #require(tuning.result(of: policy)?.dominated)
  }

  /// Regret 10 % in one scenario, 50 % in the other.
  private static let mixed = TuneFixture.engine(
    [
      Outcome("a", workload: 0, cost: 110), Outcome("a", workload: 1, cost: 150),
    ], workloads: ["one", "two"])

  @Test("the worst mixture is of those within the divergence of the weights")
  func mixture() throws {
    // Of mixtures (1 − q, q) the divergence of equal weights is q ln 2q + (1 − q) ln 2(1 − q).
    func worst(_ divergence: Double, of weight: Double) -> Double {
      func reached(_ q: Double) -> Double {
        q * log(q / weight) + (q < 1 ? (1 - q) * log((1 - q) / (1 - weight)) : 0)
      }
      var (low, high) = (weight, 1.0)
      guard reached(1) > divergence else { return 0.5 }
      for _ in 0..<100 {
        let middle = (low + high) / 2
        if reached(middle) < divergence { low = middle } else { high = middle }
      }
      return 0.1 * (1 - low) + 0.5 * low
    }
    for (mixture, mean, regret) in [
      (WorkloadMixture(), 0.3, worst(0.1, of: 0.5)),
      (WorkloadMixture(maxDivergence: 0), 0.3, 0.3),
      (WorkloadMixture(maxDivergence: 0.02), 0.3, worst(0.02, of: 0.5)),
      (WorkloadMixture(maxDivergence: 5), 0.3, 0.5),
      (WorkloadMixture(maxDivergence: nil), 0.3, 0.5),
      (WorkloadMixture(weights: ["one": 3]), 0.2, worst(0.1, of: 0.25)),
      (WorkloadMixture(maxDivergence: nil, weights: ["one": 3]), 0.2, 0.5),
    ] {
      let result = try #require(Self.tuning(Self.mixed, mixture).result(of: "a"))
      #expect(abs(try #require(result.regret) - mean) < 1e-12, "\(mixture)")
      let robustness = try #require(result.robustness)
      #expect(abs(robustness.mixture - regret) < 1e-9, "\(mixture)")
      #expect(robustness.worst == 0.5)
    }
    // About 0.72 of the mixture is then of the second scenario.
    #expect(abs(worst(0.1, of: 0.5) - 0.3879) < 1e-4)
  }

  @Test("a scenario of weight zero is left out of regret and of mixtures")
  func zeroWeight() throws {
    let result = try #require(
      Self.tuning(Self.mixed, WorkloadMixture(weights: ["two": 0])).result(of: "a"))
    #expect(abs(try #require(result.regret) - 0.1) < 1e-12)
    #expect(result.robustness == nil)
  }

  @Test("a policy is dominated in the resamples in which another one is as good and better")
  func dominated() throws {
    // The second one holds less but for the last seed, where it holds more than all others together make up for.
    let tuning = Self.tuning(
      TuneFixture.engine([
        Outcome("a", excess: [2, 2, 2, 2, 2]),
        Outcome("b", excess: [1, 1, 1, 1, 90]),
        Outcome("c", excess: [0, 0, 0, 0, 0], rewritten: [1, 1, 1, 1, 1]),
      ]))
    // The last seed is in none of five draws with (4/5)⁵ = 0.328; 10,000 resamples are within 0.02 of it.
    #expect(abs(try Self.dominated(tuning, "a") - 0.32768) < 0.02)
    #expect(abs(try Self.dominated(tuning, "b") - (1 - 0.32768)) < 0.02)
    // It writes again, and has the least space.
    #expect(try Self.dominated(tuning, "c") == 0)
  }

  @Test(
    "a policy that blocks less is not dominated where times are known", arguments: [true, false])
  func blocked(isTimed: Bool) throws {
    let tuning = Self.tuning(
      TuneFixture.engine(
        [
          Outcome(
            "a", excess: [1, 1, 1, 1, 1], rewritten: [4, 4, 4, 4, 4],
            blocked: [9, 9, 9, 9, 9]),
          Outcome(
            "b", excess: [2, 2, 2, 2, 2], rewritten: [5, 5, 5, 5, 5],
            blocked: [8, 8, 8, 8, 8]),
          Outcome(
            "c", excess: [2, 2, 2, 2, 2], rewritten: [6, 6, 6, 6, 6],
            blocked: [8, 8, 8, 8, 8]),
        ], isTimed: isTimed))
    #expect(tuning.hasTimes == isTimed)
    #expect(try Self.dominated(tuning, "a") == 0)
    #expect(try Self.dominated(tuning, "b") == (isTimed ? 0 : 1))
    #expect(try Self.dominated(tuning, "c") == 1)
    #expect(tuning.result(of: "b")?.blocked == (isTimed ? 8_000_000 : nil))
  }

  @Test("policies that are equal do not dominate each other, and are one result")
  func equal() throws {
    let tuning = Self.tuning(
      TuneFixture.engine([
        Outcome("a", excess: [1, 2, 3, 4, 5]),
        Outcome("b", excess: [1, 2, 3, 4, 5]),
      ]))
    #expect(tuning.policies.map(\.names) == [["a", "b"]])
    #expect(try Self.dominated(tuning, "a") == 0)
  }

  @Test("a policy without figures in some runs is named, and in no table")
  func incomplete() throws {
    var engine = TuneFixture.engine([Outcome("a"), Outcome("b", cost: 120)])
    engine.runs.removeAll { $0.policy == "b" && $0.seed == 3 }
    let tuning = Self.tuning(engine)
    #expect(tuning.policies.map(\.policy) == ["a"])
    let incomplete = try #require(tuning.incomplete.first)
    #expect(tuning.incomplete.count == 1)
    #expect((incomplete.policy, incomplete.runs, incomplete.allRuns) == ("b", 4, 5))
  }

  @Test("regret at other prices of work is that of the same runs beside the optima at those prices")
  func otherPrices() throws {
    let objective = try Objective(Prices(space: 1, rewritten: 2))
    var engine = TuneFixture.engine([Outcome("a")])
    for index in engine.runs.indices {
      engine.runs[index].figures.excess = ByteTime(
        ByteCount(1_000_000), for: VirtualTime(seconds: 86_400))
      engine.runs[index].figures.rewritten = ByteCount(3_000_000)
      // A megabyte for a day costs a thousandth of a point, and three megabytes six of them: at a tenth of the price 1.6 and at
      // ten times 61 thousandths, of which the optima cost a half and 1 ÷ 61.
      let costs = [0.1, 10].map { factor in
        objective.scalingWork(by: factor).cost(of: engine.runs[index].figures)
      }
      engine.runs[index].otherOptima = [
        Cost(units: costs[0].units / 2), Cost(units: costs[1].units / 61),
      ]
    }
    let record = TuneFixture.record(engine, objective: objective)
    let result = try #require(TuneAnalysis(record).engines[0].result(of: "a"))
    let regrets = try result.otherRegrets.map { try #require($0) }
    #expect(abs(regrets[0] - 1) < 1e-9 && abs(regrets[1] - 60) < 1e-6, "\(regrets)")
    // A record without such optima has no such regret.
    #expect(Self.tuning(Self.mixed).result(of: "a")?.otherRegrets == [nil, nil])
  }
}
