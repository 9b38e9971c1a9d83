// The analysis of what `tune` measured on held-out seeds: regret with its interval, what to ship, and which policies others
// dominate.
package import MetricModel
package import Objective
package import RecordModel
package import Statistics

package struct TuneAnalysis: Sendable {
  package let record: TuneRecord
  package let engines: [EngineTuning]

  package init(_ record: TuneRecord) {
    self.record = record
    let seed = record.scenarios.first?.seed ?? 1
    engines = record.engines.map { EngineTuning($0, seed: seed) }
  }
}

/// The results for an engine.
package struct EngineTuning: Sendable {
  /// Returns what a policy came to on the held-out seeds.
  package func result(of policy: String) -> HeldOutResult? {
    policies.first { $0.names.contains(policy) }
  }

  package let engine: TunedEngine
  /// What to ship: of the families over what closures get, the best on the training seeds. nil where there is no result.
  package let shipped: TunedFamily?
  /// The best of the families with memory.
  package let withMemory: TunedFamily?
  /// The cheapest first. Policies that came to the same in every run are one result.
  package let policies: [HeldOutResult]
  /// The shipped rule and the scenarios' own policies where amounts are varied; empty where they were not.
  package let varied: [VariedResult]

  /// With fewer seeds a percentile interval of resamples says nothing.
  package static let minSeeds = 5

  init(_ engine: TunedEngine, seed: UInt64) {
    self.engine = engine
    let shipped = engine.families.first { !$0.hasMemory }
    self.shipped = shipped
    withMemory = engine.families.first { $0.hasMemory }
    varied = engine.robustness.map(VariedResult.all) ?? []
    // What is shipped comes first among those that decide alike.
    let names = engine.runs.reduce(into: [shipped?.policy].compactMap { $0 }) { names, run in
      if !names.contains(run.policy) { names.append(run.policy) }
    }
    let seeds = engine.heldOutSeeds
    let tables = names.map { PolicyTable($0, engine) }.filter { $0.isComplete }
    let draws =
      seeds.count >= Self.minSeeds ? PairedResamples(of: seeds.count, seed: seed) : nil
    let dominated = draws.map { Self.dominated(tables, $0) }
    let base = shipped.flatMap { shipped in tables.first { $0.name == shipped.policy } }
    policies = tables.enumerated().filter { $1.isFirst(in: tables) }.map { index, table in
      HeldOutResult(
        table, like: tables.filter { $0.rows.map(\.figures) == table.rows.map(\.figures) },
        beside: base, draws, dominated: dominated?[index], seedCount: seeds.count)
    }.sorted { ($0.violations, $0.meanRegret) < ($1.violations, $1.meanRegret) }
  }

  /// Returns for each policy the share of resamples in which another one holds no more bytes over time, and writes no more
  /// again, and less of one.
  private static func dominated(_ tables: [PolicyTable], _ draws: PairedResamples) -> [Double] {
    let spaces = tables.map { table in draws.values { table.meanExcess($0) } }
    let rewrites = tables.map { table in draws.values { table.meanRewritten($0) } }
    return tables.indices.map { own in
      let count = spaces[own].indices.count { draw in
        tables.indices.contains { other in
          let (space, ownSpace) = (spaces[other][draw], spaces[own][draw])
          let (rewritten, ownRewritten) = (rewrites[other][draw], rewrites[own][draw])
          return space <= ownSpace && rewritten <= ownRewritten
            && (space < ownSpace || rewritten < ownRewritten)
        }
      }
      return Double(count) / Double(max(1, spaces[own].count))
    }
  }
}

