// Policies in the order of what they cost.
import MetricModel
import Objective
import Policies

/// A policy that meets the limits, and what it came to.
struct PricedPolicy: Sendable {
  let policy: Policy
  let cell: CellAnalysis
  let figures: PricedFigures
}

/// The policy that costs the least by an objective. Of those that cost no more than the least and a tolerance, the simplest
/// is the one that is shown.
struct PolicyRank {
  let shown: PricedPolicy
  /// The cheapest of the others but `never`.
  let next: PricedPolicy?

  /// - Returns: nil without policies.
  init?(_ policies: [PricedPolicy], _ objective: Objective, _ time: VirtualTime) {
    let costs = policies.map { objective.cost(of: $0.figures) }
    guard let least = costs.min() else { return nil }
    let share = Cost(units: Int128((Double(least.units) * PolicyChoice.tieTolerance).rounded()))
    let tolerance = max(share, objective.cost(ofHolding: PolicyChoice.tieBytes, for: time))
    let ties = zip(policies, costs).filter { $1 - least <= tolerance }
    guard
      let shown = ties.min(by: {
        ($0.0.policy.complexity, $0.1) < ($1.0.policy.complexity, $1.1)
      })
    else { return nil }
    self.shown = shown.0
    next =
      zip(policies, costs).filter {
        $0.0.policy.rule != "never" && $0.0.cell.key != shown.0.cell.key
      }.min { $0.1 < $1.1 }?.0
  }
}

extension Policy {
  /// The rank among policies with equal results: the simpler first.
  package var complexity: Int {
    let launch =
      switch onLaunch {
      case .never: 0
      case .always: 2
      case .when: 3
      case .program: 4
      }
    return launch + (automatic ? (launch == 0 ? 1 : 2) : 0)
  }
}
