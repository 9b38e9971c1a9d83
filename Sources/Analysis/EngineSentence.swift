// The savings and costs of a policy on one engine, in one sentence.
import MetricModel
import Objective
import Policies

struct EngineSentence {
  private let choice: PolicyChoice
  private let analysis: ScenarioAnalysis
  /// Whether there is no other engine, so that the headline names the policy.
  private let isAlone: Bool

  init(_ choice: PolicyChoice, _ analysis: ScenarioAnalysis, isAlone: Bool) {
    self.choice = choice
    self.analysis = analysis
    self.isAlone = isAlone
  }

  var text: String {
    switch choice.advice {
    case .compact(let policy, let cell): gain(policy, cell)
    case .doNothing(let never, let next): nothing(never, next)
    case .nothing(let reason): facts(reason)
    }
  }

  private func gain(_ policy: Policy, _ cell: CellAnalysis) -> String {
    guard let never = choice.never, let plain = never.value(.timeWeighted),
      let size = cell.value(.timeWeighted)
    else { return "" }
    let share = plain > 0 ? percent(abs(plain - size) / plain) : percent(0)
    let change = size <= plain ? "\(share) less" : "\(share) more"
    let (final, plainFinal) = (cell.value(.final) ?? 0, never.value(.final) ?? 0)
    let end =
      final < 0.99 * plainFinal
      ? ", with a final size of \(bytes(final)) instead of \(bytes(plainFinal))" : ""
    let price =
      cell.value(.rewritten).map { "\(bytes($0)) rewritten" }
      ?? "an unreported number of rewritten bytes"
    let subject = isAlone ? "it" : "\(analysis.labels[policy.name].asCode)"
    return "On \(choice.engine) \(subject) keeps the files at a time-weighted \(bytes(size)),"
      + " compared with \(bytes(plain)) under `never` (\(change))\(end), for \(price)\(launches(cell))"
      + cost(of: cell, beside: never) + "."
  }

  /// A clause on what it costs by the objective; empty where that is not known.
  private func cost(of cell: CellAnalysis, beside never: CellAnalysis) -> String {
    guard let cost = choice.cost(of: cell) else { return "" }
    let other =
      choice.cost(of: never).map { "compared with \($0.words) under `never`" }
      ?? "while `never` exceeds a limit"
    return "; by the objective it costs \(cost.words) points, \(other)"
  }

  /// Returns the effect on launch times: only a ratio whose interval excludes 1 is a difference.
  private func launches(_ cell: CellAnalysis) -> String {
    guard let comparison = analysis.comparisons.first(where: { $0.key == cell.key }),
      let total = cell.value(.blockedAtLaunchTotal)
    else { return "" }
    guard let interval = comparison.blockedAtLaunchRatio?.interval, interval.coverage >= 0.95 else {
      return "; launches take \(Nanoseconds.words(total)) in total"
        + " (too few runs to compare with `never`)"
    }
    let extra = Nanoseconds.words(abs(comparison.extraBlockedAtLaunch))
    if interval.low > 1 { return " and \(extra) more launch time in total" }
    return interval.high < 1
      ? "; launches are \(extra) shorter in total" : "; launch times do not differ significantly"
  }

  private func nothing(_ never: CellAnalysis, _ next: CellAnalysis?) -> String {
    let size = never.value(.timeWeighted) ?? 0
    let files = "the time-weighted file size is \(bytes(size))"
    guard let next, let other = next.value(.timeWeighted) else {
      let finding =
        choice.excluded.isEmpty
        ? "no policy triggered a compaction" : "every policy but `never` is excluded"
      return "On \(choice.engine) \(finding): \(files)."
    }
    let costs =
      choice.cost(of: never).map { "it costs \($0.words) points by the objective" }
      ?? "it has no price"
    let label = analysis.labels[next.key.policy].asCode
    let best = choice.cost(of: next).map { "\(label), the cheapest other, costs \($0.words)" } ?? ""
    return "On \(choice.engine) no policy costs clearly less than `never`: \(files), \(costs), and"
      + " \(best), with \(bytes(other))."
  }

  private func facts(_ reason: String) -> String {
    let sizes = analysis.cells.filter {
      $0.key.engine == choice.engine && $0.key.arm == analysis.mainArm && $0.isMeasured
    }.compactMap { cell in
      cell.value(.timeWeighted).map {
        "\(bytes($0)) under \(analysis.labels[cell.key.policy].asCode)"
      }
    }
    let cause = isAlone ? "" : " nothing can be recommended, since \(reason)"
    guard !sizes.isEmpty else { return isAlone ? "" : "On \(choice.engine)\(cause)." }
    return "On \(choice.engine)\(cause)\(cause.isEmpty ? "" : ":") the time-weighted file size is"
      + " \(sizes.inWords)."
  }

  private func bytes(_ value: Double) -> String { ByteCount(Int(value.rounded())).description }
}
