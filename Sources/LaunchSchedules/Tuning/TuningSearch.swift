// The search over training seeds: the best rule of each family for an engine, over all workloads with equal weight.
import MetricModel
package import Objective
package import RecordModel

/// The launch matrices of one seed of a workload.
package struct TuningRun: Sendable {
  /// The index among the workloads.
  package let workload: Int
  package let seed: UInt64
  package let cell: OptimumCell

  package init(workload: Int, seed: UInt64, cell: OptimumCell) {
    self.workload = workload
    self.seed = seed
    self.cell = cell
  }
}

/// Why no rule can be searched for.
package struct TuningError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

package struct TuningSearch: Sendable {
  /// All runs, each weighted so that the optima of every workload sum up to the same.
  package let matrices: [TuningMatrix]
  /// The weighted cost of all optima; 0 where no workload's optimum costs anything.
  package let optimum: Double

  package init(_ runs: [TuningRun], _ objective: Objective) throws(TuningError) {
    var costs: [Int: (optimum: Double, never: Double)] = [:]
    var all: [(workload: Int, matrix: LaunchMatrix)] = []
    for run in runs {
      let found = try Self.optimum(run, objective)
      all.append((run.workload, found.matrix))
      costs[run.workload, default: (0, 0)].optimum += Double(found.cost.units)
      let never = objective.cost(of: found.matrix.priced(LaunchSchedule([])))
      costs[run.workload, default: (0, 0)].never += Double(never.units)
    }
    let workloads = Double(costs.count)
    var matrices: [TuningMatrix] = []
    for (workload, matrix) in all {
      let cost = costs[workload] ?? (0, 0)
      let scale = cost.optimum > 0 ? cost.optimum : cost.never
      let weight = scale > 0 ? 1 / (scale * workloads) : 0
      guard let flat = TuningMatrix(matrix, objective, weight: weight) else {
        throw TuningError(
          description:
            "a launch callback is called for each of several files, or without used bytes; "
            + "tune needs one file whose used bytes are known"
        )
      }
      matrices.append(flat)
    }
    self.matrices = matrices
    optimum = costs.values.reduce(0) { $0 + ($1.optimum > 0 ? 1 / workloads : 0) }
  }

  /// Returns the best rule of each family, the best first.
  package func best(of families: [PolicyFamily]) -> [(result: FamilyResult, regret: Double?)] {
    families.map { family in
      let grid = CandidateGrid(family, over: matrices)
      let result = CandidateSearch(grid, matrices).best(optimum: optimum)
      return (result, optimum > 0 ? (result.score.cost - optimum) / optimum : nil)
    }.sorted { $0.result.score < $1.result.score }
  }

  /// Returns the matrix of a run with the cost of its cheapest schedule.
  package static func optimum(
    _ run: TuningRun, _ objective: Objective
  ) throws(TuningError) -> (matrix: LaunchMatrix, cost: Cost) {
    if let absence = run.cell.absence { throw TuningError(description: absence) }
    guard let matrix = LaunchMatrix(run.cell) else {
      throw TuningError(
        description: "the engine does not report what its compactions write again")
    }
    guard !matrix.decisions.isEmpty else {
      throw TuningError(description: "no launch could be compacted")
    }
    let time = matrix.priced(LaunchSchedule([])).time
    switch ScheduleSearch(matrix.graph(objective), ScheduleLimits(objective, time)).best() {
    case .found(_, let cost): return (matrix, cost)
    case .unsatisfiable(let unmet):
      throw TuningError(
        description:
          "no schedule of seed \(run.seed) meets the limits: at most \(unmet.text(unmet.maximum)) are allowed, "
          + "and the least possible is \(unmet.text(unmet.least))"
      )
    }
  }
}

extension ScheduleLimits {
  /// The limits of an objective in a run of this length.
  init(_ objective: Objective, _ time: VirtualTime) {
    self.init(
      highWater: objective.limits.maxSize?.bytes, peakDisk: objective.limits.maxDisk?.bytes,
      longestLaunch: objective.limits.maxLaunch,
      rewritten: objective.limits.maxRewritten(in: time)?.bytes)
  }
}
