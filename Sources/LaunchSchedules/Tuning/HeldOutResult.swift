// What a policy came to on all held-out seeds of an engine.
package import MetricModel
package import Objective
import RecordModel
package import Statistics

/// A policy on the held-out seeds.
package struct HeldOutResult: Sendable {
  package let policy: String
  /// The other policies that came to the same in every run.
  package let others: [String]
  /// The mean over workloads, by their weights, of the cost above the optimum as a share of it, each summed over seeds; nil
  /// where a workload's optimum costs nothing.
  package let regret: Double?
  /// The same at the prices of work times `Objective.otherFactors`.
  package let otherRegrets: [Double?]
  /// nil with fewer seeds than `EngineTuning.minSeeds`.
  package let interval: Interval?
  /// How much more regret than the shipped rule, paired by seed; nil for that itself, and with few seeds.
  package let aboveShipped: Interval?
  /// The regret on the worst mixture of workloads within the record's divergence of its weights, and on the worst workload; nil
  /// with one workload, or without regret.
  package let robustness: (mixture: Double, worst: Double)?
  /// The mean cost of a run.
  package let cost: Cost
  /// The mean bytes above a freshly compacted file.
  package let excess: ByteCount
  /// Per run, in the mean.
  package let rewritten: ByteCount
  /// The nanoseconds for which compactions hold up launches in a run, in the mean; nil where they are not predicted.
  package let blocked: Double?
  package let compactions: Double
  package let highWater: ByteCount
  /// The number of runs in which a limit was exceeded, and one such limit.
  package let violations: Int
  package let exceeded: String?
  /// The probability that another policy is at least as good on every axis of the Pareto front, and better on one.
  package let dominated: Double?

  /// All policies that came to this.
  package var names: [String] { [policy] + others }

  /// For sorting: by regret, or by cost where there is none.
  var meanRegret: Double { regret ?? cost.points }

  init(
    _ table: PolicyTable, like same: [PolicyTable], beside shipped: PolicyTable?,
    _ context: TuneContext, dominated: Double?
  ) {
    policy = table.name
    others = same.map(\.name).filter { $0 != table.name }
    let (all, draws) = (context.allSeeds, context.draws)
    regret = table.regret(all)
    otherRegrets = Objective.otherFactors.indices.map {
      table.regret(all, PolicyTable.otherPrices($0, context.objective))
    }
    let hasRegret = regret != nil
    interval =
      hasRegret
      ? draws.map { PairedResamples.interval(of: $0.values { table.regret($0) ?? 0 }) } : nil
    robustness = Self.robustness(table, context)
    let isOther = shipped.map { $0.name != table.name } ?? false
    aboveShipped =
      hasRegret && isOther
      ? draws.map { draws in
        PairedResamples.interval(
          of: draws.values { (table.regret($0) ?? 0) - (shipped?.regret($0) ?? 0) })
      } : nil
    let runs = table.rows.joined()
    let count = Double(max(1, runs.count))
    cost = Cost(
      units: runs.reduce(0) { $0 + $1.cost.units } / Int128(max(1, runs.count)))
    excess = ByteCount(Int(table.meanExcess(all).rounded()))
    rewritten = ByteCount(Int(table.meanRewritten(all).rounded()))
    blocked = table.hasTimes ? table.meanBlocked(all) : nil
    compactions = Double(runs.reduce(0) { $0 + $1.compactions }) / count
    highWater = runs.map(\.figures.highWater).max() ?? .zero
    violations = runs.count { !$0.exceeded.isEmpty }
    exceeded = runs.lazy.flatMap(\.exceeded).first
    self.dominated = dominated
  }

  private static func robustness(
    _ table: PolicyTable, _ context: TuneContext
  ) -> (mixture: Double, worst: Double)? {
    guard let regrets = table.regrets(context.allSeeds), let worst = regrets.max(),
      regrets.count > 1
    else { return nil }
    let mixture = WorstMixture.mean(
      of: regrets, weights: table.weights.filter { $0 > 0 },
      within: context.mixture.maxDivergence ?? .infinity)
    return (mixture, worst)
  }
}

/// What all results of an engine share.
struct TuneContext {
  let objective: Objective
  let mixture: WorkloadMixture
  let seedCount: Int
  /// nil with fewer seeds than `EngineTuning.minSeeds`.
  let draws: PairedResamples?

  var allSeeds: [Int] { Array(0..<seedCount) }
}
