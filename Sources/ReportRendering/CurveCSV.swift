// curves.csv: the figures of each cell's curve of all files, one row per phase of each launch.
package import Analysis
import RecordModel

package enum CurveCSV {
  package static let fileName = "curves.csv"

  /// Every column is a figure of the first repetition's samples, in the unit that its name ends with; see
  /// Docs/Metrics.md. An empty field means that there is none.
  package static let columns = [
    "engine", "policy", "arm", "launch", "phase", "first_commit", "last_commit", "begin_bytes",
    "end_bytes", "peak_bytes", "slope_bytes_per_commit", "slope_low_bytes_per_commit",
    "slope_high_bytes_per_commit", "slope_coverage", "levels_off", "plateau_begin_commit",
    "area_byte_us", "area_byte_commits", "quota_bytes", "above_quota_us", "above_quota_commits",
    "release_commit", "reclaim_commits", "rebound_ratio",
  ]

  package static func text(_ analysis: ScenarioAnalysis) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for curve in analysis.curves {
      for phase in curve.phases {
        for field in [curve.key.engine, curve.key.policy, curve.key.arm] { line.append(field) }
        append(phase, quota: curve.quota?.bytes, to: &line)
        line.endRow()
      }
    }
    return line.bytes
  }

  private static func append(_ phase: PhaseCurve, quota: Int?, to line: inout CSVLine) {
    line.append(phase.launch)
    line.append(phase.phase)
    for number in [
      phase.firstCommit, phase.lastCommit, phase.begin.bytes, phase.end.bytes, phase.peak.bytes,
    ] {
      line.append(number)
    }
    let trend = phase.shape?.trend
    for figure in [
      trend?.slope, trend?.interval.low, trend?.interval.high, trend?.interval.coverage,
    ] {
      line.append(figure.map(SummaryCSV.number) ?? "")
    }
    line.append(phase.shape?.levelsOff(isBytes: true))
    line.append(phase.plateauBegin)
    line.append("\(phase.area.byteMicroseconds)")
    line.append("\(phase.area.byteCommits)")
    line.append(quota)
    line.append(quota == nil ? nil : phase.area.timeAboveQuota.microseconds)
    line.append(quota == nil ? nil : phase.area.commitsAboveQuota)
    line.append(phase.reclaim?.release)
    line.append(phase.reclaim?.commitsToRecover)
    line.append(phase.rebound.ratio.map(SummaryCSV.number) ?? "")
  }
}
