// The tables of policies on held-out seeds, for the page of `tune`.
import LaunchSchedules
import MetricModel
import Objective
import RecordModel

enum TunePolicyTable {
  /// Returns the table of the rules with memory, or of all other policies, with what it leaves out.
  static func text(_ tuning: EngineTuning, withMemory: Bool) -> String {
    let ranking = tuning.ranking(withMemory: withMemory)
    guard !ranking.isEmpty else { return "" }
    let isMixed = tuning.engine.workloads.count > 1
    var table = MarkdownTable(columns(isMixed: isMixed, isTimed: tuning.hasTimes))
    for item in ranking { table.add(cells(item, tuning, isMixed: isMixed)) }
    var out = table.text
    if !tuning.hasTimes, ranking.contains(where: { $0.result.dominated != nil }) {
      out +=
        "\nDominated is by space and rewriting; time blocked at launch is not in it: add `--calibration`.\n"
    }
    return out
  }

  /// Returns sentences on policies that are in no table; empty where there are none.
  static func omissions(_ tuning: EngineTuning) -> String {
    tuning.incomplete.map {
      "\nLeft out: `\(TuneWords.policy($0.policy))`, which has figures in \($0.runs) of "
        + "\(counted($0.allRuns, "run")).\n"
    }.joined()
  }

  private static func columns(
    isMixed: Bool, isTimed: Bool
  ) -> [(title: String, alignment: MarkdownTable.Alignment)] {
    [
      ("policy", .left), ("held-out regret", .right), ("points above the shipped rule", .right),
      ("", .left), ("above fresh, mean", .right), ("rewritten a run", .right),
    ] + (isTimed ? [("blocked a run", .right)] : []) + [
      ("compactions", .right), ("high water", .right), ("dominated", .right), ("limits", .left),
    ] + (isMixed ? [("worst mixture", .right), ("worst workload", .right)] : [])
  }

  private static func cells(
    _ item: RankedPolicy, _ tuning: EngineTuning, isMixed: Bool
  ) -> [String] {
    let result = item.result
    let isShipped = tuning.shipped.map { item.names.contains($0.policy) } ?? false
    let runs = tuning.engine.heldOutSeeds.count * tuning.engine.workloads.count
    return [
      (isShipped ? "**ship** " : "")
        + item.names.map { "`\(TuneWords.policy($0))`" }.joined(separator: ", "),
      TuneWords.regret(result), isShipped ? "" : TuneWords.above(result.aboveShipped),
      TuneWords.verdict(result), "\(result.excess)", "\(result.rewritten)",
    ] + (tuning.hasTimes ? [TuneWords.milliseconds(result.blocked)] : []) + [
      result.compactions.threeDigits, "\(result.highWater)",
      result.dominated.map { "\(($0 * 100).threeDigits) %" } ?? "–",
      TuneWords.limit(result, of: runs) + (result.exceeded.map { ": \($0)".asMarkdown } ?? ""),
    ] + (isMixed ? robustness(result) : [])
  }

  private static func robustness(_ result: HeldOutResult) -> [String] {
    guard let robustness = result.robustness else { return ["–", "–"] }
    return [TuneWords.percent(robustness.mixture), TuneWords.percent(robustness.worst)]
  }

  /// Returns the regret of the shipped rule and of vendors' rules at other prices of work, in a fold; empty in records that do
  /// not have the optima at these prices.
  static func otherPrices(_ tuning: EngineTuning) -> String {
    let vendors = Set(VendorDefault.all.map(\.label))
    let rows = tuning.policies.compactMap { result -> (names: [String], result: HeldOutResult)? in
      let names = result.names.filter { vendors.contains($0) || $0 == tuning.shipped?.policy }
      let isKnown = result.otherRegrets.contains { $0 != nil }
      return names.isEmpty || !isKnown ? nil : (names, result)
    }
    guard !rows.isEmpty else { return "" }
    let factors = Objective.otherFactors.map { $0 < 1 ? "\($0) ×" : "\(Int($0)) ×" }
    var table = MarkdownTable(
      [("policy", .left)] + factors.prefix(1).map { ($0, .right) } + [("1 ×", .right)]
        + factors.dropFirst().map { ($0, .right) })
    for (names, result) in rows {
      let others = result.otherRegrets.map { $0.map(TuneWords.percent) ?? "–" }
      table.add(
        [names.map { "`\(TuneWords.policy($0))`" }.joined(separator: ", ")] + others.prefix(1)
          + [result.regret.map(TuneWords.percent) ?? "–"] + others.dropFirst())
    }
    return "\n<details><summary>At other prices of work</summary>\n\n"
      + "Held-out regret where rewriting and blocking cost a tenth and ten times as much, beside the optima at these "
      + "prices. Thresholds are those chosen at the price itself.\n\n" + table.text
      + "\n</details>\n"
  }
}
