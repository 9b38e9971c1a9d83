// What the policies of a run are compared with. Without it a report cannot say what a policy saves, so that it is run
// unless the scenario or the user leaves it out.
import Policies

package enum Comparator: String, Hashable, Sendable, Codable, CaseIterable {
  /// Doing nothing, which is run even where `policies` does not list it.
  case never
  /// No policy is added for comparison, and no policy is recommended.
  case nothing = "none"
}

extension Scenario {
  /// The scenario with `never` before its policies, where they lack it and it is not left out.
  package func addingComparator() -> Scenario {
    guard comparator ?? .never == .never, !policies.contains(where: { $0.rule == "never" }) else {
      return self
    }
    var scenario = self
    var added = Policy.never
    // Another policy may have been given that name.
    while policies.contains(where: { $0.name == added.name }) { added.name += " (comparator)" }
    scenario.policies.insert(added, at: 0)
    scenario.addedComparator = added.name
    return scenario
  }
}
