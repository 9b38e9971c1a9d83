// Policies and conditions that never triggered, or could not be carried out: on which engines, and why.
import MetricModel
import Policies

struct UntriggeredPolicies {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  /// A sentence for each policy.
  var sentences: [String] {
    analysis.record.scenario.policies.flatMap { policy in
      policy.onLaunch == .never
        ? [automatic(policy)].compactMap { $0 }
        : [condition(policy), skips(policy)].compactMap { $0 }
    }
  }

  private func condition(_ policy: Policy) -> String? {
    let engines = rules(of: policy).filter(\.neverTriggered).map { rule in
      let reason = rule.lastRefusal.map { "at the last launch: \($0.asMarkdown)" }
      return "\(rule.engine) (\(reason ?? "no launch evaluated it"))"
    }
    guard !engines.isEmpty else { return nil }
    let name = "\(policy.name.asCode)"
    let subject = policy.automatic ? "The condition of \(name)" : name
    return "\(subject) never triggered on \(engines.inWords)."
  }

  /// The launches at which the policy decided for a compaction, and the engine could not run it.
  private func skips(_ policy: Policy) -> String? {
    let engines = rules(of: policy).compactMap { rule in
      rule.lastSkip.map {
        "\(rule.engine) at \(counted(rule.skippedCount, "launch", "launches")) (the last: \($0.asMarkdown))"
      }
    }
    guard !engines.isEmpty else { return nil }
    return "Compactions of \(policy.name.asCode) were skipped on \(engines.inWords)."
  }

  private func rules(of policy: Policy) -> [LaunchRuleOutcome] {
    analysis.launchRules.filter { rule in
      rule.policy.name == policy.name && analysis.choices.contains { $0.engine == rule.engine }
    }
  }

  private func automatic(_ policy: Policy) -> String? {
    let engines = analysis.choices.filter { $0.untriggered.contains(policy.name) }.map(\.engine)
    guard !engines.isEmpty else { return nil }
    return
      "\(policy.name.asCode) never triggered on \(engines.inWords): sizes equal those of `never`."
  }
}
