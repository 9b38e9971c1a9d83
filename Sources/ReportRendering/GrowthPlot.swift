// The growth of the files over commits: one panel per engine, one line per policy (or per arm), live data as a grey
// area, phases as bands (tinted where snapshots are held), launches as dashed lines, and the snapshots as bars beneath.
import Analysis
import MetricModel
import Policies
import RecordModel
import ScenarioModel

struct GrowthPlot {
  struct Line {
    let title: String
    let cell: CellAnalysis
  }
  struct Panel {
    let engine: String
    let lines: [Line?]
  }

  let name: String
  let caption: String
  let analysis: ScenarioAnalysis
  let titles: [String]
  let panels: [Panel]
  /// The cell whose phases and snapshots are drawn.
  let reference: CellAnalysis
  let showsEvents: Bool

  static func byPolicy(_ analysis: ScenarioAnalysis) -> Plot? {
    let policies = analysis.record.scenario.policies
    let arm = analysis.mainArm
    return plot(
      "growth", analysis, titles: policies.map { analysis.labels[$0.name] }, showsEvents: true,
      caption:
        "Growth of all files by policy, arm `\(arm)`. Grey: live data. Tinted: snapshots held"
        + " (bars beneath). Dashed: the database is closed and opened again."
    ) { engine in policies.map { analysis.cell(engine, $0.name, arm) } }
  }

  static func byArm(_ analysis: ScenarioAnalysis) -> Plot? {
    let arms = analysis.record.scenario.arms
    guard arms.count > 1 else { return nil }
    let policies = analysis.record.scenario.policies
    guard let policy = policies.first(where: { $0.rule == "never" }) ?? policies.first else {
      return nil
    }
    let titles = arms.map { $0.summary.isEmpty ? $0.name : "\($0.name): \($0.summary)" }
    return plot(
      "arms", analysis, titles: titles, showsEvents: false,
      caption:
        "Growth of all files by arm, policy `\(analysis.labels[policy.name])`: what users do,"
        + " and the cures."
    ) { engine in arms.map { analysis.cell(engine, policy.name, $0.name) } }
  }

  private static func plot(
    _ name: String, _ analysis: ScenarioAnalysis, titles: [String], showsEvents: Bool,
    caption: String, _ cells: (String) -> [CellAnalysis?]
  ) -> Plot? {
    let panels = analysis.engines.compactMap { engine -> Panel? in
      let lines = zip(titles, cells(engine)).map { title, cell in
        cell.flatMap { $0.samples.isEmpty ? nil : Line(title: title, cell: $0) }
      }
      return lines.contains { $0 != nil } ? Panel(engine: engine, lines: lines) : nil
    }
    guard let reference = panels.first?.lines.compactMap(\.self).first?.cell else { return nil }
    let plot = GrowthPlot(
      name: name, caption: caption, analysis: analysis, titles: titles, panels: panels,
      reference: reference, showsEvents: showsEvents)
    return GrowthScript(plot).plot
  }

  var phases: [PhaseSpan] { reference.first?.phases ?? [] }

  var lastCommit: Int {
    max(
      1,
      panels.flatMap(\.lines).compactMap { $0?.cell.samples.last?.observation.commits }.max() ?? 1)
  }

  /// Phases in which the reference cell held snapshots.
  var phasesWithPins: Set<String> {
    Set(reference.samples.filter { $0.observation.oldestPinLag > 0 }.map(\.phase))
  }

  /// Holders with their spans, most commits held first; at most `most`. Where the record had to leave pins out, one row
  /// of the times at which samples saw any.
  func holders(most: Int) -> [(name: String, spans: [PinSpan])] {
    let pins = reference.first?.pins ?? []
    guard pins.count < RepetitionRecord.mostPins else { return [("any snapshot", sampledPins)] }
    func held(_ spans: [PinSpan]) -> Int {
      spans.reduce(0) { $0 + $1.lastCommit - $1.firstCommit }
    }
    return Dictionary(grouping: pins, by: \.holder)
      .sorted { (held($0.value), $1.key) > (held($1.value), $0.key) }.prefix(most)
      .map { ($0.key, $0.value.sorted { $0.firstCommit < $1.firstCommit }) }
  }

  private var sampledPins: [PinSpan] {
    var spans: [PinSpan] = []
    var isOpen = false
    for sample in reference.samples {
      let commit = sample.observation.commits
      if isOpen { spans[spans.count - 1].lastCommit = commit }
      let isHeld = sample.observation.pins > 0
      if isHeld, !isOpen {
        spans.append(PinSpan(holder: "any snapshot", firstCommit: commit, lastCommit: commit))
      }
      isOpen = isHeld
    }
    return spans
  }
}

extension CellAnalysis {
  /// How high the curve of all files is after the event. The event tells of the main file; what lies beside it is that
  /// of the next sample in the launch.
  func height(at event: RunEvent) -> ByteCount {
    let launch = samples.filter { $0.observation.launch == event.launch }
    let next = launch.first { $0.observation.commits >= event.commit } ?? launch.last
    return event.event.after + (next?.observation.space.sidecar ?? .zero)
  }
}
