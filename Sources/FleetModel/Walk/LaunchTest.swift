// A policy for millions of launches a second: the decision from the values that a walk has at a launch.
import MetricModel
package import Policies
import PredicateLanguage

/// The values that a policy may ask for in a simulation, by the indexes of the array that it decides from.
enum WalkVariable: Int, CaseIterable {
  case totalBytes, usedBytes, freeDiskBytes, launch, compactions, commits, time, rewrittenBytes
  case launchesSinceCompaction, commitsSinceCompaction, timeSinceCompaction, wasteSinceCompaction

  static func named(_ name: String) -> WalkVariable? {
    let own = ObservedVariable.named(name)?.name
    return allCases.first { "\($0)" == own }
  }
}

/// A policy as a simulation asks it.
package struct LaunchTest: Sendable {
  package let policy: Policy
  enum Rule: Sendable {
    case never, always
    case compiled(CompiledPredicate)
    /// Slower: names are looked up.
    case interpreted(Predicate)
  }

  let rule: Rule

  /// Reads a policy. Throws where a simulation cannot decide as it does.
  package init(_ policy: Policy) throws(SimulationError) {
    self.policy = policy
    if policy.automatic {
      throw SimulationError(
        "policy \(policy.name): curves are measured without automatic compaction, so that its files cannot be simulated; "
          + "choose a policy that compacts at launches")
    }
    switch policy.onLaunch {
    case .never: rule = .never
    case .always: rule = .always
    case .program:
      throw SimulationError(
        "policy \(policy.name): a program would be started at each of millions of launches; write its rule as a predicate"
      )
    case .when(let predicate):
      if let name = predicate.variables.first(where: { WalkVariable.named($0) == nil }) {
        let known = WalkVariable.allCases.map { "\($0)" }.joined(separator: ", ")
        throw SimulationError(
          "policy \(policy.name): a simulation does not have \(name); it has \(known)")
      }
      rule =
        predicate.compiled { WalkVariable.named($0)?.rawValue }.map { .compiled($0) }
        ?? .interpreted(predicate)
    }
  }

  @inline(__always)
  func holds(_ values: UnsafePointer<Double>) -> Bool {
    switch rule {
    case .never: false
    case .always: true
    case .compiled(let test): test(values)
    case .interpreted(let predicate):
      predicate.evaluate { WalkVariable.named($0).map { values[$0.rawValue] } } == .yes
    }
  }
}

/// Why a fleet cannot be simulated, and what to do.
package struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
