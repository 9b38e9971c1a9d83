// How well a shipped rule holds where the scenario's amounts are varied, for the page of `tune` and the terminal.
import LaunchSchedules
import MetricModel
import RecordModel

enum TuneRobustness {
  /// The result of the shipped rule in a sentence; nil where nothing was varied.
  static func sentence(_ tuning: EngineTuning) -> String? {
    guard let varied = tuning.engine.robustness, let result = shipped(tuning) else { return nil }
    let points = varied.scenarios.map(\.points.count).max() ?? 0
    let runs = varied.runs.count { $0.policy == result.policy }
    // Where the optimum costs nothing there is no regret.
    let known =
      result.count < runs ? " (known in \(grouped(result.count)) of \(grouped(runs)) runs)" : ""
    return "at \(counted(points, "point")) with amounts varied by up to "
      + "\(TuneWords.percent(varied.reach)): regret\(known) "
      + "\(TuneWords.percent(result.median)) in the median, "
      + "\(TuneWords.percent(result.percentile)) at the 95th percentile, "
      + "\(TuneWords.percent(result.worst)) at worst"
  }

  /// The values of the shipped rule's worst point, as `--set` takes them; empty where nothing was varied.
  static func worstValues(_ tuning: EngineTuning) -> [String] {
    guard let varied = tuning.engine.robustness, let result = shipped(tuning) else { return [] }
    return varied.settings(of: result.worstRun, tuning.engine)
  }

  /// The section of the page; empty where nothing was varied.
  static func section(_ tuning: EngineTuning) -> String {
    guard let varied = tuning.engine.robustness, let sentence = sentence(tuning) else { return "" }
    var out =
      "\n### Robustness\n\nThe shipped rule \(sentence). All runs have seed \(varied.seed), and each point "
    out += "is of the Sobol sequence over the keys that the schema marks with `x-scalable`"
    for scenario in varied.scenarios where !scenario.keys.isEmpty {
      let keys = zip(scenario.keys, scenario.values).map { "`\($0)` (\($1.asMarkdown))" }
      out += "; in \(scenario.scenario.asMarkdown): \(keys.joined(separator: ", "))"
    }
    out += ".\n\n" + table(tuning)
    let worst = worstValues(tuning).map { "--set \"\($0)\"" }.joined(separator: " ")
    if !worst.isEmpty { out += "\nThe shipped rule's worst point: `\(worst)`\n" }
    for absence in varied.absences { out += "\nNot run: \(absence.asMarkdown).\n" }
    return out
  }

  private static func shipped(_ tuning: EngineTuning) -> VariedResult? {
    tuning.varied.first { $0.policy == tuning.shipped?.policy }
  }

  private static func table(_ tuning: EngineTuning) -> String {
    var table = MarkdownTable([
      ("policy", .left), ("median regret", .right), ("95th percentile", .right),
      ("worst", .right), ("worst point", .left), ("runs", .right), ("over a limit", .right),
    ])
    let isMixed = tuning.engine.workloads.count > 1
    for result in tuning.varied {
      let workload = tuning.engine.workloads[result.worstRun.workload]
      let workloadName = isMixed ? "\(workload.scenario), \(workload.arm), ".asMarkdown : ""
      table.add([
        (result.policy == tuning.shipped?.policy ? "**ship** " : "")
          + "`\(TuneWords.policy(result.policy))`",
        TuneWords.percent(result.median), TuneWords.percent(result.percentile),
        TuneWords.percent(result.worst), "\(workloadName)\(result.worstRun.point + 1)",
        grouped(result.count), grouped(result.violations),
      ])
    }
    return table.text
  }
}

extension VariedRuns {
  /// The values at the point of a run, as `--set` takes them.
  func settings(of run: VariedRun, _ engine: TunedEngine) -> [String] {
    let name = engine.workloads[run.workload].scenario
    return scenarios.first { $0.scenario == name }?.settings(at: run.point) ?? []
  }
}
