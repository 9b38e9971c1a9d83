// Resamples that are the same for everything that is compared: pairs are drawn whole, so that what all values of a draw have in
// common cancels out.

/// Draws of indexes with replacement.
package struct PairedResamples: Sendable {
  /// For each resample as many indexes as there are values.
  private let draws: [[Int]]

  /// - Parameter count: the number of values.
  package init(of count: Int, resamples: Int = Bootstrap.defaultResamples, seed: UInt64) {
    precondition(count > 0 && resamples > 0, "something is drawn")
    let source = RandomSource(seed: seed)
    let indexes = (0..<count).map(Double.init)
    draws = (0..<resamples).map { _ in source.resample(indexes).map { Int($0) } }
  }

  /// Returns the statistic of each resample, in the order of the draws.
  package func values(_ statistic: ([Int]) -> Double) -> [Double] { draws.map(statistic) }

  /// Returns the percentile interval of a statistic.
  package static func interval(of values: [Double], confidence: Double = 0.95) -> Interval {
    let sorted = GSL.sorted(values)
    return Interval(
      low: Quantiles.quantile((1 - confidence) / 2, sorted: sorted),
      high: Quantiles.quantile((1 + confidence) / 2, sorted: sorted), coverage: confidence)
  }
}
