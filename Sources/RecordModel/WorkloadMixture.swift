// The mixture of scenarios that a rule is chosen for, and how far the mixtures reach at which it is judged.

/// How much each scenario counts.
package struct WorkloadMixture: Hashable, Sendable, Codable {
  /// The largest Kullback–Leibler divergence, in nats, from the mixture; nil for any mixture, the worst workload alone too.
  package var maxDivergence: Double?
  /// What each arm of a scenario counts, by the scenario's name; 1 where there is no entry.
  package var weights: [String: Double]

  /// Used unless another one is given: the share of a workload among two grows from a half to about 0.7.
  package static let usualDivergence = 0.1

  package init(maxDivergence: Double? = usualDivergence, weights: [String: Double] = [:]) {
    self.maxDivergence = maxDivergence
    self.weights = weights
  }

  package func weight(of scenario: String) -> Double { weights[scenario] ?? 1 }

  /// Returns the weights of workloads, in their order.
  package func weights(of workloads: [TunedWorkload]) -> [Double] {
    workloads.map { weight(of: $0.scenario) }
  }
}
