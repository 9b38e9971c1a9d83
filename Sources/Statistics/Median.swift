// Medians, quantiles, and the distribution-free interval of a median: latencies have long tails, which a mean with a standard
// deviation does not describe.
import CGSL

/// The median of some measurements, with an interval between two of them.
package struct MedianEstimate: Sendable, Equatable, Codable {
  package var median: Double
  /// The interval between two order statistics; nil for a single value.
  package var interval: Interval?
  package var count: Int

  /// - Returns: nil without values.
  package init?(_ values: [Double], confidence: Double = 0.95) {
    guard !values.isEmpty else { return nil }
    let sorted = GSL.sorted(values)
    median = Quantiles.quantile(0.5, sorted: sorted)
    count = sorted.count
    interval = Self.interval(sorted, confidence)
  }

  /// Returns the narrowest range from the k-th smallest to the k-th largest value whose coverage, 1 − 2·P(B ≤ k−1) with B
  /// binomial(n, ½), reaches `confidence`. Fewer than six values never reach 95 %: then the range is from the smallest to
  /// the largest, with its actual coverage.
  private static func interval(_ sorted: [Double], _ confidence: Double) -> Interval? {
    let n = sorted.count
    guard n > 1 else { return nil }
    func coverage(_ rank: Int) -> Double { 1 - 2 * GSL.fairBinomial(atMost: rank - 1, of: n) }
    var rank = 1
    while rank + 1 <= n / 2, coverage(rank + 1) >= confidence { rank += 1 }
    return Interval(low: sorted[rank - 1], high: sorted[n - rank], coverage: coverage(rank))
  }
}

package enum Quantiles {
  /// Returns the quantile, interpolated between the two nearest values; nil without values.
  package static func quantile(_ share: Double, of values: [Double]) -> Double? {
    precondition((0...1).contains(share), "a share is between 0 and 1")
    return values.isEmpty ? nil : quantile(share, sorted: GSL.sorted(values))
  }

  package static func median(_ values: [Double]) -> Double? { quantile(0.5, of: values) }

  static func quantile(_ share: Double, sorted: [Double]) -> Double {
    GSL.prepare()
    return gsl_stats_quantile_from_sorted_data(sorted, 1, sorted.count, share)
  }
}
