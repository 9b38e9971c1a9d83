// How the curves behave: what the files cost over time, whether they go on growing, and how soon they are back.
import Analysis
import MetricModel
import RecordModel

struct CurveSection {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  private var curves: [CurveStatistics] {
    analysis.curves.filter { $0.key.arm == analysis.mainArm }
  }

  var parts: [String] {
    guard let first = curves.first else { return [] }
    return ["## How the curves behave", introduction, table, explanation(first)]
  }

  private var introduction: String {
    let worth =
      switch analysis.determinism.finding {
      case .exact, .unchecked: "All figures are exact"
      case .differs, .threads, .nothing: "All figures are those of the first run"
      }
    return """
      Arm \(analysis.mainArm.asCode). \(worth); of a slope the median and, in brackets, the interval between the curve's own \
      slopes [95 %].
      """
  }

  private var table: String {
    var table = MarkdownTable(
      [
        ("engine", .left), ("policy", .left), ("grows on", .left), ("per commit", .right),
        ("area, GB·s", .right), ("area, GB·commits", .right),
      ] + (showsQuota ? [(quotaTitle, .right)] : []) + [
        ("reclaimed after release", .left), ("rebound", .right),
      ])
    for curve in curves {
      let growing = curve.growing
      table.add(
        [
          curve.key.engine, analysis.labels[curve.key.policy].asMarkdown,
          growing.map { "\($0.phase.asCode), launch \($0.launch)" } ?? "nowhere",
          growing?.shape?.trend.map { slope in
            let bounds = [slope.interval.low, slope.interval.high].map(Self.bytes)
            return "\(Self.bytes(slope.slope)) [\(bounds.joined(separator: ", "))]"
          } ?? "–", curve.area.gigabyteSeconds.threeDigits, curve.area.gigabyteCommits.threeDigits,
        ] + (showsQuota ? [aboveQuota(curve)] : []) + [
          reclaimed(curve),
          curve.reboundAfterCompaction.map { "\($0.threeDigits)×" } ?? "–",
        ])
    }
    return table.text
  }

  /// The usual quota says nothing where all files stay below it; one that was asked for always does.
  private var showsQuota: Bool {
    analysis.isQuotaGiven
      || curves.contains { $0.area.commitsAboveQuota > 0 || $0.area.timeAboveQuota > .zero }
  }

  private var quotaTitle: String {
    curves.first?.quota.map { "above \($0)" } ?? "above quota"
  }

  private func aboveQuota(_ curve: CurveStatistics) -> String {
    guard curve.quota != nil else { return "n/a" }
    let time = FigureText.duration(curve.area.timeAboveQuota)
    let commits = counted(curve.area.commitsAboveQuota, "commit")
    return curve.area.timeAboveQuota == .zero ? "never" : "\(time), \(commits)"
  }

  private func reclaimed(_ curve: CurveStatistics) -> String {
    guard let reclaim = curve.slowestReclaim else { return "–" }
    let what = curve.reclaimed
    guard let back = reclaim.back else {
      return "\(what): not within \(counted(reclaim.lastAfter, "commit"))"
    }
    return "\(what): \(counted(back, "commit"))"
  }

  private func explanation(_ curve: CurveStatistics) -> String {
    let limit = curve.quota.map {
      "Above \($0): the time and the commits during which all files were larger"
    }
    let below = curve.quota.map { "All files stay below \($0)" }
    let quota =
      (showsQuota ? limit : below)
      ?? "No engine here tells live bytes, so that there is no usual quota"
    return """
      Grows on: where over the last third of a phase all files rise by 2 % and 1 MiB or more, with the steepest slope
      (Theil–Sen). Area: all files over the scenario's clock and over commits. \(quota)
      (`report --quota` sets another; the usual one is twice the most live data). Reclaimed: until pinned bytes, or all
      files, are back where they were before snapshots were held, at the slowest release. Rebound: how far the files
      rise again within a launch after a compaction. Each phase of every cell is in `\(CurveCSV.fileName)`.
      """
  }

  private static func bytes(_ value: Double) -> String {
    ByteCount(Int(value.rounded())).description
  }
}
