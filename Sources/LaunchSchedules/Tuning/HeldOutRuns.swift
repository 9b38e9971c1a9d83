// What policies came to on held-out seeds, beside each seed's optimum.
import MetricModel
package import Objective
package import RecordModel

extension TuningRun {
  /// Returns what each policy of the cell came to.
  package func heldOut(_ objective: Objective) throws(TuningError) -> [HeldOutRun] {
    let found = try TuningSearch.optimum(self, objective)
    let policies = cell.runs.filter { $0.purpose == .policy }
    let priced = policies.compactMap { run in
      found.matrix.priced(run.launches).map { (run, $0, objective.cost(of: $0)) }
    }
    // A prediction that is off by some bytes must not make an optimum that a run undercuts.
    let feasible = priced.filter { objective.exceeded(by: $0.1).isEmpty && !$0.0.isAutomatic }
    let optimum = min(found.cost, feasible.map(\.2).min() ?? found.cost)
    return priced.map { run, figures, cost in
      HeldOutRun(
        workload: workload, seed: seed, policy: run.policy, figures: figures, cost: cost,
        optimum: optimum, compactions: run.schedule?.count ?? 0,
        exceeded: objective.exceeded(by: figures))
    }
  }
}
