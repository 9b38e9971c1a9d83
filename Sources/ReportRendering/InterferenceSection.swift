// What compactions, checkpoints, long pins and long logs do to readers and writers: for each engine a sentence for each kind
// of event, with all cells and a picture over time behind a fold.
import Analysis
import MetricModel
import RecordModel

struct InterferenceSection {
  private let analysis: ScenarioAnalysis
  private let summaries: [InterferenceSummary]

  init(_ analysis: ScenarioAnalysis) {
    self.analysis = analysis
    summaries = analysis.interference
  }

  var parts: [String] {
    guard !summaries.isEmpty else {
      return coldStarts.isEmpty ? [] : ["## Cold starts"] + coldStarts
    }
    return [
      "## Interference",
      "What went on while clients read and wrote on real threads, and what it did to them. Of each kind of event, the cell in"
        + " which transactions waited longest; figures are medians over the runs, with their range. A wait is the longest of"
        + " any transaction that was under way. Throughput and p99 are of the windows of time that an event touches, and of"
        + " as many before it.",
    ] + analysis.engines.flatMap(parts) + coldStarts
  }

  private func parts(of engine: String) -> [String] {
    let own = summaries.filter { $0.key.engine == engine }
    guard !own.isEmpty else { return [] }
    let worst = EventGroup.all.compactMap { group in
      own.filter { $0.group == group }.reduce(nil as InterferenceSummary?) { worst, next in
        worst.map { $0.worstWait >= next.worstWait } ?? false ? worst : next
      }
    }
    let picture = Pictures.interference(engine, analysis).map(ReportMarkdown.picture) ?? ""
    return [
      "**\(engine.asMarkdown)**", worst.map(item).joined(separator: "\n"),
      MarkdownFold.text("\(engine.asMarkdown): throughput and p99 over time", [picture]),
      MarkdownFold.text("\(engine.asMarkdown): all cells and stages", [table(own)]),
    ]
  }

  /// Whether files really left the page cache before cold launches; empty without such launches.
  private var coldStarts: [String] {
    let lines = analysis.engines.compactMap { engine -> String? in
      let starts = analysis.cells.filter { $0.key.engine == engine }
        .flatMap { $0.record.timedRepetitions.flatMap { $0.coldStarts ?? [] } }
      return starts.isEmpty ? nil : "- \(engine.asMarkdown): \(words(starts))"
    }
    return lines.isEmpty
      ? []
      : [
        "Cold starts: files are dropped from the page cache before the launch, and what is left of them is measured.",
        lines.joined(separator: "\n"),
      ]
  }

  private func words(_ starts: [ColdStart]) -> String {
    if let failure = starts.lazy.compactMap(\.failure).first {
      return "**not cold**, since files could not be dropped: \(failure.asMarkdown)"
    }
    let before = ByteCount(starts.map(\.cachedBefore).min() ?? 0)
    let left = ByteCount(starts.map(\.cachedAfter).max() ?? 0)
    let outcome =
      left == .zero
      ? "nothing of the files was left in memory"
      : 10 * left.bytes > before.bytes
        ? "**not cold**: up to \(left) stayed in memory, where the file system or another process keeps them"
        : "up to \(left) stayed in memory"
    return
      "\(counted(starts.count, "launch", "launches")), at least \(before) in memory before; \(outcome)."
  }

  private func item(_ summary: InterferenceSummary) -> String {
    let notes = analysis.record.provenance.engineNotes[summary.key.engine]
    let mechanism = summary.group.mechanism.flatMap { notes?.mechanisms[$0] }
    let policy = analysis.labels[summary.key.policy].asCode
    return
      "- \(summary.sentence(mechanism: mechanism)) *Policy \(policy), arm \(summary.key.arm.asCode).*"
  }

  private func table(_ summaries: [InterferenceSummary]) -> String {
    var table = MarkdownTable([
      ("event", .left), ("policy", .left), ("arm", .left), ("runs", .right),
      ("events<br>*per run*", .right), ("time", .right), ("role", .left),
      ("longest wait", .right), ("per s<br>*before · during · after*", .right),
      ("p99<br>*before · during · after*", .right),
    ])
    for summary in summaries {
      let key = [
        summary.group.title, analysis.labels[summary.key.policy].asMarkdown,
        summary.key.arm.asMarkdown, "\(summary.observedCount) of \(summary.runCount)",
        grouped(Int(summary.events.median.rounded())), Nanoseconds.words(summary.length.median),
      ]
      if summary.roles.isEmpty { table.add(key + ["–", "–", "–", "–"]) }
      for role in summary.roles { table.add(key + figures(role)) }
    }
    return table.text
  }

  private func figures(_ role: InterferenceSummary.Role) -> [String] {
    let stages: [(Interference) -> Interference.Stage?] = [
      { $0.before }, { $0.during }, { $0.after },
    ]
    let rates = stages.map { role.perSecond($0).map { grouped(Int($0.median.rounded())) } ?? "–" }
    let tails = stages.map { role.p99($0).map { Nanoseconds.words($0.median) } ?? "–" }
    return [
      role.role.plural, role.longestWait.map(InterferenceSummary.times) ?? "–",
      rates.joined(separator: " · "), tails.joined(separator: " · "),
    ]
  }
}
