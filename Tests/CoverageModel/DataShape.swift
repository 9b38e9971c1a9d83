// Distributions like those of running times, with what is known of them: the value that an interval is to hold.
import Foundation
package import Generators
import Statistics

package enum DataShape: String, CaseIterable, Sendable {
  /// Normal, mean 10, standard deviation 1.
  case normal
  /// The logarithm is normal with standard deviation ½.
  case logNormal = "log-normal"
  /// Pareto from 1 on with exponent 1.5: it has no variance.
  case heavyTailed = "heavy-tailed"
  /// Seven of ten about 10, three of ten about 15, as where a cache is hit or missed.
  case bimodal

  /// The median, in closed form but for the normal quantile.
  package var median: Double {
    switch self {
    case .normal: 10
    case .logNormal: 1
    case .heavyTailed: pow(2, 1 / 1.5)
    // The second mode lies sixteen deviations above and has no part in it.
    case .bimodal: 10 + 0.3 * NormalQuantile.above(1 - 0.5 / 0.7)
    }
  }

  package func draw(_ stream: inout RandomStream) -> Double {
    switch self {
    case .normal: 10 + Self.normal(&stream)
    case .logNormal: exp(0.5 * Self.normal(&stream))
    case .heavyTailed: pow(Self.uniform(&stream), -1 / 1.5)
    case .bimodal:
      Self.uniform(&stream) < 0.7
        ? 10 + 0.3 * Self.normal(&stream) : 15 + 0.3 * Self.normal(&stream)
    }
  }

  /// Above 0, at most 1.
  private static func uniform(_ stream: inout RandomStream) -> Double {
    (Double(stream.next() >> 11) + 1) * 0x1p-53
  }

  private static func normal(_ stream: inout RandomStream) -> Double {
    NormalQuantile.above(uniform(&stream) * (1 - 0x1p-52))
  }
}
