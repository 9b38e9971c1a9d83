// What each decision of a policy cost: the difference between the best that was possible after it and before it. The losses of
// all decisions add up to the policy's cost above the optimum.
package import Objective

/// A decision at a launch, and how much more the best continuation costs after it than after the other one.
package struct DecisionLoss: Hashable, Sendable {
  /// The index of the node in the graph.
  package let node: Int
  package let compacts: Bool
  package let loss: Cost
}

extension ScheduleGraph {
  /// Returns the loss of each decision of the schedule through these nodes, at every node between the beginning and the end.
  package func losses(through nodes: [Int]) -> [DecisionLoss] {
    let best = costsToEnd
    let compacted = Set(nodes)
    var state = 0
    return (1..<max(1, end)).map { node in
      // The costs from here on, up to what is the same in both.
      let staying = ((node + 1)...end).map { edge(state, $0).cost + best[$0] }.min() ?? .zero
      let compacting = edge(state, node).cost + best[node]
      let compacts = compacted.contains(node)
      let least = min(staying, compacting)
      if compacts { state = node }
      return DecisionLoss(
        node: node, compacts: compacts, loss: (compacts ? compacting : staying) - least)
    }
  }

  /// The least cost from a compaction at each node to the end.
  private var costsToEnd: [Cost] {
    var best = Array(repeating: Cost.zero, count: end + 1)
    for node in (0..<end).reversed() {
      best[node] = ((node + 1)...end).map { edge(node, $0).cost + best[$0] }.min() ?? .zero
    }
    return best
  }
}
