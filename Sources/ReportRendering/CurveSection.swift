// The curves of file sizes: their area over time, whether they keep growing, and how soon space is reclaimed.
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
    return [
      "## File size over time", summary,
      MarkdownFold.text(
        "Area, slope, reclamation and rebound of each curve",
        [introduction, table, explanation(first)]),
    ]
  }

  /// Which files keep growing, in one sentence.
  private var summary: String {
    let growing = curves.filter { $0.growing != nil }
    guard !growing.isEmpty else { return "The files of all cells level off in every phase." }
    let names = analysis.engines.compactMap { engine -> String? in
      let labels = growing.filter { $0.key.engine == engine }.map {
        analysis.labels[$0.key.policy].asCode
      }
      return labels.isEmpty ? nil : "\(engine) under \(labels.inWords)"
    }
    return "Keep growing: \(names.joined(separator: "; "))."
  }

  private var introduction: String {
    let precision =
      switch analysis.determinism.finding {
      case .exact, .unchecked: "All figures are exact"
      case .differs, .threads, .nothing: "All figures are of the first run"
      }
    return """
      Arm \(analysis.mainArm.asCode). \(precision). Slopes per commit are Theil–Sen estimates with an interval [95 %] of \
      the slopes within the curve.
      """
  }

  private var table: String {
    var table = EngineTables(
      [
        ("policy", .left), ("keeps growing in", .left),
        ("slope per commit", .right),
        ("area, GB·s", .right), ("area, GB·commits", .right),
      ] + (showsQuota ? [(quotaTitle, .right)] : []) + [
        ("reclaimed after release", .left), ("rebound", .right),
      ])
    for engine in analysis.engines {
      for curve in curves where curve.key.engine == engine { add(curve, to: &table) }
      if let line = analysis.equalToNever(on: engine) { table.add(lineAfter: line) }
    }
    return table.text
  }

  private func add(_ curve: CurveStatistics, to table: inout EngineTables) {
    let growing = curve.growing
    if let cell = analysis.cell(curve.key), analysis.isEqualToNever(cell) { return }
    table.add(
      curve.key.engine,
      [
        analysis.labels[curve.key.policy].asMarkdown,
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

  /// The default quota is shown only if a file exceeds it; one that the user gave always is.
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
    guard let commits = reclaim.commitsToRecover else {
      return "\(what): not within \(counted(reclaim.commitsObserved, "commit"))"
    }
    return "\(what): \(counted(commits, "commit"))"
  }

  private func explanation(_ curve: CurveStatistics) -> String {
    let limit = curve.quota.map {
      "Above \($0): the time and the number of commits during which the files were larger in total"
    }
    let below = curve.quota.map { "The files stay below \($0) in total" }
    let quota =
      (showsQuota ? limit : below)
      ?? "No engine here reports live bytes, so there is no default quota"
    return """
      Keeps growing in: the phase with the steepest slope of those in whose last third the files grow by at least 2 % and
      1 MiB. Area: the total file size integrated over virtual time and over commits. \(quota) (`report --quota` sets
      another; the default is twice the maximum of live bytes). Reclaimed: the number of commits after the slowest
      release until pinned bytes, or all files, are back at their size before snapshots were held. Rebound: the ratio by
      which the files grow again within a launch after a compaction. All phases of all cells: `\(CurveCSV.fileName)`.
      """
  }

  private static func bytes(_ value: Double) -> String {
    ByteCount(Int(value.rounded())).description
  }
}
