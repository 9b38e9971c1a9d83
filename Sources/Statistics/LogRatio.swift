// Ratios as logarithms, in which twice as much and half as much are equally far from equal; by GSL, so that this module
// needs no other mathematics library.
import CGSL

package enum LogRatio {
  package static func of(_ ratio: Double) -> Double {
    GSL.prepare()
    return gsl_sf_log(ratio)
  }

  /// Returns the ratio with this logarithm.
  package static func ratio(_ logarithm: Double) -> Double {
    GSL.prepare()
    return gsl_sf_exp(logarithm)
  }
}

package enum NormalQuantile {
  /// Returns the value that a standard normal variable exceeds with this probability.
  package static func above(_ probability: Double) -> Double {
    GSL.prepare()
    return gsl_cdf_ugaussian_Qinv(probability)
  }
}
