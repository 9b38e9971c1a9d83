// Comparison of more than two treatments: Friedman's test on the ranks within blocks, in Iman and Davenport's form, whose
// level holds for few blocks; then all pairs, corrected by Holm. Friedman, JASA 32 (1937); Iman and Davenport, Communications
// in Statistics A9 (1980).
import CGSL

package struct FriedmanTest: Sendable, Equatable {
  /// Friedman's χ², corrected for ties.
  package var chiSquare: Double
  /// The p-value by the χ² distribution with one degree of freedom fewer than treatments, as other tools print it.
  package var chiSquarePValue: Double
  /// Iman and Davenport's F; infinite if every block has the same order.
  package var statistic: Double
  /// The p-value by the F distribution, which decides.
  package var pValue: Double
  /// The mean rank of each treatment, 1 the least.
  package var meanRanks: [Double]

  /// `blocks[i][j]` is the value of treatment j in block i.
  ///
  /// - Returns: nil for fewer than two blocks or three treatments, and where every block has only ties.
  package init?(_ blocks: [[Double]]) {
    guard let treatments = blocks.first?.count, treatments > 2, blocks.count > 1 else { return nil }
    precondition(blocks.allSatisfy { $0.count == treatments }, "a block has all treatments")
    GSL.prepare()
    let n = Double(blocks.count)
    let k = Double(treatments)
    var sums = [Double](repeating: 0, count: treatments)
    var ties = 0.0
    for block in blocks {
      let ranks = Ranks.doubled(block)
      for (index, rank) in ranks.enumerated() { sums[index] += Double(rank) / 2 }
      ties += Ranks.tieSum(ranks)
    }
    let correction = 1 - ties / (n * k * (k * k - 1))
    guard correction > 0 else { return nil }
    let squares = sums.reduce(0) { $0 + $1 * $1 }
    chiSquare = (12 / (n * k * (k + 1)) * squares - 3 * n * (k + 1)) / correction
    chiSquarePValue = gsl_cdf_chisq_Q(chiSquare, k - 1)
    let rest = n * (k - 1) - chiSquare
    statistic = rest > 0 ? (n - 1) * chiSquare / rest : .infinity
    pValue = rest > 0 ? gsl_cdf_fdist_Q(statistic, k - 1, (k - 1) * (n - 1)) : 0
    meanRanks = sums.map { $0 / n }
  }

  /// A comparison of two treatments over the same blocks.
  package struct Pair: Sendable, Equatable {
    package var first: Int
    package var second: Int
    /// The p-value of the signed-rank test of the differences, corrected by Holm over all pairs.
    package var pValue: Double
  }

  package static func pairs(_ blocks: [[Double]]) -> [Pair] {
    let treatments = blocks.first?.count ?? 0
    var pairs: [Pair] = []
    for first in 0..<treatments {
      for second in (first + 1)..<max(treatments, first + 1) {
        let test = SignedRankTest(blocks.map { $0[first] - $0[second] })
        pairs.append(Pair(first: first, second: second, pValue: test.pValue))
      }
    }
    let adjusted = Multiplicity.holm(pairs.map(\.pValue))
    for index in pairs.indices { pairs[index].pValue = adjusted[index] }
    return pairs
  }
}
