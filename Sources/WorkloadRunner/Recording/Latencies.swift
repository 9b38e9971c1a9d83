// Latencies of a whole run, and of the time since the latest row of timings.
import RecordModel

struct Latencies: Sendable {
  private var before = LatencyHistogram()
  private var recent = LatencyHistogram()

  mutating func record(_ nanoseconds: UInt64) { recent.record(Int(nanoseconds)) }

  /// Returns the summary since the previous call.
  mutating func takeRecent() -> LatencySummary {
    guard recent.count > 0 else { return .none }
    defer { recent = LatencyHistogram() }
    before.merge(recent)
    return recent.summary
  }

  /// The summary of the whole run.
  var summary: LatencySummary {
    var whole = before
    whole.merge(recent)
    return whole.summary
  }
}
