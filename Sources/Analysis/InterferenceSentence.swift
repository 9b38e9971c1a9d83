// What a kind of event did to readers and writers, as a sentence.
import MetricModel
package import RecordModel

extension InterferenceSummary {
  /// The sentence, in Markdown. `mechanism` is how the engine does it, in its own words; nil where it has none to name.
  package func sentence(mechanism: String?) -> String {
    let runs = observedCount == runCount ? "every run" : "\(observedCount) of \(runCount) runs"
    let how = mechanism.map { " (\($0.asMarkdown))" } ?? ""
    let clauses = (roles.map(clause) + absentReads).joined(separator: "; ")
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

  private func clause(_ role: Role) -> String {
    var text = "\(role.role.plural) waited up to \(role.longestWait.map(Self.times) ?? "n/a")"
    if role.isScheduled { text += " from their intended time" }
    guard let rate = role.perSecond({ $0.during }) else { return text }
    text += ", at \(Self.rate(rate))"
    if let p99 = role.p99({ $0.during }) { text += " with a p99 of \(Self.time(p99.median))" }
    guard let before = role.perSecond({ $0.before }) else { return text }
    text += ", compared with \(Self.rate(before))"
    if let p99 = role.p99({ $0.before }) { text += " and \(Self.time(p99.median))" }
    return text + " before"
  }

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
