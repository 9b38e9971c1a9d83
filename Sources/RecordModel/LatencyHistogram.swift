// How long operations took, kept in bounded memory whatever their number. The one door to HdrHistogram: buckets of
// three significant digits, so that a percentile is right to a thousandth of its value.
import Histogram

/// Latencies in nanoseconds. One per thread while recording; merged afterwards.
package struct LatencyHistogram: Sendable {
  /// Longer waits are counted as this long in the percentiles; the maximum stays exact.
  package static let longest = 3_600_000_000_000

  private var buckets = Histogram<UInt64>(
    highestTrackableValue: UInt64(longest), numberOfSignificantValueDigits: .three)
  private var greatest = 0

  package init() {}

  /// Records one latency; a negative one counts as zero.
  package mutating func record(_ nanoseconds: Int) {
    let value = max(0, nanoseconds)
    greatest = max(greatest, value)
    let isCounted = buckets.record(UInt64(min(value, Self.longest)))
    precondition(isCounted, "the bucket range holds every latency up to the longest")
  }

  package mutating func merge(_ other: Self) {
    buckets.add(other.buckets)
    greatest = max(greatest, other.greatest)
  }

  package var count: Int { Int(buckets.totalCount) }

  /// Median, 99th percentile and exact maximum. A percentile is never above the maximum.
  package var summary: LatencySummary {
    LatencySummary(count: count, p50: percentile(50), p99: percentile(99), max: greatest)
  }

  /// The value at or below which so many per cent of the latencies lie; 0 without any.
  package func percentile(_ percent: Double) -> Int {
    min(Int(buckets.valueAtPercentile(percent)), greatest)
  }
}
