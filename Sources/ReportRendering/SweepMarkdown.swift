// sweep.md: what a sweep found. The best policy of each engine first, by the rule of the verdict.
package import Analysis
import MetricModel
import Objective
import RecordModel

package enum SweepMarkdown {
  package static let fileName = "sweep.md"
  /// Rows of the table of best cells; sweep.csv has all.
  private static let maxRows = 60

  /// - Parameter folder: the folder of the pictures, below that of the page.
  package static func text(
    _ sweep: SweepAnalysis, _ metric: SummaryMetric, pictures: [SweepPictures.Picture],
    folder: String
  ) -> String {
    let record = sweep.record
    var out = "# Sweep of \(record.name.asMarkdown)\n\n"
    if let warning = record.integrity.warning { out += "> \(warning)\n\n" }
    let cells = record.groups.reduce(0) { $0 + $1.cells.count { $0.status == .measured } }
    out += "\(counted(record.points.count, "point")), \(counted(cells, "cell")). Varied: "
    out +=
      record.axes.map { "`\($0.name)` (\($0.text.asMarkdown))" }.joined(separator: ", ") + ".\n"
    if record.provenance.interrupted {
      out += "\n**The sweep was interrupted.** The same command runs the rest.\n"
    }
    out += "\n## Best policy\n\n\(bestTable(sweep))\n"
    for picture in pictures {
      out +=
        "## \(picture.caption.asMarkdown)\n\n![\(picture.caption.asMarkdown)](\(folder)/\(picture.file))\n\n"
    }
    out += """
      ## Method

      Every cell runs once under the stepped schedule, so every byte count repeats. Points that differ in policies only \
      share their cells: a policy that does not depend on a varied value runs once. The best policy is the one that the \
      verdict's rule recommends among all points with the same data, clients and phases, by the objective: \
      \("\(sweep.groups.first?.objective ?? Objective())".asMarkdown). Limits of the objective come first; \
      \(Recommendation.launchRule). \
      Figures: `\(SweepCSV.fileName)`; times: `\(SweepCSV.timesFileName)`.

      Command: `\(record.provenance.command)`

      | | |
      |---|---|
      \(record.provenance.machineRows.map { "| \($0.cell) | \($1.cell) |" }.joined(separator: "\n"))

      """
    return out
  }

  private static func bestTable(_ sweep: SweepAnalysis) -> String {
    let best = sweep.best
    guard !best.isEmpty else { return "Nothing was measured.\n" }
    let axes = sweep.record.axes
    var table = MarkdownTable(
      [("engine", .left)] + axes.map { ($0.name, .left) }
        + [("best policy", .left), ("size", .right), ("`never`", .right), ("rewritten", .right)])
    for entry in best.prefix(maxRows) {
      let cell = entry.choice.cell
      table.add(
        [entry.choice.engine] + axes.indices.map { values(sweep, entry, $0) }
          + [
            words(entry.choice).asMarkdown, size(cell, .timeWeighted),
            size(entry.choice.never, .timeWeighted), size(cell, .rewritten),
          ])
    }
    let rest =
      best.count > maxRows ? "\nThe first \(maxRows) of \(best.count) rows are shown.\n" : ""
    return table.text + rest
  }

  /// The values of an axis for which a recommendation is made.
  private static func values(
    _ sweep: SweepAnalysis, _ best: SweepAnalysis.Best, _ axis: Int
  ) -> String {
    let all = Set(best.group.map { sweep.record.points[$0].values[axis] })
    var found: [String] = []
    for point in best.points {
      let value = sweep.record.points[point].values[axis]
      if !found.contains(value) { found.append(value) }
    }
    // A policy that occurs at every value of its group does not depend on it.
    if found.count > 1, found.count == all.count { return "any" }
    return found.count <= 3 ? found.joined(separator: ", ").asMarkdown : "\(found.count) values"
  }

  private static func words(_ choice: PolicyChoice) -> String {
    switch choice.advice {
    case .compact(let policy, _): policy.name
    case .doNothing: "never: \(SweepText.reasonForNever(choice))"
    case .nothing(let reason): "none: \(reason)"
    }
  }

  private static func size(_ cell: CellAnalysis?, _ metric: SummaryMetric) -> String {
    guard let value = cell?.value(metric) else { return "–" }
    return FigureText.words(value, metric.unit)
  }
}
