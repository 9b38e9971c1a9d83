// What policies came to on held-out seeds, beside each seed's optimum.
import MetricModel
package import Objective
package import RecordModel

extension TuningRun {
  /// Returns what each policy of the cell came to.
  package func heldOut(_ objective: Objective) throws(TuningError) -> [HeldOutRun] {
    let found = try TuningSearch.optimum(self, objective)
    let priced = cell.runs.filter { $0.purpose == .policy }.compactMap { run in
      found.matrix.priced(run.launches).map { PricedRun(run: run, figures: $0) }
    }
    let optimum = Self.minCost(found.cost, priced, objective)
    var otherOptima: [Cost] = []
    for factor in Objective.otherFactors {
      let other = objective.scalingWork(by: factor)
      otherOptima.append(
        Self.minCost(try TuningSearch.optimum(self, other).cost, priced, other))
    }
    return priced.map { item in
      var result = HeldOutRun(
        workload: workload, seed: seed, policy: item.run.policy, figures: item.figures,
        cost: objective.cost(of: item.figures), optimum: optimum,
        compactions: item.run.schedule?.count ?? 0,
        exceeded: objective.exceeded(by: item.figures))
      result.otherOptima = otherOptima
      result.hasTimes = found.matrix.hasTimes ? true : nil
      return result
    }
  }

  private struct PricedRun {
    let run: ScheduleRun
    let figures: PricedFigures
  }

  /// A prediction that is off by some bytes must not make an optimum that a run undercuts.
  private static func minCost(
    _ predicted: Cost, _ runs: [PricedRun], _ objective: Objective
  ) -> Cost {
    let feasible = runs.filter { !$0.run.isAutomatic && objective.exceeded(by: $0.figures).isEmpty }
    return min(predicted, feasible.map { objective.cost(of: $0.figures) }.min() ?? predicted)
  }
}
