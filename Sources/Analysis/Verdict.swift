// The report's first paragraph: which policy to choose on the scenario's first engine, what it saves and costs, which
// condition never fires and why, and what held snapshots cost on each engine. Words around computed numbers only.
import MetricModel
import Policies
import PredicateLanguage
import RecordModel

package struct Verdict: Sendable, Equatable {
  /// One sentence, for bold print: `On this workload, compact automatically.`
  package let headline: String
  /// The sentences after it.
  package let sentences: [String]
  /// The rules that chose, in one sentence.
  package static let rules =
    "The policy with the least time-weighted size on the scenario's first engine and arm is chosen;"
    + " sizes within 5 % count as equal, then the fewest rewritten bytes (within 5 %), then the"
    + " simpler policy. `never` wins where the best saves less than 5 % or 1 MiB. Left out are"
    + " policies that rewrite more than the clients wrote, or whose longest launch (median) takes"
    + " more than 1 s."

  package var text: String { ([headline] + sentences).joined(separator: " ") }
}

extension Verdict {
  init(_ analysis: ScenarioAnalysis) {
    var sentences: [String] = []
    if let choice = analysis.choice {
      headline = "On this workload, \(Self.advice(choice.policy))."
      sentences.append(Self.gain(choice, analysis))
      sentences += choice.excluded.map {
        "Left out is `\(analysis.labels[$0.policy])`: \($0.reason)."
      }
    } else {
      headline = "No verdict: nothing was measured on \(analysis.primaryEngine)."
    }
    sentences += analysis.launchRules.filter(\.neverFires).map { Self.silence($0, analysis) }
    if let pins = Self.pins(analysis) { sentences.append(pins) }
    if let failed = Self.failures(analysis) { sentences.append(failed) }
    if analysis.record.provenance.interrupted {
      sentences.append("The run was interrupted: some runs are missing.")
    }
    sentences.append(analysis.determinism.sentence)
    self.sentences = sentences
  }

  private static func advice(_ policy: Policy) -> String {
    switch (policy.automatic, policy.onLaunch) {
    case (false, .never): "do not compact"
    case (true, .never): "compact automatically"
    case (false, .always): "compact at every launch"
    case (true, .always): "compact automatically and at every launch"
    case (false, .when(let predicate)): "compact on launch when `\(predicate.oneLine)`"
    case (true, .when(let predicate)):
      "compact automatically, and on launch when `\(predicate.oneLine)`"
    }
  }

  private static func gain(_ choice: PolicyChoice, _ analysis: ScenarioAnalysis) -> String {
    let engine = analysis.primaryEngine
    guard let size = choice.cell.value(.timeWeighted) else { return "" }
    guard let never = choice.never, let plain = never.value(.timeWeighted) else {
      return "On \(engine) it keeps the files at \(bytes(size)), averaged over time."
    }
    guard choice.cell.key != never.key else {
      return "On \(engine) no policy saves enough beside never: the files take \(bytes(size)),"
        + " averaged over time."
    }
    let share = plain > 0 ? Int((100 * (plain - size) / plain).rounded()) : 0
    let rewritten = choice.cell.value(.rewritten) ?? 0
    let blocked =
      (choice.cell.value(.blockedAtLaunchTotal) ?? 0) - (never.value(.blockedAtLaunchTotal) ?? 0)
    let launches =
      choice.policy.onLaunch == .never || blocked <= 0
      ? "and nothing at launch" : "and \(Nanoseconds.words(blocked)) more at all launches together"
    return
      "On \(engine) it keeps the files at \(bytes(size)), averaged over time, where `never` has"
      + " \(bytes(plain)) (\(share) % less), and leaves \(bytes(choice.cell.value(.final) ?? 0))"
      + " instead of \(bytes(never.value(.final) ?? 0)) at the end, for \(bytes(rewritten))"
      + " rewritten \(launches)."
  }

  private static func silence(
    _ rule: LaunchRuleOutcome, _ analysis: ScenarioAnalysis
  ) -> String {
    let reason = rule.lastRefusal.map { ": at the last, \($0)" } ?? ""
    let times = rule.declined == 1 ? "the one launch" : "all \(rule.declined) launches"
    return "`\(analysis.labels[rule.policy.name])` never fires there, declining at \(times) that"
      + " ask\(rule.declined == 1 ? "s" : "") it\(reason)."
  }

  private static func pins(_ analysis: ScenarioAnalysis) -> String? {
    guard let first = analysis.pinCosts.first else { return nil }
    let engines = analysis.pinCosts.map { cost in
      let cure = cost.cures.min { $0.growth < $1.growth }
      let cured = cure.map { cure in
        cure.growth.bytes <= 0
          ? "; with \(cure.name) it does not grow" : "; with \(cure.name) by \(cure.growth)"
      }
      return "\(cost.engine) \(cost.main.whileHeld)\(cured ?? "")"
    }
    return "While snapshots are held (`\(first.phase)`, policy `\(analysis.labels[first.policy])`):"
      + " \(engines.joined(separator: "; "))."
  }

  private static func failures(_ analysis: ScenarioAnalysis) -> String? {
    let failed = analysis.expectations.count { if case .failed = $0.result { true } else { false } }
    guard failed > 0 else { return nil }
    return "\(failed) expectation\(failed == 1 ? "" : "s") of the scenario failed; see below."
  }

  private static func bytes(_ value: Double) -> String {
    ByteCount(Int(value.rounded())).description
  }
}
