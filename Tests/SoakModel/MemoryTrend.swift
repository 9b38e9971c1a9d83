// Whether a process's memory grows: the slope over a soak, behind a warm-up in which pools and caches fill.
//
// The median slope over all pairs of points (Theil–Sen) is not swayed by one step, as of an allocator that takes 132 KiB
// once. Its interval treats points as independent, and samples of a few seconds apart are not: most see the very same pages.
// So the points are the medians of minutes, which makes the interval wider, and the bar harder to pass.
package import Statistics

package struct MemoryTrend: Sendable {
  /// Seconds since the soak began, and bytes.
  private var samples: [(seconds: Double, bytes: Double)] = []

  /// The most that the upper end of the interval may be, in MiB an hour.
  package static let bar = 1.0
  /// Mappings an hour: a session that left one behind would leave a thousand.
  package static let mappingsBar = 60.0
  private static let minute = 60.0
  private static let mebibyte = Double(1 << 20)

  package init() {}

  package mutating func add(seconds: Double, bytes: Int) {
    samples.append((seconds, Double(bytes)))
  }

  /// The share of a soak that is warm-up: 5 minutes of 30.
  package static func warmUp(ofSeconds seconds: Double) -> Double { seconds / 6 }

  /// MiB an hour with its 95 % interval; nil with fewer than ten minutes behind the warm-up.
  package func slope(afterSeconds warmUp: Double) -> SlopeEstimate? {
    let minutes = Dictionary(grouping: samples.filter { $0.seconds >= warmUp }) {
      Int(($0.seconds - warmUp) / Self.minute)
    }
    let points = minutes.sorted { $0.key < $1.key }.compactMap { minute, samples in
      Quantiles.median(samples.map { $0.bytes / Self.mebibyte }).map {
        (hours: Double(minute) / 60, mebibytes: $0)
      }
    }
    guard points.count >= 10 else { return nil }
    return RobustSlope.estimate(x: points.map(\.hours), y: points.map(\.mebibytes))
  }

  /// The median behind the warm-up, and the most, in MiB.
  package func level(afterSeconds warmUp: Double) -> (median: Double, most: Double)? {
    let values = samples.filter { $0.seconds >= warmUp }.map { $0.bytes / Self.mebibyte }
    guard let median = Quantiles.median(values), let most = values.max() else { return nil }
    return (median, most)
  }
}
