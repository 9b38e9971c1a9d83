// Latencies of any number of operations in bounded memory. The only user of HdrHistogram: buckets of three significant
// digits, so that a percentile is correct to a thousandth of its value.
import Histogram

/// Latencies in nanoseconds. One per thread while recording; merged afterwards.
package struct LatencyHistogram: Sendable {
  /// Longer waits are counted as this long in the percentiles; the maximum stays exact.
  package static let maxTracked = 3_600_000_000_000

  private var buckets = Histogram<UInt64>(
    highestTrackableValue: UInt64(maxTracked), numberOfSignificantValueDigits: .three)
  /// The count of each latency below 4096 ns: most are, and a count costs a fifth of finding a bucket.
  private var short = [Int](repeating: 0, count: 4096)
  private var shortCount = 0
  private var maximum = 0

  package init() {}

  /// Records one latency; a negative one counts as zero.
  package mutating func record(_ nanoseconds: Int) {
    let value = max(0, nanoseconds)
    maximum = max(maximum, value)
    if value < short.count {
      short[value] += 1
      shortCount += 1
      return
    }
    let isCounted = buckets.record(UInt64(min(value, Self.maxTracked)))
    precondition(isCounted, "the buckets cover every latency up to the maximum")
  }

  package mutating func merge(_ other: Self) {
    buckets.add(other.buckets)
    for (value, count) in other.short.enumerated() { short[value] += count }
    shortCount += other.shortCount
    maximum = max(maximum, other.maximum)
  }

  package var count: Int { Int(buckets.totalCount) + shortCount }

  /// Median, 99th percentile and exact maximum. A percentile is never above the maximum.
  package var summary: LatencySummary {
    guard count > 0 else { return LatencySummary(count: 0, p50: 0, p99: 0, max: 0) }
    let whole = whole
    func percentile(_ percent: Double) -> Int {
      min(Int(whole.valueAtPercentile(percent)), maximum)
    }
    return LatencySummary(
      count: count, p50: percentile(50), p99: percentile(99), max: maximum)
  }

  /// Percentiles to the 99.9th, and the exact maximum.
  package var percentiles: LatencyPercentiles {
    guard count > 0 else { return .none }
    let whole = whole
    func percentile(_ percent: Double) -> Int {
      min(Int(whole.valueAtPercentile(percent)), maximum)
    }
    return LatencyPercentiles(
      count: count, p50: percentile(50), p90: percentile(90), p99: percentile(99),
      p999: percentile(99.9), max: maximum)
  }

  /// Returns the value at or below which this percentage of the latencies lie; 0 without any.
  package func percentile(_ percent: Double) -> Int {
    min(Int(whole.valueAtPercentile(percent)), maximum)
  }

  private var whole: Histogram<UInt64> {
    var whole = buckets
    for (value, count) in short.enumerated() where count > 0 {
      let isCounted = whole.record(UInt64(value), count: UInt64(count))
      precondition(isCounted, "the buckets cover every short latency")
    }
    return whole
  }
}
