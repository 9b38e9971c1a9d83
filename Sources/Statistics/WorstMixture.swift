// The largest mean that a mixture near a given one can have: robustness against a change of the mix of workloads (Endure, VLDB
// Journal 2024).

package enum WorstMixture {
  /// Returns max Σ pᵢ cᵢ over all mixtures p with KL(p‖q) ≤ ρ.
  ///
  /// The maximum is at pᵢ ∝ qᵢ exp(β cᵢ), the minimizer of the dual λρ + λ log Σ qᵢ exp(cᵢ/λ) at λ = 1/β. Its divergence grows
  /// with β, so that β is found by bisection. Where even β → ∞ is within ρ, the worst of all costs is returned.
  ///
  /// - Parameters:
  ///   - weights: q, positive, in any scale.
  ///   - divergence: ρ in nats; infinite for the worst cost.
  package static func mean(
    of costs: [Double], weights: [Double], within divergence: Double
  ) -> Double {
    precondition(
      !costs.isEmpty && costs.count == weights.count && weights.allSatisfy { $0 > 0 }
        && divergence >= 0, "a mixture has a positive weight for each cost")
    let sum = weights.reduce(0, +)
    let mixture = weights.map { $0 / sum }
    let worst = costs.max() ?? 0
    let spread = worst - (costs.min() ?? 0)
    guard spread > 0 else { return worst }
    let ofWorst = zip(costs, mixture).filter { $0.0 == worst }.reduce(0) { $0 + $1.1 }
    guard divergence < -LogRatio.of(ofWorst) else { return worst }
    var (low, high) = (0.0, 1 / spread)
    while tilted(costs, mixture, worst, high).divergence < divergence { high *= 2 }
    for _ in 0..<200 where high - low > 1e-15 * high {
      let middle = (low + high) / 2
      if tilted(costs, mixture, worst, middle).divergence < divergence {
        low = middle
      } else {
        high = middle
      }
    }
    return tilted(costs, mixture, worst, low).mean
  }

  /// Returns the mean of p ∝ q exp(β c), and its divergence from q.
  private static func tilted(
    _ costs: [Double], _ mixture: [Double], _ worst: Double, _ beta: Double
  ) -> (mean: Double, divergence: Double) {
    let masses = zip(costs, mixture).map { $1 * LogRatio.ratio(beta * ($0 - worst)) }
    let sum = masses.reduce(0, +)
    let mean = zip(costs, masses).reduce(0) { $0 + $1.0 * $1.1 } / sum
    return (mean, beta * (mean - worst) - LogRatio.of(sum))
  }
}
