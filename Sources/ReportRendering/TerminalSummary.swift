// The table that a terminal shows when a scenario is done: one line per engine and policy, with the curve in small.
package import Analysis
import MetricModel
import RecordModel

package enum TerminalSummary {
  /// Plain text, aligned; `reportPath` is where the report lies.
  package static func text(_ analysis: ScenarioAnalysis, reportPath: String?) -> String {
    var rows = [
      ["", "", "high water", "final", "space amp.", "rewritten", "blocked", "commit p99", ""]
    ]
    for engine in analysis.engines {
      for policy in analysis.record.scenario.policies {
        guard let cell = analysis.cell(engine, policy.name, analysis.mainArm) else { continue }
        rows.append(row(cell, analysis.labels[policy.name]))
      }
    }
    var lines = aligned(rows)
    lines.append("")
    lines += analysis.labels.legend.map { "  \($0.label): \($0.rule)" }
    if !analysis.expectations.isEmpty {
      lines.append("  expectations: \(ExpectationCounts(analysis).words)")
      lines += failures(analysis)
    }
    if let reportPath { lines.append("  report: \(reportPath)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ cell: CellAnalysis, _ label: String) -> [String] {
    guard cell.isMeasured else {
      return [cell.key.engine, label, "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", ""]
    }
    func figure(_ metric: SummaryMetric) -> String {
      cell.value(metric).map { FigureText.words($0, metric.unit) } ?? "n/a"
    }
    return [
      cell.key.engine, label, figure(.highWater), figure(.final), figure(.amplification),
      figure(.rewritten), figure(.blockedAtLaunchTotal), figure(.commitP99),
      Sparkline.text(cell.samples.map { Double($0.observation.space.total.bytes) }, width: 24),
    ]
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        TextColumn.pad(row[column], to: widths[column], right: (2...7).contains(column))
      }
      let line = "  " + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func failures(_ analysis: ScenarioAnalysis) -> [String] {
    analysis.expectations.compactMap { outcome in
      guard case .failed(let evidence) = outcome.result else { return nil }
      let expectation = analysis.record.scenario.expectations[outcome.index]
      let cell =
        "\(outcome.cell.engine), \(analysis.labels[outcome.cell.policy]), \(outcome.cell.arm)"
      return "    failed: \(expectation.text) (line \(expectation.line); \(cell)): \(evidence)"
    }
  }
}

package enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// The greatest value of each of `width` stretches, from zero to the greatest of all.
  package static func text(_ values: [Double], width: Int) -> String {
    guard let greatest = values.max(), greatest > 0, width > 0 else { return "" }
    let columns = min(width, values.count)
    return String(
      (0..<columns).map { column in
        let stretch = values[
          (column * values.count / columns)..<((column + 1) * values.count / columns)]
        let share = (stretch.max() ?? 0) / greatest
        return bars[min(bars.count - 1, Int(share * Double(bars.count - 1) + 0.5))]
      })
  }
}
