// The report's first paragraph: which policy to choose on the scenario's first engine, what it saves and costs, which
// condition never fires and why, and what held snapshots cost on each engine. Words around computed numbers only.
import MetricModel
import Policies
import PredicateLanguage
import RecordModel

package struct Verdict: Sendable, Equatable {
  /// One sentence, for bold print: `On this workload, compact automatically.`
  package let headline: String
  /// What the choice saves and costs; empty where nothing was measured.
  package let gain: String
  /// What was left out, and which conditions never fire.
  package let choice: [String]
  /// What a reader must know before the figures: what failed, and that the run was interrupted.
  package let warnings: [String]
  /// What held snapshots cost on each engine; nil where none were held.
  package let pins: String?
  /// That, and whether the figures repeat.
  package let context: [String]
  /// The rules that chose, in one sentence.
  package static let rules =
    "The policy with the least time-weighted size on the scenario's first engine and arm is chosen;"
    + " sizes within 5 % count as equal, then the fewest rewritten bytes (within 5 %), then the"
    + " simpler policy. `never` wins where the best saves less than 5 % or 1 MiB. Left out are"
    + " policies that rewrite more than the clients wrote, or whose longest launch (median) takes"
    + " more than 1 s."

  package var text: String {
    ([headline, gain] + warnings + choice + context).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Verdict {
  init(_ analysis: ScenarioAnalysis) {
    var choice: [String] = []
    if let chosen = analysis.choice {
      headline = "On this workload, \(Self.advice(chosen.policy))."
      gain = Self.gain(chosen, analysis)
      choice += chosen.excluded.map { "Left out is `\(analysis.labels[$0.policy])`: \($0.reason)." }
    } else {
      gain = ""
      headline = "No verdict: nothing was measured on \(analysis.primaryEngine)."
    }
    self.choice = choice + analysis.launchRules.filter(\.neverFires).map(Self.silence)
    let interruption =
      analysis.record.provenance.interrupted
      ? "The run was interrupted: some runs are missing." : nil
    warnings = [Self.failures(analysis), interruption].compactMap { $0 }
    pins = Self.pins(analysis)
    context = [pins, analysis.determinism.sentence].compactMap { $0 }
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
    let launches = analysis.comparisons.first { $0.key == choice.cell.key }.map(Self.launches)
    let (final, plainFinal) = (choice.cell.value(.final) ?? 0, never.value(.final) ?? 0)
    let end =
      final < 0.99 * plainFinal
      ? ", and leaves \(bytes(final)) instead of \(bytes(plainFinal)) at the end" : ""
    let price =
      choice.cell.value(.rewritten).map { "\(bytes($0)) rewritten" }
      ?? "a number of rewritten bytes that the engine does not tell"
    return
      "On \(engine) it keeps the files at \(bytes(size)), averaged over time, where `never` has"
      + " \(bytes(plain)) (\(share) % less)\(end), for \(price)\(launches ?? "")."
  }

  /// What the clock can tell of launches: only a ratio whose interval leaves out 1 is a difference.
  private static func launches(_ comparison: Comparison) -> String {
    guard let ratio = comparison.blockedAtLaunchRatio, let interval = ratio.interval,
      interval.coverage >= 0.95
    else { return "" }
    let extra = Nanoseconds.words(abs(comparison.extraBlockedAtLaunch))
    if interval.low > 1 { return " and \(extra) more in all launches together" }
    return interval.high < 1
      ? "; its launches together are \(extra) shorter" : "; its launches take no longer than noise"
  }

  private static func silence(_ rule: LaunchRuleOutcome) -> String {
    let reason = rule.lastRefusal.map { " (at the last launch \($0))" } ?? ""
    let name = "`\(rule.policy.name.onOneLine)`"
    let subject = rule.policy.automatic ? "The condition of \(name)" : name
    return "\(subject) never fires there\(reason)."
  }

  private static func pins(_ analysis: ScenarioAnalysis) -> String? {
    guard let first = analysis.pinCosts.first else { return nil }
    let isOnePhase = analysis.pinCosts.allSatisfy { $0.phase == first.phase }
    let engines = analysis.pinCosts.map { cost in
      let phase = isOnePhase ? "" : " in `\(cost.phase)`"
      return "\(cost.engine) \(cost.main.whileHeld)\(phase)\(otherArms(cost))"
    }
    let phase = isOnePhase ? "phase `\(first.phase)`, " : ""
    let policy = "policy `\(analysis.labels[first.policy])`"
    return "While snapshots are held (\(phase)\(policy)): \(engines.joined(separator: "; "))."
  }

  /// What the other arms grow by in the same phase.
  private static func otherArms(_ cost: PinCost) -> String {
    guard !cost.cures.isEmpty else { return "" }
    let arms = cost.cures.map { arm in
      "`\(arm.name)`: \(arm.growth.bytes <= 0 ? "not at all" : arm.growth.description)"
    }
    return " (\(arms.joined(separator: ", ")))"
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
