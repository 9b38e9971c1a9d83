// Estimates of spread that withstand outliers in half of the values: Rousseeuw and Croux, JASA 88 (1993), as GSL computes them.
import CGSL

package enum RobustScale {
  /// Sₙ, scaled to the standard deviation of normal values; nil below two values.
  package static func sn(_ values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let sorted = GSL.sorted(values)
    var work = [Double](repeating: 0, count: sorted.count)
    return gsl_stats_Sn_from_sorted_data(sorted, 1, sorted.count, &work)
  }

  /// Qₙ, scaled likewise, and more efficient; nil below two values.
  package static func qn(_ values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let sorted = GSL.sorted(values)
    var work = [Double](repeating: 0, count: 3 * sorted.count)
    var integers = [Int32](repeating: 0, count: 5 * sorted.count)
    return gsl_stats_Qn_from_sorted_data(sorted, 1, sorted.count, &work, &integers)
  }
}

extension RobustScale {
  /// Returns the upper confidence limit of the variance of normal values, relative to that of a sample of `count`:
  /// 1.67 for ten values and 80 %.
  package static func varianceLimit(count: Int, confidence: Double) -> Double {
    precondition(count > 1, "a variance needs two values")
    GSL.prepare()
    let freedom = Double(count - 1)
    return freedom / gsl_cdf_chisq_Pinv(1 - confidence, freedom)
  }
}
