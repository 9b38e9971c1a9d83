// The results of `tune` for a terminal.
package import LaunchSchedules
import MetricModel
import Objective
package import RecordModel

package enum TuneText {
  /// - Parameter isBrief: whether to leave out the tables.
  package static func text(_ analysis: TuneAnalysis, isBrief: Bool) -> String {
    let names = analysis.record.scenarios.map(\.name).joined(separator: ", ")
    return "  \(names) · objective: \(analysis.record.objective)\n"
      + analysis.engines.map { section($0, isBrief) }.joined(separator: "\n")
  }

  /// The first difference between predicted rows and run ones, in words.
  package static func difference(_ difference: RowDifference, _ seed: UInt64) -> String {
    "seed \(seed): \(OptimumWords.difference(difference))"
  }

  private static func section(_ tuning: EngineTuning, _ isBrief: Bool) -> String {
    let engine = tuning.engine
    let lead = "\n  \(engine.engine)"
    if let absence = engine.absence { return "\(lead): \(absence.visible)" }
    guard let shipped = tuning.shipped else {
      return "\(lead): no rule for closures was searched\n" + (isBrief ? "" : tables(tuning))
    }
    let seeds = "\(counted(engine.heldOutSeeds.count, "held-out seed"))"
    let rule = TuneWords.policy(shipped.policy)
    let isIdle = tuning.result(of: shipped.policy).map(TuneWords.compactsNothing) ?? false
    var out =
      isIdle
      ? "\(lead) · do not compact at launch: the best rule, \(rule), compacts nothing here\n"
      : "\(lead) · ship this: \(rule)\n"
    if let result = tuning.result(of: shipped.policy) {
      out += "    \(TuneWords.regret(result)) regret on \(seeds)"
      let limit = TuneWords.limit(result, of: engine.heldOutSeeds.count * engine.workloads.count)
      out += limit.isEmpty ? "\n" : " · \(limit)\n"
    }
    if let sentence = TuneRobustness.sentence(tuning) {
      out += "    \(sentence)\n"
      let worst = TuneRobustness.worstValues(tuning)
      if !isBrief, !worst.isEmpty {
        out += "      there \(worst.joined(separator: ", ").visible)\n"
      }
    }
    for workload in engine.workloads {
      guard let difference = workload.difference else { continue }
      out += "    approximate, since in \(workload.scenario) \(difference.visible)\n"
    }
    for policy in tuning.incomplete {
      out +=
        "    left out: \(TuneWords.policy(policy.policy).visible) has figures in \(policy.runs) of "
      out += "\(counted(policy.allRuns, "run"))\n"
    }
    return out + (isBrief ? "" : tables(tuning))
  }

  private static func tables(_ tuning: EngineTuning) -> String {
    let isRemembering = tuning.withMemory != nil
    return "\n" + table(tuning, withMemory: false)
      + (isRemembering ? "\n\n" + table(tuning, withMemory: true) : "")
  }

  private static func table(_ tuning: EngineTuning, withMemory: Bool) -> String {
    let ranking = tuning.ranking(withMemory: withMemory)
    let titles = [
      withMemory ? "rules with memory" : "rules for closures, and policies", "held-out regret",
      "rewritten", "high water", "compactions",
    ]
    let rows = ranking.map { item in
      let result = item.result
      let name = TuneWords.policy(item.names[0]).visible
      let others = item.names.count == 1 ? "" : ", and \(item.names.count - 1) more"
      let width = 48 - others.count
      return [
        (name.count > width ? "\(name.prefix(width - 1))…" : name) + others,
        TuneWords.regret(result) + (result.violations > 0 ? " !" : ""), "\(result.rewritten)",
        "\(result.highWater)", result.compactions.threeDigits,
      ]
    }
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([titles] + rows).map { cells in
      "    "
        + cells.indices.map { TextColumn.pad(cells[$0], to: widths[$0], right: $0 > 0) }
        .joined(separator: "  ")
    }
    let note = ranking.contains { $0.result.violations > 0 } ? ["    ! over a limit"] : []
    return (lines + note).joined(separator: "\n")
  }
}
