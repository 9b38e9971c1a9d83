// The held-out runs of a policy, and what they come to in a resample of the seeds.
import Objective
import RecordModel

/// The runs of a policy by workload and seed.
struct PolicyTable {
  let name: String
  /// By workload, then in the order of the seeds.
  let rows: [[HeldOutRun]]
  /// What each workload counts.
  let weights: [Double]
  let isComplete: Bool
  /// Whether the times of compactions at launches are known.
  let hasTimes: Bool

  init(_ name: String, _ engine: TunedEngine, _ weights: [Double]) {
    self.name = name
    self.weights = weights
    let own = engine.runs.filter { $0.policy == name }
    rows = engine.workloads.indices.map { workload in
      engine.heldOutSeeds.compactMap { seed in
        own.first { $0.workload == workload && $0.seed == seed }
      }
    }
    isComplete = rows.allSatisfy { $0.count == engine.heldOutSeeds.count }
    hasTimes = !own.isEmpty && own.allSatisfy { $0.hasTimes == true }
  }

  var runCount: Int { rows.reduce(0) { $0 + $1.count } }

  /// Whether the policy came to the same in every run.
  func equals(_ other: PolicyTable) -> Bool { figures == other.figures }

  private var figures: [[PricedFigures]] { rows.map { $0.map(\.figures) } }

  /// A run's cost and that of the cheapest schedule; nil where the record has none at these prices.
  typealias Pricing = (_ run: HeldOutRun) -> (cost: Cost, optimum: Cost)?

  static func usualPrices(_ run: HeldOutRun) -> (cost: Cost, optimum: Cost)? {
    (run.cost, run.optimum)
  }

  /// Returns the prices with those of work times `Objective.otherFactors`, by its index.
  static func otherPrices(_ index: Int, _ objective: Objective) -> Pricing {
    let scaled = objective.scalingWork(by: Objective.otherFactors[index])
    return { run in
      guard let optima = run.otherOptima, index < optima.count else { return nil }
      return (scaled.cost(of: run.figures), optima[index])
    }
  }

  /// Returns the mean over workloads, by their weights.
  func regret(_ draw: [Int], _ pricing: Pricing = usualPrices) -> Double? {
    guard let regrets = regrets(draw, pricing) else { return nil }
    let weights = weights.filter { $0 > 0 }
    guard !weights.isEmpty else { return 0 }
    let sum = zip(regrets, weights).reduce(0) { $0 + $1.0 * $1.1 }
    return sum / weights.reduce(0, +)
  }

  /// Returns the regret of each workload that has a weight; nil where an optimum costs nothing.
  func regrets(_ draw: [Int], _ pricing: Pricing = usualPrices) -> [Double]? {
    var regrets: [Double] = []
    for (runs, weight) in zip(rows, weights) where weight > 0 {
      var (cost, optimum) = (0.0, 0.0)
      for index in draw {
        guard let priced = pricing(runs[index]) else { return nil }
        cost += Double(priced.cost.units)
        optimum += Double(priced.optimum.units)
      }
      guard optimum > 0 else { return nil }
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

  func meanBlocked(_ draw: [Int]) -> Double { mean(draw) { Double($0.figures.blocked) } }

  private func mean(_ draw: [Int], _ value: (HeldOutRun) -> Double) -> Double {
    let sum = rows.reduce(0.0) { sum, runs in draw.reduce(sum) { $0 + value(runs[$1]) } }
    return sum / Double(max(1, rows.count * draw.count))
  }
}
