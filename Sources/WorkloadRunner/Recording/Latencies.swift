// Latencies of a whole run, and of the time since the latest row of timings.
import RecordModel

struct Latencies: Sendable {
  private var before = LatencyHistogram()
  private var recent = LatencyHistogram()

  mutating func record(_ nanoseconds: UInt64) { recent.record(Int(nanoseconds)) }

  mutating func record(_ others: LatencyHistogram) { recent.merge(others) }

  /// Returns the summary since the previous call.
  mutating func takeRecent() -> LatencySummary {
    guard recent.count > 0 else { return .none }
    defer { recent = LatencyHistogram() }
    before.merge(recent)
    return recent.summary
  }

  /// The summary of the whole run.
  var summary: LatencySummary { whole.summary }

  /// Percentiles of the whole run; nil without any.
  var percentiles: LatencyPercentiles? {
    let percentiles = whole.percentiles
    return percentiles.count > 0 ? percentiles : nil
  }

  private var whole: LatencyHistogram {
    var whole = before
    whole.merge(recent)
    return whole
  }
}
