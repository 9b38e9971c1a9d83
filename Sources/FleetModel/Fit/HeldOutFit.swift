// How well a population describes devices that it was not fitted to: the quantiles of their used bytes at the last launch.
import Generators
import Statistics

package struct HeldOutFit: Sendable, Hashable {
  package struct Comparison: Sendable, Hashable {
    package var share: Double
    package var predicted: Double
    package var seen: Double
    /// Between order statistics, two standard errors around the quantile; nil where the devices are too few.
    package var interval: Interval95?

    package var relativeError: Double { predicted / seen - 1 }
    /// Whether the prediction is within the interval of what was seen.
    package var agrees: Bool {
      interval.map { $0.low <= predicted && predicted <= $0.high } ?? false
    }
  }

  package var devices: Int
  package var comparisons: [Comparison]

  private static let shares = [0.5, 0.99]
  private static let draws = 20_000

  /// - Returns: nil without held-out devices.
  ///
  /// - Parameter models: by the group of the population.
  init?(_ population: Population, _ devices: [DeviceRates], _ models: [any SpaceModel]) {
    guard !devices.isEmpty else { return nil }
    self.devices = devices.count
    let seen = devices.map(\.lastUsed).sorted()
    // Each drawn device has the length of a log of one that was held out.
    let predicted = (0..<Self.draws).map { number in
      let device = population.device(number)
      let days = devices[number % devices.count].days
      return (device.data + device.growth * days)
        / models[device.group].dataShare(used: device.data)
    }.sorted()
    comparisons = Self.shares.map { share in
      Comparison(
        share: share, predicted: Self.quantile(predicted, share),
        seen: Self.quantile(seen, share), interval: Self.interval(seen, share))
    }
  }

  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[Int(share * Double(sorted.count - 1))]
  }

  private static func interval(_ sorted: [Double], _ share: Double) -> Interval95? {
    let n = Double(sorted.count)
    let reach = 2 * (n * share * (1 - share)).squareRoot()
    let (low, high) = (Int(n * share - reach) - 1, Int((n * share + reach).rounded(.up)))
    guard low >= 0, high < sorted.count else { return nil }
    return Interval95(low: sorted[low], high: sorted[high])
  }
}
