// The launch matrix: from the runs with one compaction each, what every schedule comes to, if compactions forget what was
// before them.
import MetricModel
package import Objective
package import RecordModel

package struct LaunchMatrix: Sendable {
  /// The names of the matrix's runs.
  package static let noLaunch = "at no launch"
  package static let everyLaunch = "at every launch"

  /// The launches at which a compaction can be made, ascending.
  package let decisions: [Int]
  /// The runs by the launch of their only compaction; 0 for that with none.
  private let runs: [Int: [LaunchFigures]]
  /// The run that is compacted at every launch: a freshly compacted file is as large as this one.
  private let reference: [LaunchFigures]

  /// nil where a run is missing, or does not report what its compactions wrote again.
  package init?(_ cell: OptimumCell) {
    let matrix = cell.runs.filter { $0.purpose == .matrix }
    guard let reference = matrix.first(where: { $0.policy == Self.everyLaunch })?.launches else {
      return nil
    }
    var runs: [Int: [LaunchFigures]] = [:]
    // The run at every launch comes last; where only one can be compacted it is that launch's.
    for run in matrix {
      guard let schedule = run.schedule, schedule.count <= 1 else { continue }
      // A run whose compaction was not possible is one without.
      if runs[schedule.first ?? 0] == nil { runs[schedule.first ?? 0] = run.launches }
    }
    let all = runs.values.flatMap(\.self) + reference
    guard runs[0] != nil, all.allSatisfy({ $0.rewritten != nil }) else { return nil }
    self.reference = reference
    self.runs = runs
    decisions = runs.keys.filter { $0 > 0 }.sorted()
  }

  package var launchCount: Int { reference.count }

  /// The number of all schedules; nil for more than 2⁶⁰.
  package var scheduleCount: Int? { decisions.count <= 60 ? 1 << decisions.count : nil }

  /// Returns the figures of a launch, if the last compaction was at `last`.
  package func figures(of launch: Int, compactedAt last: Int) -> LaunchFigures? {
    runs[last].map { $0[launch - 1] }
  }

  /// Returns the figures of a launch in the run that was compacted at every launch.
  package func referenceFigures(of launch: Int) -> LaunchFigures { reference[launch - 1] }

  /// Returns what a launch comes to, its compaction among it, if the last compaction was at `last`.
  package func priced(_ launch: Int, compactedAt last: Int) -> PricedFigures? {
    figures(of: launch, compactedAt: last).flatMap {
      Self.priced($0, above: referenceFigures(of: launch))
    }
  }

  /// Returns what a run came to; nil if it did not report what its compactions wrote again.
  package func priced(_ launches: [LaunchFigures]) -> PricedFigures? {
    var sum = PricedFigures()
    for (launch, fresh) in zip(launches, reference) {
      guard let figures = Self.priced(launch, above: fresh) else { return nil }
      sum += figures
      if launch.compaction == .finished || launch.compaction == .partial {
        sum.peakDisk = max(sum.peakDisk, Self.sum(launch.before, launch.after))
      }
    }
    return sum
  }

  /// Returns what the schedule comes to by the matrix.
  package func priced(_ schedule: LaunchSchedule) -> PricedFigures {
    let nodes = schedule.launches.compactMap { decisions.firstIndex(of: $0) }.map { $0 + 1 }
    return zip([0] + nodes, nodes + [decisions.count + 1]).reduce(into: PricedFigures()) {
      $0 += segment(from: $1.0, to: $1.1)
    }
  }

  /// The graph of all schedules at the objective's prices. Node n is the n-th launch at which a compaction can be made.
  package func graph(_ objective: Objective) -> ScheduleGraph {
    let end = decisions.count + 1
    return ScheduleGraph(
      (0..<end).map { node in
        var sum = PricedFigures()
        return ((node + 1)...end).map { next in
          sum += launches(from: max(node, next - 1), to: next, state: node)
          var figures = sum
          addCopy(to: &figures, from: node, at: next)
          return ScheduleEdge(
            cost: objective.cost(of: figures), rewritten: figures.rewritten.bytes,
            highWater: figures.highWater.bytes, peakDisk: figures.peakDisk.bytes)
        }
      })
  }

  package func schedule(_ nodes: [Int]) -> LaunchSchedule {
    LaunchSchedule(nodes.map { decisions[$0 - 1] })
  }

  /// The time from one compaction to the next, with the first of the two.
  private func segment(from node: Int, to next: Int) -> PricedFigures {
    var figures = launches(from: node, to: next, state: node)
    addCopy(to: &figures, from: node, at: next)
    return figures
  }

  /// The launches from one node to another, if the last compaction was at `state`.
  private func launches(from node: Int, to next: Int, state: Int) -> PricedFigures {
    let first = node == 0 ? 1 : decisions[node - 1]
    let last = next > decisions.count ? launchCount : decisions[next - 1] - 1
    guard first <= last, let run = runs[state == 0 ? 0 : decisions[state - 1]] else {
      return PricedFigures()
    }
    return (first...last).reduce(into: PricedFigures()) { sum, launch in
      if let figures = Self.priced(run[launch - 1], above: reference[launch - 1]) {
        sum += figures
      }
    }
  }

  /// Adds what the compaction at the end of the time needs: the old files as they were then, and the new ones.
  private func addCopy(to figures: inout PricedFigures, from node: Int, at next: Int) {
    guard next <= decisions.count else { return }
    let launch = decisions[next - 1]
    let before = self.figures(of: launch, compactedAt: node == 0 ? 0 : decisions[node - 1])?.before
    let own = self.figures(of: launch, compactedAt: launch)
    figures.peakDisk = max(figures.peakDisk, Self.sum(before ?? own?.before, own?.after))
  }

  private static func priced(
    _ launch: LaunchFigures, above fresh: LaunchFigures
  ) -> PricedFigures? {
    guard let rewritten = launch.rewritten else { return nil }
    var figures = PricedFigures()
    figures.excess = launch.area - fresh.area
    figures.rewritten = rewritten
    figures.highWater = launch.highWater
    figures.peakDisk = launch.highWater
    figures.time = launch.time
    return figures
  }

  private static func sum(_ a: ByteCount?, _ b: ByteCount?) -> ByteCount {
    (a ?? .zero) + (b ?? .zero)
  }
}
