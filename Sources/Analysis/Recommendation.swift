// The report's first paragraph: the recommended policy for each engine, its savings and costs, conditions that never
// triggered and why, and the cost of held snapshots on each engine.
import MetricModel
import Policies
import PredicateLanguage
import RecordModel

package struct Recommendation: Sendable, Equatable {
  /// In bold: what failed, and what to do: `On this workload, compact automatically.`
  package let headline: String
  /// Savings and costs, a sentence for each engine; empty if nothing was measured.
  package let engines: [String]
  /// Excluded policies, those that an engine does not support, and policies and conditions that never triggered.
  package let choice: [String]
  /// Warnings: failed expectations, and an interrupted run.
  package let warnings: [String]
  /// The cost of held snapshots on each engine; nil if none were held.
  package let pins: String?
  /// The cost of held snapshots, and whether the figures are reproducible.
  package let context: [String]
  /// The rule for launches where the objective does not limit them.
  package static let launchRule =
    "without `max-launch`, a policy is excluded whose longest launch (median) takes more than 1 s and"
    + " more than that of `never`"
  /// The rules of the recommendation.
  package static let rules =
    "On each engine, the policy that costs the least by the objective is recommended, in the main arm:"
    + " a price for bytes above a freshly compacted file over virtual time, one for rewritten bytes, and"
    + " one for time blocked at launch beyond that of `never` (medians; every second run chooses the policy,"
    + " and the cost shown is that of the others). Freshly compacted are the files"
    + " of `every-launch`; where that was not measured, live data stand in, and where they are not reported"
    + " either, nothing. That is subtracted from every policy alike, so no rank depends on it. Of costs"
    + " that exceed the least by at most 5 %, or by the price of 1 MiB over the run, the simplest policy is"
    + " named: `never`, `automatic`, `every-launch`, a condition. Limits of the objective come first; \(launchRule)."
    + " Excluded, too, are policies that compacted nothing, and those of which"
    + " something priced is not known. If `never` was not measured, nothing is recommended."

  package var text: String {
    ([headline] + engines + warnings + choice + context).joined(separator: " ")
  }
}

extension Recommendation {
  init(_ analysis: ScenarioAnalysis) {
    let choices = analysis.choices
    let outcome = [Self.failedCells(analysis), Self.advice(analysis)].compactMap { $0 }
    headline = outcome.joined(separator: " ")
    engines = choices.map { EngineSentence($0, analysis, isAlone: choices.count == 1).text }
    choice =
      Self.exclusions(analysis) + Self.absences(analysis) + UntriggeredPolicies(analysis).sentences
    let interruption =
      analysis.record.provenance.interrupted
      ? "The run was interrupted: some repetitions are missing." : nil
    warnings = [
      Self.failures(analysis), interruption, Self.departures(analysis), Self.disturbance(analysis),
      analysis.machineCheck.flatMap { $0.isPassed ? nil : $0.sentence },
    ].compactMap { $0 }
    pins = Self.pins(analysis)
    context = [
      Self.objective(analysis), Self.otherPrices(analysis), pins,
      analysis.determinism.sentence.asMarkdown,
      analysis.machineCheck.flatMap { $0.isPassed ? $0.sentence : nil },
    ].compactMap { $0 }
  }

  /// Returns the advice for each engine, or one for all if it is the same.
  private static func advice(_ analysis: ScenarioAnalysis) -> String {
    guard !analysis.choices.isEmpty else {
      let empty = analysis.cells.first(where: \.isMeasured)?.key.engine
      return "No recommendation: \(empty.map { "\($0) stores no data" } ?? "nothing was measured")."
    }
    var groups: [(advice: String, engines: [String])] = []
    for choice in analysis.choices {
      let advice = advice(choice)
      if let index = groups.firstIndex(where: { $0.advice == advice }) {
        groups[index].engines.append(choice.engine)
      } else {
        groups.append((advice, [choice.engine]))
      }
    }
    if groups.count == 1 {
      guard case .nothing(let reason) = analysis.choices[0].advice else {
        return "On this workload, \(groups[0].advice)."
      }
      return "No recommendation: on \(analysis.choices[0].engine) \(reason)."
    }
    return "On this workload: "
      + groups.map { "on \($0.engines.inWords), \($0.advice)" }.joined(separator: "; ") + "."
  }

  private static func advice(_ choice: PolicyChoice) -> String {
    switch choice.advice {
    case .compact(let policy, _): advice(policy)
    case .doNothing: "do not compact"
    case .nothing: "no recommendation"
    }
  }

  private static func advice(_ policy: Policy) -> String {
    switch (policy.automatic, policy.onLaunch) {
    case (false, .never): "do not compact"
    case (true, .never): "compact automatically"
    case (false, .always): "compact at every launch"
    case (true, .always): "compact automatically and at every launch"
    case (false, .when(let predicate)): "compact on launch when \(predicate.oneLine.asCode)"
    case (false, .program(let program)): "compact on launch when \(program.text.asCode) decides so"
    case (true, .program(let program)):
      "compact automatically, and on launch when \(program.text.asCode) decides so"
    case (true, .when(let predicate)):
      "compact automatically, and on launch when \(predicate.oneLine.asCode)"
    }
  }

  private static func exclusions(_ analysis: ScenarioAnalysis) -> [String] {
    analysis.choices.flatMap { choice in
      let engine = analysis.choices.count > 1 ? " on \(choice.engine)" : ""
      return choice.excluded.map {
        "Excluded\(engine): \(analysis.labels[$0.policy].asCode), because \($0.reason.asMarkdown)."
      }
    }
  }

