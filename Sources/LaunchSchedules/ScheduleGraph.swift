// The decision of when to compact as a graph: its nodes are the beginning, each launch at which a compaction can be made, and
// the end; its edges are the times without a compaction between two of them.
package import Objective

/// What goes on from one compaction to the next.
package struct ScheduleEdge: Hashable, Sendable {
  /// The cost of the compaction that it begins with, and of the time until the next.
  package var cost: Cost
  /// In bytes, as are the next two.
  package var rewritten: Int
  /// The largest size of all files.
  package var highWater: Int
  /// What all files needed at once, the copy of the compaction that it ends with among them.
  package var peakDisk: Int
  /// The time of the longest launch in nanoseconds, the one that it ends with among them; 0 where times are not predicted.
  package var longestLaunch: Int

  package init(
    cost: Cost, rewritten: Int = 0, highWater: Int = 0, peakDisk: Int = 0, longestLaunch: Int = 0
  ) {
    self.cost = cost
    self.rewritten = rewritten
    self.highWater = highWater
    self.peakDisk = peakDisk
    self.longestLaunch = longestLaunch
  }
}

/// Every schedule is a path from the beginning, node 0, to the end, the last node.
package struct ScheduleGraph: Sendable {
  /// By the node that an edge begins at; the first is the edge to the next node.
  private let edges: [[ScheduleEdge]]

  /// - Parameter edges: for each node but the last, the edges to all later nodes, nearest first.
  package init(_ edges: [[ScheduleEdge]]) {
    precondition(
      edges.enumerated().allSatisfy { $1.count == edges.count - $0 },
      "each node has an edge to each later one")
    self.edges = edges
  }

  /// The index of the last node.
  package var end: Int { edges.count }

  package func edge(_ from: Int, _ to: Int) -> ScheduleEdge { edges[from][to - from - 1] }

  /// Returns the edges of the path through these nodes, which lie between the beginning and the end.
  package func edges(through nodes: [Int]) -> [ScheduleEdge] {
    zip([0] + nodes, nodes + [end]).map { edge($0, $1) }
  }

  package func cost(through nodes: [Int]) -> Cost {
    edges(through: nodes).reduce(.zero) { $0 + $1.cost }
  }
}

/// Limits of a whole schedule, in bytes and nanoseconds; nil for none.
package struct ScheduleLimits: Hashable, Sendable {
  package var highWater: Int?
  package var peakDisk: Int?
  package var longestLaunch: Int?
  package var rewritten: Int?

  package init(
    highWater: Int? = nil, peakDisk: Int? = nil, longestLaunch: Int? = nil, rewritten: Int? = nil
  ) {
    self.highWater = highWater
    self.peakDisk = peakDisk
    self.longestLaunch = longestLaunch
    self.rewritten = rewritten
  }

  package static let none = ScheduleLimits()

  /// Whether the edge may be part of a schedule. Rewriting is limited over all edges together.
  func allows(_ edge: ScheduleEdge) -> Bool {
    edge.highWater <= highWater ?? .max && edge.peakDisk <= peakDisk ?? .max
      && edge.longestLaunch <= longestLaunch ?? .max
  }
}
