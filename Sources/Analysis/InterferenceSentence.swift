// What a kind of event did to readers and writers, as a sentence.
import MetricModel
package import RecordModel

extension InterferenceSummary {
  /// The sentence, in Markdown. `mechanism` is how the engine does it, in its own words; nil where it has none to name.
  package func sentence(mechanism: String?) -> String {
    let runs = observedCount == runCount ? "every run" : "\(observedCount) of \(runCount) runs"
    let how = mechanism.map { " (\($0.asMarkdown))" } ?? ""
    let found = roles.compactMap(clause) + absentReads
    let clauses = found.isEmpty ? "no read or write was under way" : found.joined(separator: "; ")
    return
      "**\(group.opening)**\(named)\(how), for \(Self.times(length)) in \(runs): \(clauses)."
  }

  private var named: String {
    labels.isEmpty
      ? "" : " (\(labels.prefix(4).map(\.asCode).inWords)\(labels.count > 4 ? " and others" : ""))"
  }

  private var absentReads: [String] {
    if roles.isEmpty { return ["no reads or writes were made during it"] }
    return roles.contains { $0.role.reads } ? [] : ["no reads were made during it"]
  }

  /// Returns what is known of the role; nil for nothing.
  private func clause(_ role: Role) -> String? {
    let wait = role.longestWait.map {
      "waited up to \(Self.times($0))" + (role.isScheduled ? " from their intended time" : "")
    }
    // Transactions may end in the windows that an event touches, and none be under way during it.
    guard let rate = role.perSecond({ $0.during }), wait != nil || !Self.isZero(rate) else {
      return wait.map { "\(role.role.plural) \($0)" }
    }
    var text = "\(role.role.plural) \(wait.map { "\($0), at" } ?? "ran at") \(Self.rate(rate))"
    if let p99 = role.p99({ $0.during }) { text += " with a p99 of \(Self.time(p99.median))" }
    // Beside none before there is nothing to compare.
    guard let before = role.perSecond({ $0.before }), !Self.isZero(before) else { return text }
    text += ", compared with \(Self.rate(before))"
    if let p99 = role.p99({ $0.before }) { text += " and \(Self.time(p99.median))" }
    return text + " before"
  }

  /// Whether the rate would be shown as none per second.
  private static func isZero(_ rate: RunSpread) -> Bool { rate.median.rounded() == 0 }

  private static func rate(_ spread: RunSpread) -> String {
    "\(grouped(Int(spread.median.rounded()))) per s"
  }

  private static func time(_ nanoseconds: Double) -> String { Nanoseconds.words(nanoseconds) }

  /// `1.20 s (900 ms to 1.40 s)`; without the range where it is one value.
  package static func times(_ spread: RunSpread) -> String {
    let (low, high) = (time(spread.low), time(spread.high))
    return low == high ? time(spread.median) : "\(time(spread.median)) (\(low) to \(high))"
  }
}

extension ClientRole {
  /// Whether its transactions are reads.
  package var reads: Bool { self != .writers }

  package var plural: String {
    switch self {
    case .writers: "writes"
    case .lookups: "reads"
    case .probes: "probes"
    case .jobs: "jobs"
    }
  }
}
