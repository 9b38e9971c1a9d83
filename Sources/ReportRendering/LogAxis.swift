// A logarithmic axis that ends at round values: 1, 2 or 5 times a power of ten; powers of ten where it is long, and closer ones
// where it is short.
import Statistics

struct LogAxis {
  /// The ends of the axis: the first and the last tick.
  let low: Double
  let high: Double
  /// Values at which the axis is labeled, from the first to the last.
  let ticks: [Double]
  private let start: Double
  private let end: Double

  private static let longDecades = 2.5
  private static let shortDecades = 0.6
  private static let fineFactors = [1.0, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 8]

  /// - Parameters:
  ///   - values: above 0; the axis is long enough for all.
  ///   - start: where the first tick is in the picture.
  ///   - end: where the last tick is.
  ///   - isDecadic: whether only powers of ten are ticks, however short the axis is.
  init(_ values: [Double], from start: Double, to end: Double, isDecadic: Bool = false) {
    let (least, greatest) = (values.min() ?? 1, values.max() ?? 10)
    let decades = Self.logarithm(greatest / least)
    let factors =
      isDecadic || decades > Self.longDecades
      ? [1.0] : decades < Self.shortDecades ? Self.fineFactors : [1.0, 2, 5]
    let first = Int(Self.logarithm(least).rounded(.down)) - 1
    let last = Int(Self.logarithm(greatest).rounded(.up)) + 1
    let all = (first...last).flatMap { exponent in factors.map { $0 * Self.power(exponent) } }
    let low = all.last { $0 <= least * Self.tolerance } ?? all[0]
    let high =
      all.first { $0 * Self.tolerance >= greatest && $0 > low } ?? all[all.count - 1]
    (self.low, self.high) = (low, high)
    ticks = all.filter { low <= $0 && $0 <= high }
    (self.start, self.end) = (start, end)
  }

  /// A value that rounding put beside a tick is at it.
  private static let tolerance = 1 + 1e-9

  /// Returns where the value is in the picture; what is beyond an end is at the end.
  func position(_ value: Double) -> Double {
    let inside = max(low, min(high, value))
    return start + (end - start) * (Self.logarithm(inside / low) / Self.logarithm(high / low))
  }

  private static func logarithm(_ value: Double) -> Double {
    LogRatio.of(value) / LogRatio.of(10)
  }

  /// A power of ten, exact where a number can be.
  private static func power(_ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<abs(exponent) { power *= 10 }
    return exponent < 0 ? 1 / power : power
  }
}
