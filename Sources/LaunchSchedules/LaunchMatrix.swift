// The launch matrix: from the runs with one compaction each, what every schedule comes to, if compactions forget what was
// before them.
import MetricModel
package import Objective
package import RecordModel

package struct LaunchMatrix: Sendable {
  /// The names of the matrix's runs.
  package static let noLaunch = "at no launch"
  package static let everyLaunch = "at every launch"
  /// The same where there are moments in the background, in which it compacts, too.
  package static let everyOpening = "at every opening"

  /// Whether a run of this name compacts wherever it can.
  package static func isEvery(_ policy: String) -> Bool {
    policy == everyLaunch || policy == everyOpening
  }

  package let names: OpeningNames
  /// The launches at which a compaction can be made, ascending, by their numbers among all openings.
  package let decisions: [Int]
  /// The runs by the launch of their only compaction; 0 for that with none.
  private let runs: [Int: [LaunchFigures]]
  /// For each launch the smallest area over all schedules that were run: what a freshly compacted file takes. That of the run
  /// compacted at every launch may be larger, since engines lengthen a short file by steps as large as itself.
  private let fresh: [ByteTime]

  /// nil where a run is missing, or does not report what its compactions wrote again.
  package init?(_ cell: OptimumCell) {
    let matrix = cell.runs.filter { $0.purpose == .matrix }
    guard matrix.contains(where: { Self.isEvery($0.policy) }) else { return nil }
    var runs: [Int: [LaunchFigures]] = [:]
    // The run at every launch comes last; where only one can be compacted it is that launch's.
    for run in matrix {
      guard let schedule = run.schedule, schedule.count <= 1 else { continue }
      // A run whose compaction was not possible is one without.
      if runs[schedule.first ?? 0] == nil { runs[schedule.first ?? 0] = run.launches }
    }
    let all = matrix.flatMap(\.launches)
    guard let plain = runs[0], all.allSatisfy({ $0.rewritten != nil }) else { return nil }
    let schedules = cell.runs.filter { $0.purpose != .policy }.map(\.launches)
    names = OpeningNames(plain.map(\.moment))
    fresh = plain.indices.map { Self.smallestArea(schedules, $0) }
    self.runs = runs
    decisions = runs.keys.filter { $0 > 0 }.sorted()
  }

  /// Returns the smallest area of a launch. A run in which it had less time, since the database could not be opened, does not
  /// count.
  private static func smallestArea(_ runs: [[LaunchFigures]], _ launch: Int) -> ByteTime {
    let figures = runs.map { $0[launch] }
    let time = figures.map(\.time).max()
    return figures.filter { $0.time == time }.map(\.area).min() ?? .zero
  }

  package var launchCount: Int { fresh.count }

  /// The number of all schedules; nil for more than 2⁶⁰.
  package var scheduleCount: Int? { decisions.count <= 60 ? 1 << decisions.count : nil }

  /// Returns the figures of a launch, if the last compaction was at `last`.
  package func figures(of launch: Int, compactedAt last: Int) -> LaunchFigures? {
    runs[last].map { $0[launch - 1] }
  }

  /// Returns what a freshly compacted file takes in a launch.
  package func freshArea(of launch: Int) -> ByteTime { fresh[launch - 1] }

  /// Returns what a launch comes to, its compaction among it, if the last compaction was at `last`.
  package func priced(_ launch: Int, compactedAt last: Int) -> PricedFigures? {
    figures(of: launch, compactedAt: last).flatMap {
      Self.priced($0, above: fresh[launch - 1])
    }
  }

  /// Returns what a run came to; nil if it did not report what its compactions wrote again.
  package func priced(_ launches: [LaunchFigures]) -> PricedFigures? {
    var sum = PricedFigures()
    for (launch, fresh) in zip(launches, fresh) {
      guard let figures = Self.priced(launch, above: fresh) else { return nil }
      sum += figures
      let isCompacted = launch.compaction == .finished || launch.compaction == .partial
      if isCompacted { sum.peakDisk = max(sum.peakDisk, Self.sum(launch.before, launch.after)) }
      sum.addTimes(launch.times, compacts: isCompacted)
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
            highWater: figures.highWater.bytes, peakDisk: figures.peakDisk.bytes,
            longestLaunch: figures.longestLaunch)
        }
      })
  }

  /// Whether times are predicted wherever a compaction can be made.
  var hasTimes: Bool {
    decisions.allSatisfy { launch in
      runs.allSatisfy { $0.key >= launch || $0.value[launch - 1].times != nil }
    }
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
    let compacted = state == 0 ? 0 : decisions[state - 1]
    guard first <= last, let run = runs[compacted] else {
      return PricedFigures()
    }
    return (first...last).reduce(into: PricedFigures()) { sum, launch in
      if let figures = Self.priced(run[launch - 1], above: fresh[launch - 1]) {
        sum += figures
        // The time of the compaction is that of the edge which ends with it.
        if launch != compacted { sum.addTimes(run[launch - 1].times, compacts: false) }
      }
    }
  }

  /// Adds what the compaction at the end of the time needs: the old files as they were then, and the new ones; and its time.
  private func addCopy(to figures: inout PricedFigures, from node: Int, at next: Int) {
    guard next <= decisions.count else { return }
    let launch = decisions[next - 1]
    let before = self.figures(of: launch, compactedAt: node == 0 ? 0 : decisions[node - 1])
    let own = self.figures(of: launch, compactedAt: launch)
    figures.peakDisk = max(figures.peakDisk, Self.sum(before?.before ?? own?.before, own?.after))
    figures.addTimes(before?.times ?? own?.times, compacts: true)
  }

  private static func priced(
    _ launch: LaunchFigures, above fresh: ByteTime
  ) -> PricedFigures? {
    guard let rewritten = launch.rewritten else { return nil }
    var figures = PricedFigures()
    figures.excess = launch.area - fresh
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

extension PricedFigures {
  /// Adds a launch's time.
  fileprivate mutating func addTimes(_ times: LaunchTimes?, compacts: Bool) {
    guard let times else { return }
    longestLaunch = max(longestLaunch, compacts ? times.compacting : times.opening)
    if compacts { blocked += times.blocked }
  }
}
