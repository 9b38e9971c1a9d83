// optimum.md: of each engine and arm the cheapest schedule, and what each policy costs beside it.
package import LaunchSchedules
import MetricModel
import Objective
import RecordModel

package enum OptimumMarkdown {
  package static let fileName = "optimum.md"

  /// - Parameter folder: the folder of the pictures, below that of the page.
  package static func text(
    _ analysis: OptimumAnalysis, pictures: [OptimumPicture.File], folder: String
  ) -> String {
    let record = analysis.record
    var out = "# Optimum of \(record.scenario.name.asMarkdown)\n\n"
    if let warning = record.integrity.warning { out += "> \(warning)\n\n" }
    out += "\(record.scenario.question.asMarkdown)\n\n"
    out += "Objective: \("\(analysis.objective)".asMarkdown).\n"
    for result in analysis.results {
      out += "\n## \(result.cell.engine.asMarkdown), arm \(result.cell.arm.asMarkdown)\n\n"
      if result.cell.isAutomatic {
        out += "Beside automatic compaction, which every launch schedule here has, too.\n\n"
      }
      out += section(result, pictures, folder, isTimed: record.calibration != nil)
    }
    out += """

      ## Method

      Every run is stepped, so every byte count repeats. The cost of a schedule is the price of the bytes above a freshly \
      compacted file over virtual time, and of the bytes that its compactions write again. A freshly compacted file is, in \
      each launch, the smallest of all schedules that were run. Regret is (cost − optimum) ÷ optimum; where the optimum costs \
      nothing, the difference is shown with a plus sign. \(times(record))\(moments(record)) \
      Figures: `\(OptimumCSV.fileName)`, \
      `\(OptimumCSV.matrixFileName)`.

      Command: `\(record.provenance.command)`

      """
    return out
  }

  private static func times(_ record: OptimumRecord) -> String {
    guard let calibration = record.calibration else { return "Times are not priced." }
    return "Times are predicted by \(calibration.asMarkdown), for files in the page cache."
  }

  private static func moments(_ record: OptimumRecord) -> String {
    guard record.scenario.lifecycle.background != nil else { return "" }
    return " A compaction in the background holds up no launch."
  }

  private static func section(
    _ result: OptimumResult, _ pictures: [OptimumPicture.File], _ folder: String, isTimed: Bool
  ) -> String {
    if let absence = result.absence { return "No optimum: \(absence.asMarkdown).\n" }
    guard let ranking = result.rankings.first, let names = result.matrix?.names else { return "" }
    var out =
      lead(ranking, result, names) + "\n\nIt is \(OptimumWords.basis(result).asMarkdown).\n\n"
    out += table(result, names, isTimed: isTimed)
    if let picture = pictures.first(where: {
      $0.engine == result.cell.engine && $0.arm == result.cell.arm
    }) {
      out += "\n![schedules by launch](\(folder)/\(picture.name))\n"
    }
    let decisions = ranking.policies.compactMap { outcome in
      line(outcome).map { "- `\(outcome.policy)` \($0)" }
    }
    if !decisions.isEmpty {
      out +=
        "\nWhere policies decided otherwise than the optimum:\n\n"
        + decisions.joined(separator: "\n") + "\n"
    }
    return out
  }

  private static func lead(
    _ ranking: PolicyRanking, _ result: OptimumResult, _ names: OpeningNames
  ) -> String {
    switch ranking.best {
    case .unsatisfiable(let unmet, let schedule):
      return "**\(OptimumWords.unmet(unmet, schedule, names).asMarkdown).**"
    case .found(let best):
      let title =
        result.basis == .someSchedules
        ? "The cheapest schedule that was run" : "The cheapest schedule"
      return "**\(title): compact \(names.phrase(best.schedule))**, cost "
        + "\(best.cost.words); \(best.figures.rewritten) rewritten, at most "
        + "\(best.figures.highWater)."
    }
  }

  /// The longest launch, and for how long compactions held up all of them.
  private static func times(_ figures: PricedFigures) -> [String] {
    [figures.longestLaunch, figures.blocked].map { "\((Double($0) / 1_000_000).threeDigits) ms" }
  }

  private static func table(
    _ result: OptimumResult, _ names: OpeningNames, isTimed: Bool
  ) -> String {
    guard let ranking = result.rankings.first else { return "" }
    let others = result.rankings.dropFirst()
    var table = MarkdownTable(
      [
        ("policy", .left), ("compacted at", .left), ("cost", .right), ("regret", .right),
      ] + others.map { ("regret, work \(OptimumWords.factor($0.factor))", .right) }
        + [("rewritten", .right), ("high water", .right), ("disk", .right)]
        + (isTimed ? [("longest launch", .right), ("blocked", .right)] : []))
    if case .found(let best) = ranking.best {
      table.add(
        [
          "*optimum*", names.numbers(best.schedule), best.cost.words, "0 %",
        ]
          + others.map { $0.best.schedule.map { "0 % (\(names.numbers($0.schedule)))" } ?? "–" }
          + [
            "\(best.figures.rewritten)", "\(best.figures.highWater)", "\(best.figures.peakDisk)",
          ] + (isTimed ? times(best.figures) : []))
    }
    for (index, outcome) in ranking.policies.enumerated() {
      let at =
        (outcome.schedule.map(names.numbers) ?? "some files only")
        + (outcome.isAutomatic ? ", and automatically" : "")
      table.add(
        [
          "`\(outcome.policy)`", at, outcome.cost.words,
          OptimumWords.regret(outcome) + (outcome.exceeded.isEmpty ? "" : ", over the limit"),
        ]
          + others.map { OptimumWords.regret($0.policies[index]) }
          + [
            "\(outcome.figures.rewritten)", "\(outcome.figures.highWater)",
            "\(outcome.figures.peakDisk)",
          ] + (isTimed ? times(outcome.figures) : []))
    }
    return table.text
  }

  /// The first decision that was another, and the costliest; nil where all are as the optimum's.
  private static func line(_ outcome: PolicyOutcome) -> String? {
    let first = outcome.firstDifference.map { "first \(OptimumWords.decision($0).asMarkdown)" }
    let costliest = outcome.costliest.flatMap { decision -> String? in
      guard let loss = decision.loss else { return nil }
      let lead = "lost the most, \(loss.words), when it "
      return decision.launch == outcome.firstDifference?.launch
        ? lead + "did so" : lead + OptimumWords.decision(decision).asMarkdown
    }
    let exceeded =
      outcome.exceeded.isEmpty
      ? nil : "exceeds: \(outcome.exceeded.joined(separator: "; ").asMarkdown)"
    let parts = [first, costliest, exceeded].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