/// A policy on the held-out seeds.
package struct HeldOutResult: Sendable {
  package let policy: String
  /// The other policies that came to the same in every run.
  package let others: [String]
  /// The mean over workloads of the cost above the optimum as a share of it, each summed over seeds; nil where a workload's
  /// optimum costs nothing.
  package let regret: Double?
  /// nil with fewer seeds than `EngineTuning.minSeeds`.
  package let interval: Interval?
  /// How much more regret than the shipped rule, paired by seed; nil for that itself, and with few seeds.
  package let aboveShipped: Interval?
  /// The regret on the worst mixture of workloads within `divergence` of equal weights, and on the worst workload; nil with one
  /// workload, or without regret.
  package let robustness: (mixture: Double, worst: Double)?
  /// In nats.
  package static let divergence = 0.1
  /// The mean cost of a run.
  package let cost: Cost
  /// The mean bytes above a freshly compacted file.
  package let excess: ByteCount
  /// Per run, in the mean.
  package let rewritten: ByteCount
  package let compactions: Double
  package let highWater: ByteCount
  /// The number of runs in which a limit was exceeded, and one such limit.
  package let violations: Int
  package let exceeded: String?
  /// The probability that another policy is at least as good in space and in rewriting, and better in one.
  package let dominated: Double?

  /// All policies that came to this.
  package var names: [String] { [policy] + others }

  /// For sorting: by regret, or by cost where there is none.
  var meanRegret: Double { regret ?? cost.points }

  fileprivate init(
    _ table: PolicyTable, like same: [PolicyTable], beside shipped: PolicyTable?,
    _ draws: PairedResamples?, dominated: Double?, seedCount: Int
  ) {
    policy = table.name
    others = same.map(\.name).filter { $0 != table.name }
    let all = Array(0..<seedCount)
    regret = table.regret(all)
    let hasRegret = regret != nil
    interval =
      hasRegret
      ? draws.map { PairedResamples.interval(of: $0.values { table.regret($0) ?? 0 }) } : nil
    robustness = table.regrets(all).flatMap { regrets in
      guard regrets.count > 1 else { return nil }
      let mixture = WorstMixture.mean(
        of: regrets, weights: regrets.map { _ in 1 }, within: Self.divergence)
      return (mixture, regrets.max() ?? mixture)
    }
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
    compactions = Double(runs.reduce(0) { $0 + $1.compactions }) / count
    highWater = runs.map(\.figures.highWater).max() ?? .zero
    violations = runs.count { !$0.exceeded.isEmpty }
    exceeded = runs.lazy.flatMap(\.exceeded).first
    self.dominated = dominated
  }
}

/// The runs of a policy by workload and seed.
private struct PolicyTable {
  let name: String
  /// By workload, then in the order of the seeds.
  let rows: [[HeldOutRun]]
  let isComplete: Bool

  init(_ name: String, _ engine: TunedEngine) {
    self.name = name
    let own = engine.runs.filter { $0.policy == name }
    rows = engine.workloads.indices.map { workload in
      engine.heldOutSeeds.compactMap { seed in
        own.first { $0.workload == workload && $0.seed == seed }
      }
    }
    isComplete = rows.allSatisfy { $0.count == engine.heldOutSeeds.count }
  }

  /// Whether no policy before it came to the same in every run.
  func isFirst(in tables: [PolicyTable]) -> Bool {
    tables.first { $0.rows.map(\.figures) == rows.map(\.figures) }?.name == name
  }

  func regret(_ draw: [Int]) -> Double? {
    regrets(draw).map { $0.reduce(0, +) / Double(max(1, $0.count)) }
  }

  /// Returns the regret of each workload; nil where an optimum costs nothing.
  func regrets(_ draw: [Int]) -> [Double]? {
    var regrets: [Double] = []
    for runs in rows {
      let optimum = draw.reduce(0.0) { $0 + Double(runs[$1].optimum.units) }
      guard optimum > 0 else { return nil }
      let cost = draw.reduce(0.0) { $0 + Double(runs[$1].cost.units) }
      regrets.append((cost - optimum) / optimum)
    }
    return regrets
  }

  func meanExcess(_ draw: [Int]) -> Double {
    mean(draw) { run in
      let time = Double(run.figures.time.microseconds)
      return time > 0 ? Double(run.figures.excess.byteMicroseconds) / time : 0
    }
  }

  func meanRewritten(_ draw: [Int]) -> Double { mean(draw) { Double($0.figures.rewritten.bytes) } }

  private func mean(_ draw: [Int], _ value: (HeldOutRun) -> Double) -> Double {
    let sum = rows.reduce(0.0) { sum, runs in draw.reduce(sum) { $0 + value(runs[$1]) } }
    return sum / Double(max(1, rows.count * draw.count))
  }
}

extension [HeldOutRun] {
  fileprivate var figures: [PricedFigures] { map(\.figures) }
}
