// Random graphs of schedules, and all schedules of one.
import Generators
import LaunchSchedules
import Objective

enum RandomGraphs {
  /// Returns a graph with `decisions` launches at which a compaction can be made. Figures are small, so that many schedules
  /// tie; some edges cost less than nothing, as where a compacted file grows faster.
  static func graph(_ decisions: Int, _ stream: inout RandomStream) -> ScheduleGraph {
    ScheduleGraph(
      (0...decisions).map { node in
        ((node + 1)...(decisions + 1)).map { _ in
          ScheduleEdge(
            cost: Cost(units: Int128(stream.next(in: -3...40))),
            rewritten: node == 0 ? 0 : stream.next(in: 0...20), highWater: stream.next(in: 1...30),
            peakDisk: stream.next(in: 1...60), longestLaunch: stream.next(in: 0...40))
        }
      })
  }

  /// The nodes of every schedule.
  static func schedules(_ graph: ScheduleGraph) -> [[Int]] {
    let nodes = Array(1..<max(1, graph.end))
    return (0..<(1 << nodes.count)).map { bits in
      nodes.filter { bits >> ($0 - 1) & 1 == 1 }
    }
  }

  static func meets(_ limits: ScheduleLimits, _ edges: [ScheduleEdge]) -> Bool {
    edges.allSatisfy {
      $0.highWater <= limits.highWater ?? .max && $0.peakDisk <= limits.peakDisk ?? .max
        && $0.longestLaunch <= limits.longestLaunch ?? .max
    } && edges.reduce(0) { $0 + $1.rewritten } <= limits.rewritten ?? .max
  }
}
