// How far from its mean a normal distribution has a given share of its values, where its deviation is only estimated.
import CGSL

package enum ToleranceFactor {
  /// Returns the number of estimated deviations on both sides of the mean within which a share of the values lies, with a
  /// confidence: Howe's approximation (Journal of the American Statistical Association 64, 1969, pages 610 to 620).
  ///
  /// - Parameters:
  ///   - share: of the values, between 0 and 1.
  ///   - confidence: the share of samples for which this is so, between 0 and 1.
  ///   - count: the number of values of which the deviation was estimated.
  ///   - degreesOfFreedom: of that estimate.
  package static func twoSided(
    share: Double, confidence: Double, count: Int, degreesOfFreedom: Int
  ) -> Double {
    precondition(0 < share && share < 1 && 0 < confidence && confidence < 1)
    precondition(0 < degreesOfFreedom && degreesOfFreedom < count)
    GSL.prepare()
    let freedom = Double(degreesOfFreedom)
    let normal = gsl_cdf_ugaussian_Pinv((1 + share) / 2)
    let lowest = gsl_cdf_chisq_Pinv(1 - confidence, freedom)
    return normal * (freedom * (1 + 1 / Double(count)) / lowest).squareRoot()
  }
}
