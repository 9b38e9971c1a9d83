// Significance levels of interim analyses by alpha spending: Lan and DeMets, Biometrika 70 (1983). The spending function is
// of Pocock's type, α·ln(1 + (e − 1)·t), because its first analysis can already decide; the O'Brien–Fleming type leaves a
// first analysis at a quarter of the data less than a rank test can ever reach.
import CGSL

package enum AlphaSpending {
  /// Returns the two-sided level of each interim analysis, so that the probability of a false alarm over all analyses is
  /// `alpha`. The levels follow from the joint distribution of the analyses, integrated one after the other: Armitage,
  /// McPherson and Rowe, J. R. Stat. Soc. A 132 (1969).
  ///
  /// - Parameter shares: the share of the data at each analysis, ascending, the last one 1 (or less, if the experiment was
  ///   ended early).
  package static func levels(shares: [Double], alpha: Double) -> [Double] {
    precondition((0..<1).contains(alpha) && alpha > 0, "a level is between 0 and 1")
    precondition(
      zip([0] + shares, shares).allSatisfy { $0 < $1 } && (shares.last ?? 1) <= 1,
      "each analysis has more data than the one before")
    GSL.prepare()
    var levels: [Double] = []
    var density: Density?
    var spent = 0.0
    var previousShare = 0.0
    for share in shares {
      let total = spending(share, alpha)
      let step = (share - previousShare).squareRoot()
      let bound = boundary(density, step, spending: total - spent, share)
      levels.append(2 * gsl_cdf_ugaussian_Q(bound / share.squareRoot()))
      density = Density(after: density, step, within: bound)
      (spent, previousShare) = (total, share)
    }
    return levels
  }

  static func spending(_ share: Double, _ alpha: Double) -> Double {
    alpha * gsl_log1p(gsl_expm1(1) * share)
  }

  /// Returns the boundary that the sum crosses with probability `spending` at this analysis.
  private static func boundary(
    _ density: Density?, _ step: Double, spending: Double, _ share: Double
  ) -> Double {
    var (low, high) = (0.0, 10 * share.squareRoot())
    for _ in 0..<80 {
      let middle = (low + high) / 2
      let beyond =
        density.map { $0.probability(beyond: middle, step) } ?? 2
        * gsl_cdf_ugaussian_Q(middle / step)
      if beyond > spending { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The density of the sum so far, given that no analysis has decided, on an even grid; integrated by Simpson's rule.
  private struct Density {
    private static let intervals = 400
    private var points: [Double]
    private var weighted: [Double]

    init(after previous: Density?, _ step: Double, within bound: Double) {
      let width = 2 * bound / Double(Self.intervals)
      points = (0...Self.intervals).map { Double($0) * width - bound }
      weighted = points.enumerated().map { index, point in
        let simpson: Double =
          index == 0 || index == Self.intervals ? 1 : index.isMultiple(of: 2) ? 2 : 4
        let value =
          previous.map { $0.integral { gsl_ran_gaussian_pdf(point - $0, step) } }
          ?? gsl_ran_gaussian_pdf(point, step)
        return value * simpson * width / 3
      }
    }

    func integral(_ function: (Double) -> Double) -> Double {
      zip(points, weighted).reduce(0) { $0 + $1.1 * function($1.0) }
    }

    func probability(beyond bound: Double, _ step: Double) -> Double {
      integral {
        gsl_cdf_ugaussian_Q((bound - $0) / step) + gsl_cdf_ugaussian_P((-bound - $0) / step)
      }
    }
  }
}
