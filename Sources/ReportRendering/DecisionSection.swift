// Compaction decisions: every decision at a launch with the values it was based on, and a summary of automatic ones.
import Analysis
import LaunchSchedules
import MetricModel
import Policies
import RecordModel

struct DecisionSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    let launches = launchTable
    var notes = Footnotes()
    let automatic = automaticTable(&notes)
    if launches.isEmpty && automatic.isEmpty { return [] }
    return [
      "## Compaction decisions",
      "Arm \(analysis.mainArm.asCode), first run. All events of all runs: `\(EventCSV.fileName)`.",
      MarkdownFold.text(
        "Decisions at launches, with the values that they were based on", [launches.text]),
      MarkdownFold.text("Automatic compaction", [automatic.text, notes.text]),
    ]
  }

  private var cells: [CellAnalysis] {
    analysis.cells.filter { $0.key.arm == analysis.mainArm && $0.isMeasured }
  }

  private var launchTable: EngineTables {
    var table = EngineTables([
      ("policy", .left), ("launch", .right), ("decision", .left),
      ("before", .right), ("after", .right), ("rewritten", .right),
      ("reason, with the observed values", .left),
    ])
    for cell in cells {
      for event in cell.first?.events ?? [] where event.event.kind == .onLaunch {
        let seen = event.event
        table.add(
          cell.key.engine,
          [
            analysis.labels[cell.key.policy].asMarkdown, opening(event),
            Self.decision(seen.outcome), seen.before.description,
            seen.outcome == .finished ? seen.after.description : "–",
            seen.outcome == .finished ? seen.rewritten?.description ?? "n/a" : "–",
            seen.reason.asMarkdown,
          ])
      }
    }
    return table
  }

  /// The launch, or the moment in the background.
  private func opening(_ event: RunEvent) -> String {
    let openings = analysis.record.scenario.openings
    guard !openings.moments.isEmpty else { return String(event.launch) }
    return OpeningNames(openings).number(
      openings.number(launch: event.launch, phase: event.phase))
  }

  private static func decision(_ outcome: CompactionEvent.Outcome) -> String {
    switch outcome {
    case .started: "started"
    case .delayed: "delayed"
    case .waiting: "waiting"
    case .resumed: "resumed"
    case .shortened: "shortened"
    case .finished: "**compacted**"
    case .abandoned: "abandoned"
    case .declined: "declined"
    case .skipped: "skipped"
    }
  }

  /// How many compactions did not begin, or did not end, each outcome by itself: `2 declined, 1 skipped`.
  private func notRun(_ events: [RunEvent]) -> String {
    let counts = [CompactionEvent.Outcome.declined, .skipped, .abandoned].compactMap { outcome in
      let count = events.count { $0.event.outcome == outcome }
      return count > 0 ? "\(count) \(Self.decision(outcome))" : nil
    }
    return counts.isEmpty ? "0" : counts.joined(separator: ", ")
  }

  private func automaticTable(_ notes: inout Footnotes) -> EngineTables {
    var table = EngineTables([
      ("policy", .left), ("launch", .right), ("started", .right),
      ("finished", .right), ("not run", .right), ("commits", .left),
      ("rewritten", .right), ("first reason", .left),
    ])
    for cell in cells {
      let events = (cell.first?.events ?? []).filter { $0.event.kind != .onLaunch }
      for (launch, events) in Dictionary(grouping: events, by: \.launch).sorted(by: {
        $0.key < $1.key
      }) {
        func count(_ outcome: CompactionEvent.Outcome) -> String {
          String(events.count { $0.event.outcome == outcome })
        }
        let rewritten = events.reduce(ByteCount.zero as ByteCount?) { .sum($0, $1.event.rewritten) }
        let first = grouped(events[0].commit)
        let last = grouped(events[events.count - 1].commit)
        table.add(
          cell.key.engine,
          [
            analysis.labels[cell.key.policy].asMarkdown, String(launch),
            count(.started),
            count(.finished), notRun(events),
            first == last ? first : "\(first)–\(last)",
            rewritten?.description ?? notes.mark(SummaryMetric.rewritten.absence),
            events[0].event.reason.asMarkdown,
          ])
      }
    }
    return table
  }
}
