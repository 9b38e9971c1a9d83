// What a policy saves on one engine and what it costs there, in one sentence.
import MetricModel
import Policies

struct EngineSentence {
  private let choice: PolicyChoice
  private let analysis: ScenarioAnalysis
  /// Whether the verdict speaks of this engine only, so that its headline names the policy.
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
    let share = plain > 0 ? percent((plain - size) / plain) : percent(0)
    let (final, plainFinal) = (cell.value(.final) ?? 0, never.value(.final) ?? 0)
    let end =
      final < 0.99 * plainFinal
      ? ", and leaves \(bytes(final)) instead of \(bytes(plainFinal)) at the end" : ""
    let price =
      cell.value(.rewritten).map { "\(bytes($0)) rewritten" }
      ?? "a number of rewritten bytes that the engine does not tell"
    let subject = isAlone ? "it" : "\(analysis.labels[policy.name].asCode)"
    return "On \(choice.engine) \(subject) keeps the files at \(bytes(size)), averaged over time,"
      + " where `never` has \(bytes(plain)) (\(share) less)\(end), for \(price)\(launches(cell))."
  }

  /// What the clock can tell of launches: only a ratio whose interval leaves out 1 is a difference.
  private func launches(_ cell: CellAnalysis) -> String {
    guard let comparison = analysis.comparisons.first(where: { $0.key == cell.key }),
      let total = cell.value(.blockedAtLaunchTotal)
    else { return "" }
    guard let interval = comparison.blockedAtLaunchRatio?.interval, interval.coverage >= 0.95 else {
      return "; its launches together take \(Nanoseconds.words(total)),"
        + " and too few runs were made to tell that of `never` apart from noise"
    }
    let extra = Nanoseconds.words(abs(comparison.extraBlockedAtLaunch))
    if interval.low > 1 { return " and \(extra) more in all launches together" }
    return interval.high < 1
      ? "; its launches together are \(extra) shorter" : "; its launches take no longer than noise"
  }

  private func nothing(_ never: CellAnalysis, _ next: CellAnalysis?) -> String {
    let size = never.value(.timeWeighted) ?? 0
    let files = "the files take \(bytes(size)), averaged over time"
    guard let next, let other = next.value(.timeWeighted) else {
      let finding =
        choice.excluded.isEmpty ? "no policy ever fired" : "no policy is left beside `never`"
      return "On \(choice.engine) \(finding): \(files)."
    }
    let saved = size - other
    let most =
      saved <= 0
      ? "none saves anything"
      : "the best, \(analysis.labels[next.key.policy].asCode), saves \(bytes(saved)) (\(percent(saved / size)))"
    return "On \(choice.engine) no policy saves enough beside `never`: \(files), and \(most)."
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
    return "On \(choice.engine)\(cause)\(cause.isEmpty ? "" : ":") the files take"
      + " \(sizes.inWords), averaged over time."
  }

  private func bytes(_ value: Double) -> String { ByteCount(Int(value.rounded())).description }
}
