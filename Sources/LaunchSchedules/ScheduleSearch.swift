// The cheapest schedule: V(k) = min over j > k of w(k, j) + V(j), where w is the cost from one compaction to the next, that of
// the first among it (Wagner and Whitin 1958). Of schedules that cost the same the one with the fewest compactions is taken,
// and of those the one whose first differing compaction is the earliest.
package import Objective

package struct ScheduleSearch: Sendable {
  package let graph: ScheduleGraph
  package let limits: ScheduleLimits

  package init(_ graph: ScheduleGraph, _ limits: ScheduleLimits = .none) {
    self.graph = graph
    self.limits = limits
  }

  package enum Outcome: Hashable, Sendable {
    /// The nodes between the beginning and the end, and what they cost.
    case found([Int], Cost)
    case unsatisfiable(UnmetLimit)
  }

  package func best() -> Outcome {
    if let unmet = unmetLimit() { return .unsatisfiable(unmet) }
    guard let path = paths({ $0.cost.units }).first??.nodes else {
      preconditionFailure("a limit that no schedule meets was found before")
    }
    if let limit = limits.rewritten, rewritten(path) > limit {
      return .found(limitedPath(limit), graph.cost(through: limitedPath(limit)))
    }
    return .found(path, graph.cost(through: path))
  }

  private func limitedPath(_ limit: Int) -> [Int] {
    LimitedPathSearch(graph, limits, maxRewritten: limit).best()
  }

  func rewritten(_ nodes: [Int]) -> Int {
    graph.edges(through: nodes).reduce(0) { $0 + $1.rewritten }
  }

  /// The cheapest way from a node to the end.
  struct Path {
    var cost: Int128
    /// The number of compactions on it.
    var count: Int
    var nodes: [Int]
  }

  /// Returns the cheapest way to the end from each node, by the weights of edges that limits allow; nil where there is none.
  func paths(_ weight: (ScheduleEdge) -> Int128) -> [Path?] {
    let end = graph.end
    var best: [(cost: Int128, count: Int, next: Int)?] = Array(repeating: nil, count: end + 1)
    best[end] = (0, 0, end)
    for node in (0..<end).reversed() {
      for next in (node + 1)...end {
        let edge = graph.edge(node, next)
        guard let rest = best[next], limits.allows(edge) else { continue }
        let found = (weight(edge) + rest.cost, rest.count + (next < end ? 1 : 0), next)
        guard let known = best[node] else {
          best[node] = found
          continue
        }
        if (found.0, found.1) < (known.cost, known.count) { best[node] = found }
      }
    }
    return best.indices.map { start in
      best[start].map { first in
        var nodes: [Int] = []
        var next = first.next
        while next < end {
          nodes.append(next)
          next = best[next]?.next ?? end
        }
        return Path(cost: first.cost, count: first.count, nodes: nodes)
      }
    }
  }
}
