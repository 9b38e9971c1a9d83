// The results of an optimum for a terminal.
package import LaunchSchedules
import MetricModel
import Objective

package enum OptimumText {
  /// - Parameter isBrief: whether to leave out the tables.
  package static func text(_ analysis: OptimumAnalysis, isBrief: Bool) -> String {
    "  objective: \(analysis.objective)\n"
      + analysis.results.map { section($0, isBrief) }.joined(separator: "\n")
  }

  /// Returns a line for each engine and arm on which no schedule meets the limits, with the least that there is.
  package static func unmetLimits(_ analysis: OptimumAnalysis) -> [String] {
    analysis.results.compactMap { result in
      guard case .unsatisfiable(let unmet, let schedule)? = result.rankings.first?.best,
        let names = result.matrix?.names
      else { return nil }
      return "\(result.cell.engine) · \(result.cell.arm.visible): "
        + OptimumWords.unmet(unmet, schedule, names)
    }
  }

  private static func section(_ result: OptimumResult, _ isBrief: Bool) -> String {
    let lead =
      "  \(result.cell.engine) · \(result.cell.arm.visible)"
      + (result.cell.isAutomatic ? " · beside automatic compaction" : "")
    if let absence = result.absence { return "\n\(lead): \(absence.visible)" }
    guard let ranking = result.rankings.first, let names = result.matrix?.names else { return lead }
    let rest = "    \(OptimumWords.basis(result).visible)"
    switch ranking.best {
    case .unsatisfiable(let unmet, let schedule):
      return "\n\(lead): \(OptimumWords.unmet(unmet, schedule, names))\n\(rest)"
    case .found(let best):
      let title =
        result.basis == .someSchedules ? "cheapest of those run" : "optimum"
      return "\n\(lead): \(title): compact \(names.phrase(best.schedule)), cost "
        + "\(best.cost.words)\n\(rest)" + (isBrief ? "" : "\n" + table(ranking, names))
    }
  }

  private static func table(_ ranking: PolicyRanking, _ names: OpeningNames) -> String {
    let titles = ["", "cost", "regret", "rewritten", "high water", "compacted at"]
    let rows = ranking.policies.map { outcome in
      [
        outcome.policy.visible, outcome.cost.words, OptimumWords.regret(outcome),
        "\(outcome.figures.rewritten)", "\(outcome.figures.highWater)",
        (outcome.schedule.map(names.numbers) ?? "some files only")
          + (outcome.isAutomatic ? ", and automatically" : "")
          + (outcome.exceeded.isEmpty ? "" : " · over the limit"),
      ]
    }
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    return ([titles] + rows).map { cells in
      let padded = cells.indices.map { column in
        let isText = column == 0 || column == cells.count - 1
        return TextColumn.pad(
          cells[column], to: column == cells.count - 1 ? 0 : widths[column], right: !isText)
      }
      return "    " + padded.joined(separator: "   ")
    }.joined(separator: "\n")
  }
}
