// What a row of samples or timings takes over from a neighbor that is dropped to save memory.
import MetricModel
import RecordModel

extension Sample {
  /// The longest text of events in one row, in characters.
  private static let maxEventsLength = 2000

  mutating func appendEvents(_ lines: [String]) {
    events = ([events] + lines).filter { !$0.isEmpty }.joined(separator: " | ")
    if events.count > Self.maxEventsLength {
      events = events.prefix(Self.maxEventsLength - 1) + "…"
    }
  }

  /// Adds the events of a dropped neighbor, in order of time.
  mutating func takeEvents(of dropped: Sample) {
    guard !dropped.events.isEmpty else { return }
    let own = events
    if dropped.observation.commits <= observation.commits {
      events = dropped.events
      appendEvents([own])
    } else {
      appendEvents([dropped.events])
    }
  }
}

extension TimingSample {
  /// Adds the latencies of a dropped neighbor: counts are summed, and each percentile becomes the larger of the two, which
  /// neither row exceeds.
  mutating func takeLatencies(of dropped: TimingSample) {
    commitLatency.join(dropped.commitLatency)
    readLatency.join(dropped.readLatency)
    writeLatency.join(dropped.writeLatency)
    intendedLatency.join(dropped.intendedLatency)
    lookupLatency.join(dropped.lookupLatency)
    lookupIntendedLatency.join(dropped.lookupIntendedLatency)
    lockWait.join(dropped.lockWait)
  }
}

extension LatencySummary {
  fileprivate mutating func join(_ other: LatencySummary) {
    self = LatencySummary(
      count: count + other.count, p50: Swift.max(p50, other.p50), p99: Swift.max(p99, other.p99),
      max: Swift.max(max, other.max))
  }
}

extension CompactionEvent {
  /// The event in one line, for the row of a sample: `onLaunch finished: every launch; 900 to 300 bytes, 300 rewritten`.
  var line: String {
    let text = "\(kind.rawValue) \(outcome.rawValue): \(reason)"
    guard outcome == .finished || outcome == .abandoned else { return text }
    let sizes = "\(text); \(before.bytes) to \(after.bytes) bytes"
    return rewritten.map { "\(sizes), \($0.bytes) rewritten" } ?? sizes
  }
}
