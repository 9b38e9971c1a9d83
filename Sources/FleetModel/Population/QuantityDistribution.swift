// How a quantity of devices varies from device to device.
package import Generators

/// The distribution of one quantity over devices.
package enum QuantityDistribution: Hashable, Sendable, Codable {
  /// All devices alike.
  case fixed(Double)
  /// Each value between the two equally likely.
  case uniform(low: Double, high: Double)
  /// The logarithm is normal with the deviation `sigma`. `activity` is its correlation with the device's activity, which
  /// all quantities of the device share; what would be above `greatest` is `greatest`.
  case logNormal(median: Double, sigma: Double, activity: Double, greatest: Double)

  /// A log-normal distribution.
  package static func logNormal(
    median: Double, sigma: Double, activity: Double = 0
  ) -> Self {
    .logNormal(median: median, sigma: sigma, activity: activity, greatest: maxValue)
  }

  /// Larger values make no population.
  package static let maxValue = 1e15

  /// Draws a value. Each takes one normal or uniform number, so that a change of one quantity shifts no other.
  package func draw(activity shared: Double, from stream: inout RandomStream) -> Double {
    switch self {
    case .fixed(let value): return value
    case .uniform(let low, let high):
      return low + (high - low) * (Double(stream.next() >> 11) / Double(1 << 53))
    case .logNormal(let median, let sigma, let activity, let greatest):
      let own = StandardNormal.next(from: &stream)
      let normal = activity * shared + (1 - activity * activity).squareRoot() * own
      return min(median * PortablePower.ofE(sigma * normal), greatest)
    }
  }

  /// The smallest and the largest possible value.
  package var bounds: ClosedRange<Double> {
    switch self {
    case .fixed(let value): value...value
    case .uniform(let low, let high): low...high
    case .logNormal(_, _, _, let greatest): 0...greatest
    }
  }

  /// The value that half of the devices are below.
  package var median: Double {
    switch self {
    case .fixed(let value): value
    case .uniform(let low, let high): (low + high) / 2
    case .logNormal(let median, _, _, let greatest): min(median, greatest)
    }
  }

  /// Whether all devices have the same value.
  package var isFixed: Bool { bounds.lowerBound == bounds.upperBound }
}
