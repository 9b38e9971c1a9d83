// Policies beside the cheapest schedule, at one set of prices.
package import MetricModel
package import Objective
import RecordModel

package struct PolicyRanking: Sendable {
  /// What the objective's prices of work were multiplied by.
  package let factor: Double
  package let best: BestSchedule
  package let policies: [PolicyOutcome]

  init(
    _ cell: OptimumCell, _ matrix: LaunchMatrix, _ basis: OptimumBasis, _ objective: Objective,
    factor: Double
  ) {
    self.factor = factor
    let best = BestSchedule(cell, matrix, basis, objective)
    self.best = best
    let graph = basis.isMatrix ? matrix.graph(objective) : nil
    policies = cell.runs.filter { $0.purpose == .policy }.compactMap {
      PolicyOutcome(
        $0, matrix, best, $0.isAutomatic == cell.isAutomatic ? graph : nil, objective)
    }
  }
}

/// The cheapest schedule that meets the limits.
package enum BestSchedule: Sendable {
  case found(PricedSchedule)
  /// No schedule meets this limit together with those before it.
  case unsatisfiable(UnmetLimit, LaunchSchedule)

  init(
    _ cell: OptimumCell, _ matrix: LaunchMatrix, _ basis: OptimumBasis, _ objective: Objective
  ) {
    let time = matrix.priced(LaunchSchedule([])).time
    let limits = ScheduleLimits(objective, time)
    guard basis.isMatrix else {
      self = Self.best(of: RunSchedules(cell, matrix, objective), limits)
      return
    }
    switch ScheduleSearch(matrix.graph(objective), limits).best() {
    case .found(let nodes, let cost):
      let schedule = matrix.schedule(nodes)
      self = .found(
        PricedSchedule(schedule: schedule, figures: matrix.priced(schedule), cost: cost))
    case .unsatisfiable(let unmet): self = .unsatisfiable(unmet, matrix.schedule(unmet.nodes))
    }
  }

  private static func best(of runs: RunSchedules, _ limits: ScheduleLimits) -> Self {
    var left = runs.schedules
    let bounds: [(UnmetLimit.Limit, Int?, (PricedFigures) -> Int)] = [
      (.highWater, limits.highWater, { $0.highWater.bytes }),
      (.peakDisk, limits.peakDisk, { $0.peakDisk.bytes }),
      (.longestLaunch, limits.longestLaunch, { $0.longestLaunch }),
      (.rewritten, limits.rewritten, { $0.rewritten.bytes }),
    ]
    for (limit, maximum, value) in bounds {
      guard let maximum else { continue }
      let least = left.min { value($0.figures) < value($1.figures) }
      left.removeAll { value($0.figures) > maximum }
      if left.isEmpty, let least {
        let unmet = UnmetLimit(
          limit: limit, maximum: maximum, least: value(least.figures), nodes: [])
        return .unsatisfiable(unmet, least.schedule)
      }
    }
    guard let best = left.min(by: { $0.rank < $1.rank }) else {
      preconditionFailure("the run without a compaction is a schedule")
    }
    return .found(best)
  }

  package var schedule: PricedSchedule? {
    if case .found(let schedule) = self { schedule } else { nil }
  }
}

/// A schedule and what it costs.
package struct PricedSchedule: Sendable {
  package let schedule: LaunchSchedule
  package let figures: PricedFigures
  package let cost: Cost

  /// Of equal costs the fewest compactions, then the earliest.
  fileprivate var rank: (Cost, Int, LaunchSchedule) {
    (cost, schedule.launches.count, schedule)
  }
}

/// The schedules that were run, without those of policies.
private struct RunSchedules {
  let schedules: [PricedSchedule]

  init(_ cell: OptimumCell, _ matrix: LaunchMatrix, _ objective: Objective) {
    var seen: Set<[Int]> = []
    schedules = cell.runs.compactMap { run in
      guard run.purpose != .policy, let launches = run.schedule, seen.insert(launches).inserted,
        let figures = matrix.priced(run.launches)
      else { return nil }
      return PricedSchedule(
        schedule: LaunchSchedule(launches), figures: figures, cost: objective.cost(of: figures))
    }
  }
}

/// A policy of the scenario, as it was run.
package struct PolicyOutcome: Sendable {
  package let policy: String
  package let isAutomatic: Bool
  /// nil where at one launch only some of the files were compacted.
  package let schedule: LaunchSchedule?
  package let figures: PricedFigures
  package let cost: Cost
  /// The cost above the optimum as a share of it; nil where the optimum costs nothing, or is not known.
  package let regret: Double?
  /// The same as a cost; nil where the optimum is not known.
  package let difference: Cost?
  /// The limits that it exceeds, in words.
  package let exceeded: [String]
  /// The first launch at which it decided otherwise than the optimum.
  package let firstDifference: PolicyDecision?
  /// The decision that cost the most; nil where none cost anything, or where costs cannot be divided among decisions: without
  /// renewal, with other automatic compaction than launch schedules have, and where limits change the optimum.
  package let costliest: PolicyDecision?

  init?(
    _ run: ScheduleRun, _ matrix: LaunchMatrix, _ best: BestSchedule, _ graph: ScheduleGraph?,
    _ objective: Objective
  ) {
    guard let figures = matrix.priced(run.launches) else { return nil }
    policy = run.policy
    isAutomatic = run.isAutomatic
    let schedule = run.schedule.map { LaunchSchedule($0) }
    self.schedule = schedule
    self.figures = figures
    let cost = objective.cost(of: figures)
    self.cost = cost
    exceeded = objective.exceeded(by: figures)
    let optimum = best.schedule
    regret = optimum.flatMap { cost.excess(over: $0.cost) }
    difference = optimum.map { cost - $0.cost }
    let other = optimum.flatMap { optimum in
      schedule.flatMap { own in
        Set(own.launches).symmetricDifference(optimum.schedule.launches).min()
      }
    }
    firstDifference = other.map { launch in
      PolicyDecision(launch, matrix.names, schedule, run, loss: nil)
    }
    guard let graph, let optimum, let schedule else {
      costliest = nil
      return
    }
    let nodes = schedule.launches.compactMap { matrix.decisions.firstIndex(of: $0) }.map { $0 + 1 }
    let losses = graph.losses(through: nodes)
    // With a limit that changes the optimum, the losses are those beside another one.
    guard losses.reduce(optimum.cost, { $0 + $1.loss }) == graph.cost(through: nodes),
      let largest = losses.max(by: { ($0.loss, -$0.node) < ($1.loss, -$1.node) }),
      largest.loss > .zero
    else {
      costliest = nil
      return
    }
    costliest = PolicyDecision(
      matrix.decisions[largest.node - 1], matrix.names, schedule, run, loss: largest.loss)
  }
}

/// What a policy decided at a launch.
package struct PolicyDecision: Sendable {
  package let launch: Int
  /// The launch in words: `at launch 3`.
  package let phrase: String
  /// Its number in tables.
  package let number: String
  package let compacts: Bool
  /// All files when it was decided; nil where the policy has no rule for launches.
  package let size: ByteCount?
  /// The values that the policy saw.
  package let reason: String?
  package let loss: Cost?

  fileprivate init(
    _ launch: Int, _ names: OpeningNames, _ schedule: LaunchSchedule?, _ run: ScheduleRun,
    loss: Cost?
  ) {
    self.launch = launch
    (phrase, number) = (names.phrase(launch), names.number(launch))
    compacts = schedule?.launches.contains(launch) ?? false
    size = run.launches[launch - 1].before
    reason = run.reasons[launch]
    self.loss = loss
  }
}
