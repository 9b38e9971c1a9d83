// Intervals by resampling, for quantities that have no formula. Seeded, one generator per call: the same numbers
// give the same interval, on any thread.
import CGSL

package enum Bootstrap {
  package static let defaultResamples = 10_000

  /// The ratio of two medians of independent runs, with its percentile interval.
  ///
  /// - Returns: nil without values on a side, or where the denominator's median can be zero.
  package static func ratioOfMedians(
    _ numerators: [Double], _ denominators: [Double], confidence: Double = 0.95,
    resamples: Int = defaultResamples, seed: UInt64
  ) -> Interval? {
    guard !numerators.isEmpty, denominators.contains(where: { $0 > 0 }),
      denominators.allSatisfy({ $0 > 0 })
    else { return nil }
    let source = RandomSource(seed: seed)
    return percentileInterval(confidence, resamples) {
      median(source.resample(numerators)) / median(source.resample(denominators))
    }
  }

  /// The median ratio of paired runs, with its percentile interval: pairs are drawn whole.
  ///
  /// - Returns: nil without pairs, or where a value is not above zero.
  package static func medianPairedRatio(
    _ numerators: [Double], _ denominators: [Double], confidence: Double = 0.95,
    resamples: Int = defaultResamples, seed: UInt64
  ) -> Interval? {
    precondition(numerators.count == denominators.count, "pairs come in twos")
    guard !numerators.isEmpty, (numerators + denominators).allSatisfy({ $0 > 0 }) else {
      return nil
    }
    let logarithms = zip(numerators, denominators).map { LogRatio.of($0 / $1) }
    let source = RandomSource(seed: seed)
    return percentileInterval(confidence, resamples) {
      LogRatio.ratio(median(source.resample(logarithms)))
    }
  }

  private static func median(_ values: [Double]) -> Double {
    Quantiles.quantile(0.5, sorted: GSL.sorted(values))
  }

  private static func percentileInterval(
    _ confidence: Double, _ resamples: Int, _ statistic: () -> Double
  ) -> Interval {
    precondition(resamples > 0 && (0..<1).contains(confidence), "a confidence is below 1")
    let sorted = GSL.sorted((0..<resamples).map { _ in statistic() })
    return Interval(
      low: Quantiles.quantile((1 - confidence) / 2, sorted: sorted),
      high: Quantiles.quantile((1 + confidence) / 2, sorted: sorted), coverage: confidence)
  }
}
