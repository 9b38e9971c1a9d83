// Limits that no schedule meets: which one, and the least that there is.
import MetricModel

/// A limit that cannot be met together with those before it.
package struct UnmetLimit: Hashable, Sendable {
  package enum Limit: String, Hashable, Sendable, CaseIterable {
    case highWater
    case peakDisk
    case longestLaunch
    case rewritten
  }

  package let limit: Limit
  /// In bytes, of launches in nanoseconds; of rewriting, over the whole run.
  package let maximum: Int
  /// The least of any schedule that meets the limits before this one.
  package let least: Int
  /// The nodes of that schedule.
  package let nodes: [Int]

  package init(limit: Limit, maximum: Int, least: Int, nodes: [Int]) {
    (self.limit, self.maximum, self.least, self.nodes) = (limit, maximum, least, nodes)
  }

  /// `20.0 MB`, or `300 ms`, rounded up so that a time above a limit is not shown as the limit.
  package func text(_ value: Int) -> String {
    limit == .longestLaunch ? "\((value + 999_999) / 1_000_000) ms" : "\(ByteCount(value))"
  }
}

extension ScheduleSearch {
  /// Returns the first limit that no schedule meets which meets those before it; nil if a schedule meets all.
  func unmetLimit() -> UnmetLimit? {
    if let limit = limits.highWater {
      let (least, nodes) = smallestMaximum(\.highWater) { _ in true }
      if least > limit {
        return UnmetLimit(limit: .highWater, maximum: limit, least: least, nodes: nodes)
      }
    }
    if let limit = limits.peakDisk {
      let sizes = ScheduleLimits(highWater: limits.highWater)
      let (least, nodes) = smallestMaximum(\.peakDisk, sizes.allows)
      if least > limit {
        return UnmetLimit(limit: .peakDisk, maximum: limit, least: least, nodes: nodes)
      }
    }
    if let limit = limits.longestLaunch {
      let sizes = ScheduleLimits(highWater: limits.highWater, peakDisk: limits.peakDisk)
      let (least, nodes) = smallestMaximum(\.longestLaunch, sizes.allows)
      if least > limit {
        return UnmetLimit(limit: .longestLaunch, maximum: limit, least: least, nodes: nodes)
      }
    }
    if let limit = limits.rewritten {
      let path = paths { Int128($0.rewritten) }.first ?? nil
      guard let path else { preconditionFailure("a schedule meets the limits before this one") }
      if path.cost > Int128(limit) {
        return UnmetLimit(
          limit: .rewritten, maximum: limit, least: Int(path.cost), nodes: path.nodes)
      }
    }
    return nil
  }

  /// Returns the schedule whose largest edge is the smallest, and how large that is.
  private func smallestMaximum(
    _ size: (ScheduleEdge) -> Int, _ isAllowed: (ScheduleEdge) -> Bool
  ) -> (Int, [Int]) {
    let end = graph.end
    var best: [(size: Int, next: Int)?] = Array(repeating: nil, count: end + 1)
    best[end] = (0, end)
    for node in (0..<end).reversed() {
      // From the end on: of schedules that are equal in this, the one with fewer compactions.
      for next in ((node + 1)...end).reversed() {
        let edge = graph.edge(node, next)
        guard let rest = best[next], isAllowed(edge) else { continue }
        let found = max(size(edge), rest.size)
        if found < best[node]?.size ?? .max { best[node] = (found, next) }
      }
    }
    var nodes: [Int] = []
    var next = best[0]?.next ?? end
    while next < end {
      nodes.append(next)
      next = best[next]?.next ?? end
    }
    return (best[0]?.size ?? .max, nodes)
  }
}
