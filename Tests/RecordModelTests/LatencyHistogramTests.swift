// Latencies: percentiles within a thousandth, exact extremes, merging.
import RecordModel
import Testing

@Suite("Latency histogram")
struct LatencyHistogramTests {
  @Test("percentiles are correct to a thousandth and the maximum is exact")
  func percentiles() {
    var histogram = LatencyHistogram()
    for value in 1...100_000 { histogram.record(value * 1000 + 1) }
    let summary = histogram.summary
    #expect(summary.count == 100_000)
    #expect(summary.max == 100_000_001)
    #expect(abs(summary.p50 - 50_000_000) <= 50_000)
    #expect(abs(summary.p99 - 99_000_000) <= 99_000)
  }

  @Test("merging gives what recording all in one gives")
  func merging() {
    var all = LatencyHistogram()
    var parts = [LatencyHistogram(), LatencyHistogram(), LatencyHistogram()]
    for value in 0..<3000 {
      let nanoseconds = value * value * 7919 % 1_000_003
      all.record(nanoseconds)
      parts[value % 3].record(nanoseconds)
    }
    var merged = LatencyHistogram()
    for part in parts { merged.merge(part) }
    #expect(merged.summary == all.summary)
  }

  @Test("an empty histogram is all zero, and out-of-range waits neither trap nor get lost")
  func extremes() {
    #expect(LatencyHistogram().summary == LatencySummary(count: 0, p50: 0, p99: 0, max: 0))
    var histogram = LatencyHistogram()
    histogram.record(-5)
    histogram.record(Int.max)
    #expect(histogram.summary.count == 2)
    #expect(histogram.summary.max == Int.max)
    histogram = LatencyHistogram()
    histogram.record(1_234_567)
    #expect(
      histogram.summary == LatencySummary(count: 1, p50: 1_234_567, p99: 1_234_567, max: 1_234_567))
  }
}
