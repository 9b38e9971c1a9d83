// The policies of an engine by what an app needs for them: rules with memory are ranked apart.

/// A result, with those of its policies that are of one kind.
package struct RankedPolicy: Sendable {
  package let result: HeldOutResult
  package let names: [String]
}

extension EngineTuning {
  /// Returns the rules with memory between launches, or all other policies, the cheapest first.
  package func ranking(withMemory hasMemory: Bool) -> [RankedPolicy] {
    let remembering = Set(engine.families.filter(\.hasMemory).map(\.policy))
    return policies.compactMap { result in
      let names = result.names.filter { remembering.contains($0) == hasMemory }
      return names.isEmpty ? nil : RankedPolicy(result: result, names: names)
    }
  }
}
