// The bootstrap interval that corrects for bias and for skewness: BCa, Efron, JASA 82 (1987). The cross-check of the
// exact intervals, and the interval of statistics that have none.
import CGSL

extension Bootstrap {
  /// Returns the interval of `statistic` over resamples of `values`.
  ///
  /// - Returns: nil below two values, or if leaving out a value never changes the statistic (its acceleration is then
  ///   unknown).
  package static func biasCorrected(
    _ values: [Double], confidence: Double = 0.95, resamples: Int = defaultResamples,
    seed: UInt64, _ statistic: ([Double]) -> Double
  ) -> Interval? {
    precondition(resamples > 0 && (0..<1).contains(confidence), "a confidence is below 1")
    guard values.count > 1, let acceleration = acceleration(values, statistic) else { return nil }
    let source = RandomSource(seed: seed)
    let sorted = GSL.sorted((0..<resamples).map { _ in statistic(source.resample(values)) })
    let estimate = statistic(values)
    // Half of the ties count as below, as for any rank.
    let below = sorted.reduce(0.0) { $0 + ($1 < estimate ? 1 : $1 == estimate ? 0.5 : 0) }
    let bias = gsl_cdf_ugaussian_Pinv(
      min(max(below, 0.5), Double(resamples) - 0.5) / Double(resamples))
    func level(_ share: Double) -> Double {
      let shifted = bias + gsl_cdf_ugaussian_Pinv(share)
      return gsl_cdf_ugaussian_P(bias + shifted / (1 - acceleration * shifted))
    }
    return Interval(
      low: Quantiles.quantile(level((1 - confidence) / 2), sorted: sorted),
      high: Quantiles.quantile(level((1 + confidence) / 2), sorted: sorted), coverage: confidence)
  }

  /// Returns the acceleration, a sixth of the skewness of the statistic, by the jackknife.
  private static func acceleration(
    _ values: [Double], _ statistic: ([Double]) -> Double
  ) -> Double? {
    GSL.prepare()
    let without = values.indices.map { index in
      var rest = values
      rest.remove(at: index)
      return statistic(rest)
    }
    let mean = without.reduce(0, +) / Double(without.count)
    let squares = without.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    guard squares > 0 else { return nil }
    let cubes = without.reduce(0) { $0 + (mean - $1) * (mean - $1) * (mean - $1) }
    return cubes / (6 * squares * squares.squareRoot())
  }
}