  /// Returns the policies that are recommended on one engine, and that another one does not support.
  private static func absences(_ analysis: ScenarioAnalysis) -> [String] {
    let chosen = analysis.choices.compactMap { choice in
      if case .compact(let policy, _) = choice.advice { policy.name } else { nil }
    }
    return analysis.record.scenario.policies.map(\.name).filter(chosen.contains).flatMap { name in
      analysis.choices.compactMap { choice in
        guard let absence = analysis.cell(choice.engine, name, analysis.mainArm)?.absence else {
          return nil
        }
        return "\(analysis.labels[name].asCode) is n/a on \(choice.engine): \(absence.asMarkdown)."
      }
    }
  }

  /// The prices and limits, and what stands for a freshly compacted file.
  private static func objective(_ analysis: ScenarioAnalysis) -> String? {
    let priced = analysis.choices.filter { $0.prices != nil }
    guard !priced.isEmpty else { return nil }
    let references = priced.compactMap { choice -> String? in
      switch choice.prices?.reference {
      case .everyLaunch, nil: nil
      case .liveData: "on \(choice.engine) live data stand in for a freshly compacted file"
      case .nothing: "on \(choice.engine) nothing stands in for a freshly compacted file"
      }
    }
    let reference =
      references.isEmpty
      ? "" : "; without `every-launch`, \(references.inWords)"
    return "Objective: \("\(analysis.objective)".asMarkdown)\(reference)."
  }

  /// What would be chosen if work cost a tenth, or ten times as much.
  private static func otherPrices(_ analysis: ScenarioAnalysis) -> String? {
    let clauses = analysis.choices.flatMap { choice in
      choice.otherPrices.map { other in
        let factor = other.factor < 1 ? "\(other.factor)" : "\(Int(other.factor))"
        return "\(analysis.labels[other.policy.name].asCode) on \(choice.engine) at \(factor) times"
      }
    }
    return clauses.isEmpty
      ? nil : "With other prices of work, the cheapest would be: \(clauses.inWords)."
  }

  private static func pins(_ analysis: ScenarioAnalysis) -> String? {
    guard let first = analysis.pinCosts.first else { return nil }
    let isOnePhase = analysis.pinCosts.allSatisfy { $0.phase == first.phase }
    let engines = analysis.pinCosts.map { cost in
      let phase = isOnePhase ? "" : " in \(cost.phase.asCode)"
      return "\(cost.engine) \(cost.main.whileHeld)\(phase)\(otherArms(cost))"
    }
    let phase = isOnePhase ? "phase \(first.phase.asCode), " : ""
    let policy = "policy \(analysis.labels[first.policy].asCode)"
    return "While snapshots are held (\(phase)\(policy)): \(engines.joined(separator: "; "))."
  }

  /// Returns the growth of the other arms in the same phase.
  private static func otherArms(_ cost: PinCost) -> String {
    guard !cost.mitigations.isEmpty else { return "" }
    let arms = cost.mitigations.map { arm in
      "\(arm.name.asCode): \(arm.growth.bytes <= 0 ? "not at all" : arm.growth.description)"
    }
    return " (\(arms.joined(separator: ", ")))"
  }

  private static func failedCells(_ analysis: ScenarioAnalysis) -> String? {
    let failed = analysis.cells.filter(\.hasFailed).map(\.key)
    guard !failed.isEmpty else { return nil }
    let tried = analysis.cells.count { $0.hasFailed || $0.isMeasured }
    var names = failed.prefix(3).map {
      "\($0.engine), \(analysis.labels[$0.policy]), \($0.arm)".asMarkdown
    }
    if failed.count > 3 { names.append("and \(failed.count - 3) more") }
    let count = failed.count == tried ? "All \(counted(tried, "cell"))" : nil
    let share = count ?? "\(failed.count) of \(counted(tried, "cell"))"
    return "\(share) failed (\(names.joined(separator: "; ")))."
  }

  /// The cells whose stepped curve does not describe what real threads do.
  private static func departures(_ analysis: ScenarioAnalysis) -> String? {
    let departures = analysis.departures
    guard
      let (key, curves) = departures.max(by: {
        ($0.curves.widest?.excess ?? .zero) < ($1.curves.widest?.excess ?? .zero)
      }), let departure = curves.widest
    else { return nil }
    let compared = analysis.cells.count { $0.threadCurves != nil }
    let name = "\(key.engine), \(analysis.labels[key.policy]), \(key.arm)".asMarkdown
    return
      "On real threads, file sizes of \(departures.count) of \(counted(compared, "cell")) leave the band around the"
      + " exact curve, farthest on \(name): \(departure.size) at commit \(grouped(departure.commit))"
      + " in \(departure.phase.asCode),"
      + " where the stepped run has \(departure.exact.lowerBound)–\(departure.exact.upperBound)."
  }

  /// What was taken from the machine while times were measured.
  private static func disturbance(_ analysis: ScenarioAnalysis) -> String? {
    let clauses = analysis.record.provenance.conditions?.disturbances(percent) ?? []
    guard !clauses.isEmpty else { return nil }
    return "While times were measured, \(clauses.inWords); compare them with care."
  }

  private static func failures(_ analysis: ScenarioAnalysis) -> String? {
    let failed = analysis.expectations.count { if case .failed = $0.result { true } else { false } }
    guard failed > 0 else { return nil }
    return "\(counted(failed, "expectation")) of the scenario failed; see Expectations."
  }
}

extension CellAnalysis {
  package var hasFailed: Bool { record.hasFailed }
}
