// Wilcoxon's signed-rank test for paired differences, exact with ties: given the absolute differences, each sign is a
// fair coin under the null hypothesis, so the distribution of the rank sum can be counted. Wilcoxon, Biometrics
// Bulletin 1 (1945); ties by the conditional distribution, Pratt and Gibbons, Concepts of Nonparametric Theory (1981).
import CGSL

/// The test that differences lie around zero. Differences of exactly zero have no direction and are left out.
package struct SignedRankTest: Sendable, Equatable {
  /// Above this many differences the normal approximation is used, which is then accurate to four digits.
  package static let maxExactCount = 250

  /// The sum of the ranks of the positive differences.
  package var rankSum: Double
  /// Differences that are not zero.
  package var count: Int
  /// Two-sided: twice the smaller tail, at most 1. It is 1 if all differences are zero.
  package var pValue: Double
  /// The matched rank-biserial correlation, −1 … 1: the share of rank weight on the positive side minus that on the
  /// negative one. 0 without differences. Kerby, Comprehensive Psychology 3 (2014).
  package var rankBiserial: Double

  package init(_ differences: [Double]) {
    precondition(differences.allSatisfy { !$0.isNaN }, "a difference is a number")
    let nonzero = differences.filter { $0 != 0 }
    count = nonzero.count
    guard count > 0 else {
      (rankSum, pValue, rankBiserial) = (0, 1, 0)
      return
    }
    let ranks = Ranks.doubled(nonzero.map { abs($0) })
    let positive = zip(nonzero, ranks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    let total = count * (count + 1)
    rankSum = Double(positive) / 2
    rankBiserial = Double(2 * positive - total) / Double(total)
    pValue =
      count <= Self.maxExactCount
      ? Self.exact(positive, ranks, total) : Self.approximate(positive, ranks, total)
  }

  private static func exact(_ positive: Int, _ ranks: [Int], _ total: Int) -> Double {
    // The distribution is symmetric about half of the total, so the smaller tail is the one below the smaller sum.
    let smaller = min(positive, total - positive)
    var probability = [Double](repeating: 0, count: smaller + 1)
    probability[0] = 1
    for rank in ranks {
      for sum in stride(from: smaller, through: 0, by: -1) {
        probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2
      }
    }
    return min(1, 2 * probability.reduce(0, +))
  }

  private static func approximate(_ positive: Int, _ ranks: [Int], _ total: Int) -> Double {
    GSL.prepare()
    let n = Double(ranks.count)
    let variance = n * (n + 1) * (2 * n + 1) / 24 - Ranks.tieSum(ranks) / 48
    let distance = abs(Double(positive) / 2 - Double(total) / 4)
    return min(1, 2 * gsl_cdf_ugaussian_Q(distance / variance.squareRoot()))
  }
}
