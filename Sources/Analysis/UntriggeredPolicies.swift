// Policies and conditions that never triggered, on which engines, and why.
import MetricModel
import Policies

struct UntriggeredPolicies {
  private let analysis: ScenarioAnalysis

  init(_ analysis: ScenarioAnalysis) { self.analysis = analysis }

  /// A sentence for each policy.
  var sentences: [String] {
    analysis.record.scenario.policies.compactMap { policy in
      policy.onLaunch == .never ? automatic(policy) : condition(policy)
    }
  }

  private func condition(_ policy: Policy) -> String? {
    let engines = analysis.launchRules.filter { $0.policy.name == policy.name && $0.neverTriggered }
      .filter { rule in analysis.choices.contains { $0.engine == rule.engine } }
      .map { rule in
        let reason = rule.lastRefusal.map { "at the last launch: \($0.asMarkdown)" }
        return "\(rule.engine) (\(reason ?? "no launch evaluated it"))"
      }
    guard !engines.isEmpty else { return nil }
    let name = "\(policy.name.asCode)"
    let subject = policy.automatic ? "The condition of \(name)" : name
    return "\(subject) never triggered on \(engines.inWords)."
  }

  private func automatic(_ policy: Policy) -> String? {
    let engines = analysis.choices.filter { $0.untriggered.contains(policy.name) }.map(\.engine)
    guard !engines.isEmpty else { return nil }
    return
      "\(policy.name.asCode) never triggered on \(engines.inWords): sizes equal those of `never`."
  }
}
