// Quantiles of any number of values in bounded memory: counts over bins that have the same relative width, as
// HdrHistogram and DDSketch have them. Counts are whole numbers, so merging in any order gives the same bits.

package struct QuantileSketch: Hashable, Sendable {
  /// Bins to each power of two: a value is off by at most 1/256 of itself.
  private static let steps = 128.0
  private static let octaves = 56

  /// The largest relative error of a quantile that is 1 or more; below that the error is at most 1.
  package static let maxError = 1 / (2 * steps)

  /// The first bin has all values below 1.
  private var counts: [UInt64]
  package private(set) var count: UInt64 = 0
  /// The sum of the values, each rounded to a whole number.
  private var sum: UInt128 = 0
  /// Exact.
  package private(set) var minimum = Double.infinity
  package private(set) var maximum = -Double.infinity

  package init() {
    counts = [UInt64](repeating: 0, count: Self.octaves * Int(Self.steps) + 1)
  }

  /// Adds a value of 0 or more.
  package mutating func add(_ value: Double) {
    precondition(value >= 0, "\(value) was added, and sketches have no bin below 0")
    counts[Self.bin(value)] += 1
    count += 1
    sum += UInt128(value.rounded())
    minimum = min(minimum, value)
    maximum = max(maximum, value)
  }

  package mutating func merge(_ other: QuantileSketch) {
    for index in counts.indices { counts[index] += other.counts[index] }
    count += other.count
    sum += other.sum
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }

  /// The mean of the values; nil without values.
  package var mean: Double? { count > 0 ? Double(sum) / Double(count) : nil }

  /// Returns the value that the share of values does not exceed; nil without values.
  package func quantile(_ share: Double) -> Double? {
    value(ofRank: UInt64((share * Double(count)).rounded(.up)))
  }

  /// Returns an interval that contains the quantile of the fleet with a probability of 95 %, whatever its distribution: the
  /// order statistics between which a binomial count falls. Nil where the values are too few to have both.
  package func interval(of share: Double) -> ClosedRange<Double>? {
    let (mean, deviation) = (
      share * Double(count), (Double(count) * share * (1 - share)).squareRoot()
    )
    let (low, high) = (mean - 1.96 * deviation, mean + 1.96 * deviation + 1)
    guard low >= 1, high <= Double(count), let first = value(ofRank: UInt64(low)),
      let last = value(ofRank: UInt64(high.rounded(.up)))
    else { return nil }
    return first...last
  }

  /// Returns the share of values above a limit, whose bin counts as below.
  package func share(above limit: Double) -> Double {
    guard count > 0 else { return 0 }
    return Double(counts[(Self.bin(max(0, limit)) + 1)...].reduce(0, +)) / Double(count)
  }

  /// The bins that have values: from, to and how many.
  package var bins: [(from: Double, to: Double, count: UInt64)] {
    counts.indices.filter { counts[$0] > 0 }.map {
      (Self.lower($0), Self.lower($0 + 1), counts[$0])
    }
  }

  private func value(ofRank rank: UInt64) -> Double? {
    guard count > 0 else { return nil }
    let rank = max(1, min(rank, count))
    if rank == count { return maximum }
    var sum: UInt64 = 0
    for (bin, number) in counts.enumerated() where number > 0 {
      sum += number
      if sum >= rank {
        let middle = bin == 0 ? 0 : (Self.lower(bin) + Self.lower(bin + 1)) / 2
        return max(minimum, min(maximum, middle))
      }
    }
    return maximum
  }

  private static func bin(_ value: Double) -> Int {
    guard value >= 1 else { return 0 }
    return min(Int(value.piecewiseLog2 * steps) + 1, octaves * Int(steps))
  }

  private static func lower(_ bin: Int) -> Double {
    bin == 0 ? 0 : piecewisePower2(Double(bin - 1) / steps)
  }
}
