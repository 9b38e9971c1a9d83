// The search over training seeds: the best rule of each family for an engine, over all workloads by their weights.
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

  /// The first row that is not as predicted in a column that costs are made of, as for `optimum`: other columns change no
  /// look-up.
  package var pricedDifference: RowDifference? { cell.renewal?.pricedDifference }
}

/// Why no rule can be searched for.
package struct TuningError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

package struct TuningSearch: Sendable {
  /// All runs by seed, each weighted so that the optima of every workload sum up to its share of all weights.
  package let folds: [TuningFold]
  /// With fewer seeds than this each is a fold.
  private static let maxFolds = 5

  package var matrices: [TuningMatrix] { folds.flatMap(\.matrices) }

  /// The weighted cost of all optima; 0 where no workload's optimum costs anything.
  package var optimum: Double { folds.reduce(0) { $0 + $1.optimum } }

  /// - Parameter weights: what each workload counts; nil where all count equally.
  package init(
    _ runs: [TuningRun], _ objective: Objective, weights: [Double]? = nil
  ) throws(TuningError) {
    var costs: [Int: (optimum: Double, never: Double)] = [:]
    var all: [(run: TuningRun, matrix: LaunchMatrix, optimum: Double)] = []
    for run in runs {
      let found = try Self.optimum(run, objective)
      all.append((run, found.matrix, Double(found.cost.units)))
      costs[run.workload, default: (0, 0)].optimum += Double(found.cost.units)
      let never = objective.cost(of: found.matrix.priced(LaunchSchedule([])))
      costs[run.workload, default: (0, 0)].never += Double(never.units)
    }
    func share(_ workload: Int) -> Double { weights?[workload] ?? 1 }
    let sum = costs.keys.reduce(0) { $0 + share($1) }
    guard sum > 0 else { throw TuningError(description: "every scenario has the weight 0") }
    let seeds = Set(runs.map(\.seed)).sorted()
    var folds = Array(repeating: TuningFold(), count: min(Self.maxFolds, seeds.count))
    for (run, matrix, optimum) in all {
      let cost = costs[run.workload] ?? (0, 0)
      let scale = cost.optimum > 0 ? cost.optimum : cost.never
      let weight = scale > 0 ? share(run.workload) / (scale * sum) : 0
      guard let flat = TuningMatrix(matrix, objective, weight: weight) else {
        throw TuningError(
          description:
            "a launch callback is called for each of several files, or without used bytes; "
            + "tune needs one file whose used bytes are known"
        )
      }
      let fold = (seeds.firstIndex(of: run.seed) ?? 0) % folds.count
      folds[fold].matrices.append(flat)
      folds[fold].optimum += weight * optimum
    }
    self.folds = folds
  }

  /// Returns the best rule of each family, and first the family whose rules did best on seeds that they were not chosen on: by
  /// the seeds that rules are chosen on, families with more thresholds would win by fitting those seeds.
  package func best(of families: [PolicyFamily]) -> [FamilyResult] {
    families.map { CandidateSearch(CandidateGrid($0, over: matrices), folds).best() }
      .sorted { ($0.validation ?? $0.score) < ($1.validation ?? $1.score) }
  }

  /// Returns the least regret of any rule of the family: with hindsight, where the runs are those that it is judged by.
  package func minRegret(of family: PolicyFamily) -> Double? {
    regret(CandidateSearch(CandidateGrid(family, over: matrices), folds).least())
  }

  /// Returns the cost above the optima as a share of them; nil where they cost nothing.
  package func regret(_ score: TuningScore) -> Double? {
    let optimum = optimum
    return optimum > 0 ? (score.cost - optimum) / optimum : nil
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
