// Compares two stepped runs of a cell, of two machines: everything but times must be the same.
import Analysis
import RecordModel

enum ExactRun {
  /// Returns the first figure in which the runs differ, in words; nil if they have the same bytes.
  static func difference(_ first: RepetitionRecord, _ second: RepetitionRecord) -> String? {
    for metric in SummaryMetric.allCases where !metric.isTimed {
      let (one, other) = (metric.value(first), metric.value(second))
      // Whether memory is large enough to measure the peak depends on the machine.
      if metric == .peakDisk, one == nil || other == nil { continue }
      if one != other { return "\(metric.column) differs (\(text(one)) and \(text(other)))" }
    }
    let parts: [(String, Bool)] = [
      ("samples_digest", first.exact.samplesDigest == second.exact.samplesDigest),
      ("a column of events.csv", first.events == second.events),
      ("the commits of a phase", first.phases == second.phases),
      ("a pin", first.pins == second.pins),
      ("a refusal", first.refusals == second.refusals),
      ("the page fill of a table", first.tables == second.tables),
    ]
    return parts.first { !$0.1 }.map { "\($0.0) differs" }
  }

  private static func text(_ value: Double?) -> String {
    guard let value else { return "none" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
