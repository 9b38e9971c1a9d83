// summary.csv: one row per cell and figure, for spreadsheets and scripts.
package import Analysis
import RecordModel

package enum SummaryCSV {
  package static let fileName = "summary.csv"

  /// `value` is in `unit`; `low` and `high` bound the median with probability `coverage`; `statistic` is `exact`,
  /// `median` or `absent`, the last with a reason; `schedule` is that of the runs.
  package static let columns = [
    "engine", "policy", "arm", "metric", "unit", "statistic", "value", "low", "high", "coverage",
    "runs",
    "reason", "schedule",
  ]

  package static func text(_ analysis: ScenarioAnalysis) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for cell in analysis.cells {
      for metric in SummaryMetric.allCases {
        line.append(cell.key.engine)
        line.append(cell.key.policy)
        line.append(cell.key.arm)
        line.append(metric.column)
        line.append(metric.unit.rawValue)
        for field in fields(cell.measure(metric)) { line.append(field) }
        let schedule = analysis.record.provenance.schedule
        line.append((metric.isTimed ? schedule.ofTimes : schedule.ofBytes).rawValue)
        line.endRow()
      }
    }
    return line.bytes
  }

  private static func fields(_ measure: Measure) -> [String] {
    if case .absent(let reason) = measure { return ["absent", "", "", "", "", "0", reason] }
    let interval = measure.interval
    let bounds = [interval?.low, interval?.high, interval?.coverage].map { $0.map(number) ?? "" }
    return [measure.isExact ? "exact" : "median", measure.value.map(number) ?? ""]
      + bounds + [String(measure.runs), ""]
  }

  static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }
}
