// The results of `tune` as words and cells of tables, for its page and the terminal.
import LaunchSchedules
import MetricModel
import RecordModel
import Statistics

enum TuneWords {
  /// `3.1 % [1.2, 6.0]`; the cost where the optimum costs nothing.
  static func regret(_ result: HeldOutResult) -> String {
    guard let regret = result.regret else {
      return "cost \(result.cost.words)"
    }
    return percent(regret) + interval(result.interval)
  }

  /// ` [1.2, 6.0]`, in percent; empty where there is none.
  private static func interval(_ interval: Interval?) -> String {
    interval.map { " [\(number($0.low)), \(number($0.high))]" } ?? ""
  }

  /// Whether the rule compacted in none of the held-out runs, so that it is `never` by another name.
  static func compactsNothing(_ result: HeldOutResult) -> Bool { result.compactions == 0 }

  static func percent(_ share: Double) -> String { "\(number(share)) %" }

  /// `+12 [8.4, 17]` points of regret.
  static func above(_ interval: Interval?) -> String {
    interval.map { "\(number($0.low)) to \(number($0.high))" } ?? "–"
  }

  static func number(_ share: Double) -> String { (share * 100).threeDigits }

  /// Whether the interval says that the policy costs more than the shipped rule, or less.
  static func verdict(_ result: HeldOutResult) -> String {
    guard let above = result.aboveShipped else { return "" }
    if above.low > 0 { return "worse" }
    return above.high < 0 ? "better" : "no difference shown"
  }

  /// The mixtures of which the worst is shown, in sentences.
  static func mixture(_ analysis: TuneAnalysis) -> String {
    let mixture = analysis.mixture
    let given = analysis.record.scenarios.compactMap { scenario in
      mixture.weights[scenario.name].map { "\(scenario.name.asMarkdown) \($0.threeDigits)" }
    }
    let weights =
      given.isEmpty
      ? "" : "Each arm of a scenario counts 1, but: \(given.joined(separator: ", ")). "
    guard let divergence = mixture.maxDivergence else {
      return weights + "The worst mixture is the worst workload alone."
    }
    return weights
      + "The worst mixture is that of all weights of workloads within a Kullback–Leibler "
      + "divergence of \(divergence) of \(given.isEmpty ? "equal ones" : "these")."
  }

  /// The axes of the Pareto front.
  static func axes(_ analysis: TuneAnalysis) -> String {
    analysis.engines.contains(where: \.hasTimes)
      ? "space, rewriting and, where it is predicted, time blocked at launch"
      : "space and rewriting"
  }

  static func milliseconds(_ nanoseconds: Double?) -> String {
    nanoseconds.map { "\(($0 / 1_000_000).threeDigits) ms" } ?? "–"
  }

  static func policy(_ name: String) -> String {
    let vendor = VendorDefault.all.first { $0.label == name }
    return vendor == nil ? name.replacing("on-launch: ", with: "") : name
  }

  static func limit(_ result: HeldOutResult, of runs: Int) -> String {
    result.violations == 0 ? "" : "over a limit in \(result.violations) of \(counted(runs, "run"))"
  }
}
