// When a device is launched: at random with its rate (a Poisson process), from the stream of its number alone.
import Generators

/// Quantiles of the exponential distribution with the mean 1, so that a gap costs one random number and no logarithm.
enum GapQuantiles {
  private static let count = 4096

  static let quantiles: [Double] = {
    let gaps = (0..<count).map { index in
      StandardExponential.value(ofBits: UInt64(count - 1 - index) << 52 | 1 << 51)
    }
    let mean = gaps.reduce(0, +) / Double(count)
    return gaps.map { $0 / mean }
  }()

  /// The index of the quantile that a random number stands for.
  @inline(__always)
  static func index(_ bits: UInt64) -> Int { Int(truncatingIfNeeded: bits >> 52) }
}

extension Population {
  /// Returns the days of the device's launches in order, up to `days`: those of its walk.
  package func launchDays(of device: Device, days: Double) -> [Double] {
    var stream = launchStream(of: device.number)
    let meanGap = 1 / device.launchesPerDay
    var (day, launches) = (0.0, [Double]())
    while true {
      day += GapQuantiles.quantiles[GapQuantiles.index(stream.next())] * meanGap
      guard day <= days else { return launches }
      launches.append(day)
    }
  }
}
