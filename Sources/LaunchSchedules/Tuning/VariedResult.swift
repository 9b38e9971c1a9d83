// The robustness of a rule: its regret at points where the scenarios' amounts of data and work are varied.
import Objective
package import RecordModel
import Statistics

/// What a policy came to over all points and workloads.
package struct VariedResult: Sendable {
  package let policy: String
  /// Of (cost − optimum) ÷ optimum.
  package let median: Double
  /// The 95th percentile, interpolated between the two nearest.
  package let percentile: Double
  package let worst: Double
  /// The run with the worst regret.
  package let worstRun: VariedRun
  /// The number of points that regret is known at; those where the optimum costs nothing have none.
  package let count: Int
  /// The number of runs in which a limit was exceeded.
  package let violations: Int

  /// nil without a point at which regret is known.
  init?(_ policy: String, _ runs: [VariedRun]) {
    let known = runs.compactMap { run in run.cost.excess(over: run.optimum).map { (run, $0) } }
    let regrets = known.map(\.1)
    guard let worst = known.max(by: { $0.1 < $1.1 }),
      let median = Quantiles.median(regrets),
      let percentile = Quantiles.quantile(0.95, of: regrets)
    else { return nil }
    self.policy = policy
    self.median = median
    self.percentile = percentile
    (worstRun, self.worst) = worst
    count = known.count
    violations = runs.count { !$0.exceeded.isEmpty }
  }

  /// The results of all policies, in the order of the first runs.
  package static func all(_ varied: VariedRuns) -> [VariedResult] {
    var order: [String] = []
    for run in varied.runs where !order.contains(run.policy) { order.append(run.policy) }
    return order.compactMap { policy in
      VariedResult(policy, varied.runs.filter { $0.policy == policy })
    }
  }
}

extension VariedKeys {
  /// The values at a point, as `--set` takes them.
  package func settings(at point: Int) -> [String] {
    zip(keys, points[point]).map { "\($0)=\($1)" }
  }
}
