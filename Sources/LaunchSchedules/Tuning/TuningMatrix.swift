// What rules are tried on: a launch matrix as flat arrays, so that a candidate is evaluated by look-ups alone.
import MetricModel
package import Objective

/// The figures of all schedules of one run of a workload, by the launch of the last compaction and the launch.
package struct TuningMatrix: Sendable {
  /// A launch as rules see it.
  struct Launch: Sendable {
    /// The state that a compaction at this launch leads to; 0 where none can be made.
    let state: Int
    /// Virtual seconds since the run began, and since the launch before.
    let time: Double
    let span: Double
  }

  let launches: [Launch]
  let stateCount: Int
  /// By state × launches + launch: what the launch callback is given, −1 where it is not called.
  let total: [Double]
  let used: [Double]
  /// By state × launches + launch: what the launch costs once it was decided, with the compaction that it begins with.
  let cost: [Double]
  let highWater: [Double]
  let rewritten: [Double]
  /// By state × launches + launch: what the files and their copy need if the launch is compacted, before it in this state.
  let copyDisk: [Double]
  private let limits: ScheduleLimits

  /// - Parameter weight: what costs are multiplied by.
  /// - Returns: nil where a launch had several files, of which a callback decides for each, or did not report used bytes.
  package init?(_ matrix: LaunchMatrix, _ objective: Objective, weight: Double) {
    let count = matrix.launchCount
    let states = [0] + matrix.decisions
    stateCount = states.count
    var now = VirtualSeconds()
    launches = (1...count).map { launch in
      defer { now.advance(by: matrix.referenceFigures(of: launch).time) }
      return Launch(
        state: matrix.decisions.firstIndex(of: launch).map { $0 + 1 } ?? 0, time: now.time,
        span: now.span)
    }
    var arrays = Arrays(count: states.count * count)
    for (state, last) in states.enumerated() {
      for launch in max(1, last)...count {
        let slot = state * count + launch - 1
        guard let figures = matrix.figures(of: launch, compactedAt: last),
          let priced = matrix.priced(launch, compactedAt: last)
        else { return nil }
        arrays.cost[slot] = weight * Double(objective.cost(of: priced).units)
        arrays.highWater[slot] = Double(priced.highWater.bytes)
        arrays.rewritten[slot] = Double(priced.rewritten.bytes)
        guard launch != last, figures.compaction != .none else { continue }
        if let callback = figures.callback {
          arrays.total[slot] = Double(callback.totalBytes.bytes)
          arrays.used[slot] = Double(callback.usedBytes.bytes)
        } else if matrix.decisions.contains(launch) {
          return nil
        }
        let after = matrix.figures(of: launch, compactedAt: launch)?.after
        arrays.copyDisk[slot] = Double((figures.before?.bytes ?? 0) + (after?.bytes ?? 0))
      }
    }
    (total, used, cost) = (arrays.total, arrays.used, arrays.cost)
    (highWater, rewritten) = (arrays.highWater, arrays.rewritten)
    copyDisk = arrays.copyDisk
    let time = matrix.priced(LaunchSchedule([])).time
    limits = ScheduleLimits(objective, time)
  }

  private struct Arrays {
    var total, used, cost, highWater, rewritten, copyDisk: [Double]

    init(count: Int) {
      let zeros = Array(repeating: 0.0, count: count)
      (cost, highWater, rewritten, copyDisk) = (zeros, zeros, zeros, zeros)
      (total, used) = (zeros.map { _ in -1 }, zeros.map { _ in -1 })
    }
  }

  private struct VirtualSeconds {
    var time = 0.0
    var span = 0.0

    mutating func advance(by time: VirtualTime) {
      span = Double(time.microseconds) / 1_000_000
      self.time += span
    }
  }
}

/// What a rule comes to on a matrix.
package struct TuningScore: Hashable, Sendable {
  package var cost = 0.0
  /// The number of matrices on which a limit is exceeded.
  package var violations = 0

  package static func < (a: Self, b: Self) -> Bool {
    (a.violations, a.cost) < (b.violations, b.cost)
  }
}

extension TuningMatrix {
  /// Adds what the rule costs.
  @inline(__always)
  func add(to score: inout TuningScore, _ compacts: (_ total: Double, _ used: Double) -> Bool) {
    var run = Run(self)
    for launch in launches.indices {
      let slot = run.state * launches.count + launch
      let total = total[slot]
      run.pass(launch, compacts: total >= 0 && compacts(total, used[slot]))
    }
    run.add(to: &score)
  }

  /// Adds what a rule with memory costs.
  @inline(__always)
  func add(
    to score: inout TuningScore,
    remembering compacts: (_ memory: RuleMemory, _ used: Double) -> Bool
  ) {
    var run = Run(self)
    var memory = RuleMemory()
    for launch in launches.indices {
      let slot = run.state * launches.count + launch
      let (total, used) = (total[slot], used[slot])
      memory.arrive(at: launches[launch], wasted: total >= 0 ? total - used : 0)
      let isCompacted = run.pass(launch, compacts: total >= 0 && compacts(memory, used))
      if isCompacted { memory.forget(at: launches[launch]) }
    }
    run.add(to: &score)
  }

  /// A run by look-ups.
  private struct Run {
    let matrix: TuningMatrix
    var state = 0
    var cost = 0.0
    var highWater = 0.0
    var rewritten = 0.0

    init(_ matrix: TuningMatrix) { self.matrix = matrix }

    /// Goes through a launch; returns whether it was compacted, which is not possible at each.
    @inline(__always) @discardableResult
    mutating func pass(_ launch: Int, compacts: Bool) -> Bool {
      let next = matrix.launches[launch].state
      let isCompacted = compacts && next > 0
      let count = matrix.launches.count
      if isCompacted {
        peakDisk = max(peakDisk, matrix.copyDisk[state * count + launch])
        state = next
      }
      let slot = state * count + launch
      cost += matrix.cost[slot]
      highWater = max(highWater, matrix.highWater[slot])
      rewritten += matrix.rewritten[slot]
      return isCompacted
    }

    var peakDisk = 0.0

    @inline(__always)
    func add(to score: inout TuningScore) {
      score.cost += cost
      let limits = matrix.limits
      let isExceeded =
        limits.highWater.map { highWater > Double($0) } ?? false
        || limits.peakDisk.map { max(highWater, peakDisk) > Double($0) } ?? false
        || limits.rewritten.map { rewritten > Double($0) } ?? false
      if isExceeded { score.violations += 1 }
    }
  }
}

/// What an app remembers between launches, as the variables `launchesSinceCompaction` and so on have it.
struct RuleMemory {
  private(set) var launches = 0.0
  private(set) var seconds = 0.0
  /// Byte-seconds.
  private(set) var waste = 0.0
  private var compaction = 0.0

  fileprivate mutating func arrive(at launch: TuningMatrix.Launch, wasted: Double) {
    launches += 1
    seconds = launch.time - compaction
    waste += wasted * launch.span
  }

  fileprivate mutating func forget(at launch: TuningMatrix.Launch) {
    compaction = launch.time
    (launches, waste) = (0, 0)
  }
}
