// Access to the GNU Scientific Library. Its default error handler ends the process, so it is switched off before the first
// call; arguments are checked by the callers.
import CGSL

package enum GSL {
  private static let isPrepared: Bool = {
    _ = gsl_set_error_handler_off()
    return true
  }()

  /// Switches the error handler off; every use of the library calls it first.
  static func prepare() { precondition(isPrepared, "the error handler is off before any call") }

  /// The version of the linked library, such as `2.7.1`.
  package static var version: String { String(cString: cgsl_version()) }

  /// Returns the values in ascending order.
  static func sorted(_ values: [Double]) -> [Double] {
    prepare()
    precondition(values.allSatisfy { !$0.isNaN }, "a measurement is a number")
    var sorted = values
    sorted.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      gsl_sort(base, 1, buffer.count)
    }
    return sorted
  }

  /// Returns P(B ≤ k) for B binomial with n trials of probability 1/2, rounded to twelve decimals: the library's last digits
  /// are noise, and reports repeat to the byte.
  static func fairBinomial(atMost k: Int, of n: Int) -> Double {
    prepare()
    guard k >= 0 else { return 0 }
    return (gsl_cdf_binomial_P(UInt32(k), 0.5, UInt32(n)) * 1e12).rounded() / 1e12
  }
}
