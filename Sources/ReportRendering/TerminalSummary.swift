// The table in the terminal after a scenario: one line per engine and policy, with a sparkline of the file size.
package import Analysis
import MetricModel
import RecordModel

package enum TerminalSummary {
  /// Returns aligned plain text. A table that is too wide for `width` has a line for each engine's name and shorter titles.
  /// The brief text has only the expectations and the path of the report.
  package static func text(
    _ analysis: ScenarioAnalysis, reportPath: String?, width: Int = 80, isBrief: Bool = false
  ) -> String {
    var lines = isBrief ? [] : table(analysis, width: width)
    if !analysis.expectations.isEmpty {
      lines.append("  expectations: \(ExpectationCounts(analysis).words)")
      for failure in failures(analysis) { lines += wrapped(failure, indent: 4, width) }
    }
    if let reportPath { lines.append("  report: \(reportPath)") }
    return lines.joined(separator: "\n") + (isBrief ? "" : "\n")
  }

  private static func table(_ analysis: ScenarioAnalysis, width: Int) -> [String] {
    let rows = analysis.engines.flatMap { engine in
      let arm = shownArm(of: engine, analysis)
      let name = arm == analysis.mainArm ? engine : "\(engine), \(arm)"
      return analysis.record.scenario.policies.compactMap { policy in
        analysis.cell(engine, policy.name, arm).map {
          TerminalRow($0, name, analysis.labels[policy.name])
        }
      }
    }
    let wide = TerminalTable.wide(rows)
    let fits = wide.allSatisfy { $0.count <= width }
    var lines = fits ? wide : TerminalTable.narrow(rows, width: width)
    lines.append("")
    let arms = analysis.record.scenario.arms
    if arms.count > 1 {
      lines += wrapped(
        "arm \(analysis.mainArm); the report has all \(arms.count) arms", indent: 2, width)
    }
    for (label, rule) in analysis.labels.legend {
      lines += wrapped("\(label): \(rule.onOneLine)", indent: 2, width)
    }
    return lines
  }

  /// The main arm, or the first that the engine could run.
  private static func shownArm(of engine: String, _ analysis: ScenarioAnalysis) -> String {
    let arms = analysis.record.scenario.arms.map(\.name)
    let measured = arms.first { arm in
      analysis.cells.contains { $0.key.engine == engine && $0.key.arm == arm && $0.isMeasured }
    }
    return measured ?? analysis.mainArm
  }

  private static func failures(_ analysis: ScenarioAnalysis) -> [String] {
    analysis.expectations.compactMap { outcome in
      guard case .failed(let evidence) = outcome.result else { return nil }
      let expectation = analysis.record.scenario.expectations[outcome.index]
      let cell =
        "\(outcome.cell.engine), \(analysis.labels[outcome.cell.policy]), \(outcome.cell.arm)"
      return "failed: \(expectation.text) (line \(expectation.line); \(cell)): \(evidence)"
        .onOneLine
    }
  }

  /// Returns the text broken at spaces; a word that is wider than the line stays whole.
  private static func wrapped(_ text: String, indent: Int, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent + 2)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}

/// A line of the table.
struct TerminalRow {
  let engine: String
  let policy: String
  let figures: [String]
  let curve: [Double]

  static let metrics: [SummaryMetric] = [
    .highWater, .final, .amplification, .rewritten, .blockedAtLaunchTotal, .commitP99,
  ]

  init(_ cell: CellAnalysis, _ engine: String, _ label: String) {
    self.engine = engine
    policy = label.onOneLine
    figures = Self.metrics.map { metric in
      cell.value(metric).map { FigureText.words($0, metric.unit) } ?? "n/a"
    }
    curve = cell.isMeasured ? cell.samples.map { Double($0.observation.space.total.bytes) } : []
  }
}

enum TerminalTable {
  private static let curveWidth = 24
  private static let minCurveWidth = 8

  /// Engine, policy, figures under titles of one line, and the curve.
  static func wide(_ rows: [TerminalRow]) -> [String] {
    let titles = ["high water", "final", "space amp.", "rewritten", "blocked", "commit p99"]
    let header = ["", ""] + titles + [""]
    return aligned(
      [header]
        + rows.map { row in
          [row.engine, row.policy] + row.figures + [Sparkline.text(row.curve, width: curveWidth)]
        }, right: 2...7)
  }

  /// Each engine's name on a line of its own, titles of two lines, and the curve in what is left of the width.
  static func narrow(_ rows: [TerminalRow], width: Int) -> [String] {
    let titles = [
      ["high", "", "space", "re-", "", "commit"],
      ["water", "final", "amp.", "written", "blocked", "p99"],
    ]
    let figures = titles + rows.map(\.figures)
    let taken = titles[0].indices.map { column in
      2 + (figures.map { $0[column].count }.max() ?? 0)
    }.reduce(4, +)
    let label = min(rows.map(\.policy.count).max() ?? 0, max(12, width - taken))
    let curve = min(curveWidth, width - taken - label - 2)
    var cells = titles.map { [""] + $0 + [""] }
    for row in rows {
      let small = curve < minCurveWidth ? "" : Sparkline.text(row.curve, width: curve)
      cells.append([shortened(row.policy, to: label)] + row.figures + [small])
    }
    let lines = aligned(cells, right: 1...6).map { "  " + $0 }
    var table = Array(lines.prefix(titles.count))
    for (index, row) in rows.enumerated() {
      if index == 0 || rows[index - 1].engine != row.engine { table.append("  \(row.engine)") }
      table.append(lines[titles.count + index])
    }
    return table
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
  }

  private static func aligned(_ rows: [[String]], right: ClosedRange<Int>) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        TextColumn.pad(row[column], to: widths[column], right: right.contains(column))
      }
      let line = "  " + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
