// The cheapest schedule that rewrites no more than a limit over the whole run: a node is reached with many costs and sums of
// rewriting, of which those that others beat in both are dropped (labels), and those that cannot become the best.
import Objective

struct LimitedPathSearch {
  private let graph: ScheduleGraph
  private let limits: ScheduleLimits
  private let maxRewritten: Int
  /// The least cost and the least rewriting from each node to the end; nil where there is no way.
  private let cheapest: [ScheduleSearch.Path?]
  private let lightest: [ScheduleSearch.Path?]

  init(_ graph: ScheduleGraph, _ limits: ScheduleLimits, maxRewritten: Int) {
    self.graph = graph
    self.limits = limits
    self.maxRewritten = maxRewritten
    let search = ScheduleSearch(graph, limits)
    cheapest = search.paths { $0.cost.units }
    lightest = search.paths { Int128($0.rewritten) }
  }

  private struct Label {
    var cost: Int128
    var count: Int
    var rewritten: Int
    /// Where it came from: the node, and the index of its label there.
    var origin: (node: Int, label: Int)
  }

  /// Returns the nodes of the schedule. One within the limit must exist.
  func best() -> [Int] {
    let bound = upperBound()
    var labels: [[Label]] = Array(repeating: [], count: graph.end + 1)
    labels[0] = [Label(cost: 0, count: 0, rewritten: 0, origin: (0, 0))]
    for node in 0..<graph.end {
      if node > 0 { labels[node] = Self.undominated(labels[node]) }
      for (index, label) in labels[node].enumerated() {
        for next in (node + 1)...graph.end {
          if let extended = extended(label, from: (node, index), to: next, bound) {
            labels[next].append(extended)
          }
        }
      }
    }
    guard let last = Self.undominated(labels[graph.end]).first else {
      preconditionFailure("a schedule within the limit exists")
    }
    var nodes: [Int] = []
    var origin = last.origin
    while origin.node > 0 {
      nodes.append(origin.node)
      origin = labels[origin.node][origin.label].origin
    }
    return nodes.reversed()
  }

  /// Returns the label moved along an edge; nil if the edge is not allowed, or no way from there is within the limit or can
  /// cost less than is known to be possible.
  private func extended(
    _ label: Label, from origin: (Int, Int), to next: Int, _ bound: Int128
  ) -> Label? {
    let edge = graph.edge(origin.0, next)
    guard limits.allows(edge), let cheapest = cheapest[next], let lightest = lightest[next] else {
      return nil
    }
    let (cost, rewritten) = (label.cost + edge.cost.units, label.rewritten + edge.rewritten)
    guard cost + cheapest.cost <= bound, Int128(rewritten) + lightest.cost <= Int128(maxRewritten)
    else { return nil }
    return Label(
      cost: cost, count: label.count + (next < graph.end ? 1 : 0), rewritten: rewritten,
      origin: origin)
  }

  /// Returns the labels that no other beats, the cheapest first.
  private static func undominated(_ labels: [Label]) -> [Label] {
    let sorted = labels.sorted {
      ($0.cost, $0.count, $0.rewritten) < ($1.cost, $1.count, $1.rewritten)
    }
    var least = Int.max
    return sorted.filter { label in
      guard label.rewritten < least else { return false }
      least = label.rewritten
      return true
    }
  }

  /// The cost of some schedule within the limit: the cheapest one at a price of rewriting that is doubled until it is within,
  /// then narrowed down.
  private func upperBound() -> Int128 {
    let search = ScheduleSearch(graph, limits)
    guard var best = (lightest.first ?? nil)?.nodes else { return .max }
    var (low, high) = (Int128(0), Int128(1))
    func path(at price: Int128) -> [Int]? {
      (search.paths { $0.cost.units + price * Int128($0.rewritten) }.first ?? nil)?.nodes
    }
    /// Returns whether the cheapest schedule at the price is within the limit.
    func isWithin(at price: Int128) -> Bool {
      guard let nodes = path(at: price), search.rewritten(nodes) <= maxRewritten else {
        return false
      }
      if graph.cost(through: nodes) < graph.cost(through: best) { best = nodes }
      return true
    }
    while high < Self.maxPrice, !isWithin(at: high) { (low, high) = (high, high * 16) }
    while high - low > max(1, high / 64) {
      let middle = low + (high - low) / 2
      if isWithin(at: middle) { high = middle } else { low = middle }
    }
    return graph.cost(through: best).units
  }

  /// So that the price of 2⁶⁰ bytes is a number of 128 bits.
  private static let maxPrice = Int128(1) << 64
}
