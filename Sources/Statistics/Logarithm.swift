// Natural logarithm and power through GSL, so that this room needs no other mathematics library.
import CGSL

enum Logarithm {
  static func of(_ value: Double) -> Double {
    GSL.prepare()
    return gsl_log1p(value - 1)
  }

  static func power(_ exponent: Double) -> Double {
    GSL.prepare()
    return gsl_expm1(exponent) + 1
  }
}
