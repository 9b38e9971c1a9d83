// A transaction of a lookup, as its thread passes it on.
import MetricModel

/// One read transaction; times in nanoseconds on the machine's clock.
struct LookupTransaction {
  var end: UInt64
  /// From its beginning to its end.
  var service: UInt64
  /// From the time at which it was scheduled to begin until its end; nil in a closed loop and on the virtual clock.
  var intended: UInt64?
  /// When it began, as compactions go.
  var stage: CompactionStage
  /// Rows read by key, and scans.
  var operations: Int
}

/// Where in a phase a moment is, as compactions go.
enum CompactionStage: Int, CaseIterable {
  case before, during, after
}

extension CompactionEvent {
  /// The stage that begins with the event; nil where it changes nothing.
  var stage: CompactionStage? {
    switch outcome {
    case .started, .resumed: .during
    case .finished, .abandoned: .after
    case .delayed, .waiting, .shortened, .declined, .skipped: nil
    }
  }
}
