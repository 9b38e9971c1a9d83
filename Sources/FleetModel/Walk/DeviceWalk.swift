// The walk of a device over its launches: at each the curves give what the callback would be given, the policy decides, and
// a compaction begins the curve of the data that there are by then. What is written between two launches is in proportion to
// the time.
import Generators

package struct DeviceWalk {
  private static let secondsPerDay = 86_400.0
  /// What a policy sees as free disk where the device has no limit, as a run without one does.
  private static let unlimitedDisk = Double(64 << 30)

  private let population: Population
  private let days: Double
  /// By the group.
  private let stalls: [StallModel?]
  private var curves: DeviceCurves
  private var values = [Double](repeating: 0, count: WalkVariable.allCases.count)
  private var device: Device?
  /// The size of the file at equally spaced moments, the last at the end.
  package private(set) var sizes: [Double]

  /// - Parameters:
  ///   - moments: at how many moments sizes are recorded.
  ///   - stalls: the time of compactions by group; nil where it is unknown.
  package init(_ curves: FleetCurves, days: Double, moments: Int, stalls: [StallModel?]) {
    population = curves.population
    self.days = days
    self.stalls = stalls
    self.curves = DeviceCurves(curves)
    sizes = [Double](repeating: 0, count: moments)
  }

  /// Makes the device the one that `run` walks.
  package mutating func load(_ device: Device) {
    self.device = device
    curves.load(device, writes: population.groups[device.group].writes)
  }

  /// Walks the loaded device from its first day, its file freshly compacted.
  package mutating func run(_ test: LaunchTest) -> DeviceOutcome {
    guard let device else { preconditionFailure("a device is loaded before it is walked") }
    var state = State(device, writes: population.groups[device.group].writes)
    var stream = population.launchStream(of: device.number)
    var outcome = DeviceOutcome()
    let meanGap = 1 / device.launchesPerDay
    curves.compact(at: device.data)
    state.total = curves.sizes(at: 0).total * device.data
    let firstTotal = state.total
    outcome.largestBytes = state.total
    var moment = 1
    let spacing = days / Double(sizes.count)
    GapQuantiles.quantiles.withUnsafeBufferPointer { gaps in
      while true {
        let gap = gaps[GapQuantiles.index(stream.next())] * meanGap
        let day = state.day + gap
        while moment <= sizes.count, Double(moment) * spacing < day {
          sizes[moment - 1] = state.total
          moment += 1
        }
        guard day <= days else { break }
        state.advance(by: gap, device, curves, &outcome)
        state.available = device.available - (state.total - firstTotal)
        if decide(test, state, outcome) { compact(&state, device, &outcome) }
      }
    }
    outcome.finalBytes = state.total
    return outcome
  }

  private mutating func decide(
    _ test: LaunchTest, _ state: State, _ outcome: DeviceOutcome
  ) -> Bool {
    if case .never = test.rule { return false }
    if case .always = test.rule { return true }
    return values.withUnsafeMutableBufferPointer { values in
      func set(_ variable: WalkVariable, _ value: Double) { values[variable.rawValue] = value }
      set(.totalBytes, state.total)
      set(.usedBytes, state.used)
      set(.freeDiskBytes, max(0, min(state.available, Self.unlimitedDisk)))
      set(.launch, Double(outcome.launches))
      set(.compactions, Double(outcome.compactions))
      set(.commits, state.commits)
      set(.time, state.day * Self.secondsPerDay)
      set(.rewrittenBytes, outcome.rewrittenBytes)
      set(.launchesSinceCompaction, Double(outcome.launches - state.launchOfCompaction))
      set(.commitsSinceCompaction, state.commits - state.commitsAtCompaction)
      set(.timeSinceCompaction, (state.day - state.dayOfCompaction) * Self.secondsPerDay)
      set(.wasteSinceCompaction, state.waste * Self.secondsPerDay)
      return values.baseAddress.map { test.holds($0) } ?? false
    }
  }

  private mutating func compact(
    _ state: inout State, _ device: Device, _ outcome: inout DeviceOutcome
  ) {
    let copy = curves.rewritten(age: state.age) * state.data
    guard copy <= state.available else {
      outcome.skipped += 1
      return
    }
    outcome.compactions += 1
    outcome.rewrittenBytes += copy
    if let stall = stalls[device.group]?.nanoseconds(written: copy, total: state.total) {
      outcome.longestStall = max(outcome.longestStall, stall)
      outcome.totalStall += stall
    }
    state.beginAnew(launch: outcome.launches, keptFill: curves.keptFill)
    curves.compact(at: state.data)
    let sizes = curves.sizes(at: 0, age: state.age)
    (state.total, state.used) = (sizes.total * state.data, sizes.used * state.data)
  }
}

/// A device at a launch.
private struct State {
  var day = 0.0
  var data: Double
  var total = 0.0
  var used = 0.0
  var available = Double.infinity
  var commits = 0.0
  var waste = 0.0
  /// Bytes of values at the last compaction, and those written since.
  private var compactedData: Double
  private var written = 0.0
  /// The turnover for which the pages had been filled and emptied at the last compaction, as far as it kept that.
  private var carriedAge = 0.0
  private let writtenPerDay: Double
  private(set) var dayOfCompaction = 0.0
  private(set) var launchOfCompaction = 0
  private(set) var commitsAtCompaction = 0.0

  init(_ device: Device, writes: Int) {
    data = device.data
    compactedData = device.data
    writtenPerDay = device.commitsPerDay * Double(writes) * device.value
  }

  /// The next launch, after a gap in days.
  @inline(__always)
  mutating func advance(
    by gap: Double, _ device: Device, _ curves: borrowing DeviceCurves,
    _ outcome: inout DeviceOutcome
  ) {
    day += gap
    commits += gap * device.commitsPerDay
    written += gap * writtenPerDay
    data = device.data + device.growth * day
    let turnover = written / compactedData
    let sizes = curves.sizes(at: turnover, age: turnover + carriedAge)
    (total, used) = (sizes.total * data, sizes.used * data)
    outcome.launches += 1
    if total + curves.highestPeak > outcome.largestBytes {
      outcome.largestBytes = max(
        outcome.largestBytes, total + curves.peak(commits: gap * device.commitsPerDay))
    }
    outcome.totalArea += total * gap
    outcome.usedArea += used * gap
    if turnover > curves.maxTurnover { outcome.beyondCurves += 1 }
    waste += max(0, total - used) * gap
  }

  /// The turnover for which the pages have been filled and emptied.
  var age: Double { written / compactedData + carriedAge }

  mutating func beginAnew(launch: Int, keptFill: Double) {
    carriedAge = keptFill * age
    (compactedData, written, waste) = (data, 0, 0)
    (dayOfCompaction, launchOfCompaction, commitsAtCompaction) = (day, launch, commits)
  }
}
