// What rules are tried on: a launch matrix as flat arrays, so that a candidate is evaluated by look-ups alone.
import MetricModel
package import Objective
import RecordModel

/// The figures of all schedules of one run of a workload, by the launch of the last compaction and the launch.
package struct TuningMatrix: Sendable {
  /// A launch as rules see it. No closure is called in a moment in the background.
  struct Launch: Sendable {
    let isInBackground: Bool
    /// The state that a compaction at this launch leads to; 0 where none can be made.
    let state: Int
    /// Virtual seconds since the run began, and since the launch before.
    let time: Double
    let span: Double
  }

  /// A launch in a state.
  struct Slot: Sendable {
    /// What the launch callback is given, −1 where it is not called.
    var total = -1.0
    var used = -1.0
    /// What the launch costs once it was decided, with the compaction that it begins with.
    var cost = 0.0
    var highWater = 0.0
    var rewritten = 0.0
    /// What the files and their copy need if the launch is compacted, before it in this state.
    var copyDisk = 0.0
    /// What the time of that compaction costs.
    var blockedCost = 0.0
    /// The nanoseconds of the launch without a compaction and with one, before it in this state; 0 where they are not
    /// predicted.
    var opening = 0.0
    var compacting = 0.0
  }

  let launches: [Launch]
  /// By state × launches + launch.
  let slots: [Slot]
  let limits: ScheduleLimits

  /// - Parameter weight: what costs are multiplied by.
  /// - Returns: nil where a launch had several files, of which a callback decides for each, or did not report used bytes.
  package init?(_ matrix: LaunchMatrix, _ objective: Objective, weight: Double) {
    let count = matrix.launchCount
    let states = [0] + matrix.decisions
    var now = VirtualSeconds()
    launches = (1...count).map { launch in
      defer { now.advance(by: matrix.figures(of: launch, compactedAt: 0)?.time ?? .zero) }
      let isInBackground = matrix.names.moment(launch) != nil
      if !isInBackground { now.beginLaunch() }
      return Launch(
        isInBackground: isInBackground,
        state: matrix.decisions.firstIndex(of: launch).map { $0 + 1 } ?? 0, time: now.time,
        span: now.span)
    }
    var slots = Array(repeating: Slot(), count: states.count * count)
    for (state, last) in states.enumerated() {
      for launch in max(1, last)...count {
        let slot = state * count + launch - 1
        guard let figures = matrix.figures(of: launch, compactedAt: last),
          let priced = matrix.priced(launch, compactedAt: last)
        else { return nil }
        slots[slot].cost = weight * Double(objective.cost(of: priced).units)
        slots[slot].highWater = Double(priced.highWater.bytes)
        slots[slot].rewritten = Double(priced.rewritten.bytes)
        guard launch != last, figures.compaction != .none, figures.moment == nil else { continue }
        if let callback = figures.callback {
          slots[slot].total = Double(callback.totalBytes.bytes)
          slots[slot].used = Double(callback.usedBytes.bytes)
        } else if matrix.decisions.contains(launch) {
          return nil
        }
        let after = matrix.figures(of: launch, compactedAt: launch)?.after
        slots[slot].copyDisk = Double((figures.before?.bytes ?? 0) + (after?.bytes ?? 0))
        guard let times = figures.times else { continue }
        slots[slot].blockedCost = weight * Double(objective.cost(ofBlocking: times.blocked).units)
        (slots[slot].opening, slots[slot].compacting) = (
          Double(times.opening), Double(times.compacting)
        )
      }
    }
    self.slots = slots
    let time = matrix.priced(LaunchSchedule([])).time
    limits = ScheduleLimits(objective, time)
  }

  private struct VirtualSeconds {
    var time = 0.0
    /// Between the last two launches.
    var span = 0.0
    private var sinceLaunch = 0.0

    mutating func beginLaunch() { (span, sinceLaunch) = (sinceLaunch, 0) }

    mutating func advance(by time: VirtualTime) {
      let seconds = Double(time.microseconds) / 1_000_000
      self.time += seconds
      sinceLaunch += seconds
    }
  }
}
