// The cost of held snapshots on each engine, and the effect of the mitigations.
import Analysis
import MetricModel

struct ArmSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  var parts: [String] {
    guard let first = analysis.pinCosts.first else { return [] }
    return [
      "## Cost of held snapshots, and mitigations",
      "Policy \(analysis.labels[first.policy].asCode). Growth is that of all files minus that of live data, from the"
        + " start to the end of one phase: the phase and launch in which the files of \(analysis.mainArm.asCode) grow"
        + " most while snapshots are held. Whether growth levels off is judged by the last third of the phase.",
      Pictures.arms(analysis).map(ReportMarkdown.picture) ?? "",
      table, releases, arms,
    ]
  }

  private var table: String {
    var table = EngineTables([
      ("arm", .left),
      ("growth beyond live data<br>*while held*", .right), ("per commit<br>*on average*", .right),
      ("levels off", .left), ("lag, commits", .right),
      ("high-water mark", .right), ("final", .right),
    ])
    for cost in analysis.pinCosts {
      for arm in cost.arms {
        table.add(
          cost.engine, note: "phase \(cost.phase.asCode), launch \(cost.launch)",
          [
            arm.name.asMarkdown, arm.growth.description, arm.bytesPerCommit?.description ?? "–",
            arm.levelsOff ? "yes" : "no", grouped(arm.longestLag),
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
    return "At the end of the phase after the release, arm \(analysis.mainArm.asCode):\n\n"
      + sentences.joined(separator: "\n")
  }

  private var arms: String {
    let arms = analysis.record.scenario.arms.filter { !$0.summary.isEmpty }
    guard arms.count > 1 else { return "" }
    return "Arms:\n\n"
      + arms.map { "- \($0.name.asCode): \($0.summary.asMarkdown)" }.joined(separator: "\n")
  }
}
