// Latencies of a run as a whole, and of the stretch since somebody last looked.
import MetricModel
import RecordModel

struct Latencies: Sendable {
  private var before = LatencyHistogram()
  private var recent = LatencyHistogram()

  mutating func record(_ nanoseconds: UInt64) { recent.record(Int(nanoseconds)) }

  /// Those since the call before.
  mutating func takeRecent() -> LatencySummary {
    guard recent.count > 0 else { return .none }
    defer { recent = LatencyHistogram() }
    before.merge(recent)
    return recent.summary
  }

  /// All of them.
  var summary: LatencySummary {
    var whole = before
    whole.merge(recent)
    return whole.summary
  }
}

extension CompactionEvent {
  /// In one line, for the row of a sample: `onLaunch finished: every launch; 900 to 300 bytes, 300 rewritten`.
  var line: String {
    let text = "\(kind.rawValue) \(outcome.rawValue): \(reason)"
    guard outcome == .finished || outcome == .abandoned else { return text }
    let sizes = "\(text); \(before.bytes) to \(after.bytes) bytes"
    return rewritten.map { "\(sizes), \($0.bytes) rewritten" } ?? sizes
  }
}
