// What held snapshots cost on each engine, and what the cures change.
import Analysis
import MetricModel

struct ArmSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    guard let first = analysis.pinCosts.first else { return [] }
    return [
      "## What held snapshots cost, and the cures",
      "Policy `\(analysis.labels[first.policy])`. Growth is that of the phase and launch in which the files of"
        + " `\(analysis.mainArm)` grow most beyond its live data while snapshots are held.",
      Pictures.arms(analysis).map(ReportMarkdown.picture) ?? "",
      table, releases, arms,
    ]
  }

  private var table: String {
    var table = MarkdownTable([
      ("engine", .left), ("arm", .left), ("phase", .left), ("launch", .right),
      ("grows while held", .right),
      ("per commit, at the end", .right), ("levels off", .left), ("lag, commits", .right),
      ("high water", .right), ("final", .right),
    ])
    for cost in analysis.pinCosts {
      for arm in cost.arms {
        table.add([
          cost.engine, arm.name, cost.phase, String(cost.launch), arm.growth.description,
          arm.bytesPerCommit.map { ByteCount(Int($0.rounded())).description } ?? "–",
          arm.levelsOff ? "yes" : "no", FigureText.grouped(arm.longestLag),
          arm.highWater.description, arm.final.description,
        ])
      }
    }
    return table.text
  }

  private var releases: String {
    let sentences = analysis.pinCosts.compactMap { cost in
      cost.main.afterRelease.map { "- \(cost.engine): \($0)" }
    }
    guard !sentences.isEmpty else { return "" }
    return "By the end of the phase after the release, arm `\(analysis.mainArm)`:\n\n"
      + sentences.joined(separator: "\n")
  }

  private var arms: String {
    let arms = analysis.record.scenario.arms.filter { !$0.summary.isEmpty }
    guard arms.count > 1 else { return "" }
    return "Arms:\n\n" + arms.map { "- `\($0.name)`: \($0.summary)" }.joined(separator: "\n")
  }
}
