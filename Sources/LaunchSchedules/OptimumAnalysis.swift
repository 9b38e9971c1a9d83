// The analysis of an optimum's record by an objective: of each engine and arm the cheapest schedule, and how much more each
// policy cost.
import MetricModel
package import Objective
package import RecordModel

package struct OptimumAnalysis: Sendable {
  package let record: OptimumRecord
  package let objective: Objective
  package let results: [OptimumResult]

  /// - Parameter objective: nil for that of the scenario, or the default.
  package init(_ record: OptimumRecord, _ objective: Objective? = nil) {
    self.record = record
    self.objective = objective ?? record.scenario.objective ?? Objective()
    results = record.cells.map { [objective = self.objective] in OptimumResult($0, objective) }
  }
}

/// The result for an engine and an arm.
package struct OptimumResult: Sendable {
  package let cell: OptimumCell
  /// Why there is no optimum; nil if there is one.
  package let absence: String?
  package let matrix: LaunchMatrix?
  package let basis: OptimumBasis
  /// At the prices, then at the prices of work times `Objective.otherFactors`; empty where there is no optimum.
  package let rankings: [PolicyRanking]

  package init(_ cell: OptimumCell, _ objective: Objective) {
    self.cell = cell
    let matrix = cell.absence == nil ? LaunchMatrix(cell) : nil
    self.matrix = matrix
    absence = cell.absence ?? Self.absence(matrix, cell, objective)
    guard absence == nil, let matrix else {
      (basis, rankings) = (.someSchedules, [])
      return
    }
    let basis = OptimumBasis(cell, matrix, objective)
    self.basis = basis
    rankings = ([1] + Objective.otherFactors).map { factor in
      PolicyRanking(
        cell, matrix, basis, factor == 1 ? objective : objective.scalingWork(by: factor),
        factor: factor)
    }
  }

  private static func absence(
    _ matrix: LaunchMatrix?, _ cell: OptimumCell, _ objective: Objective
  ) -> String? {
    guard let matrix else {
      return "the engine does not report what its compactions write again"
    }
    guard matrix.decisions.isEmpty else {
      guard objective.countsTime, !matrix.hasTimes else { return nil }
      // One decision for several files has no values of its own; nor has that of a launch without any, the first.
      let hasSeveralFiles = cell.runs.contains { run in
        run.launches.contains { ($0.before ?? .zero) > .zero && $0.callback == nil }
      }
      return "the objective counts time, and "
        + (hasSeveralFiles
          ? "that of a launch with several files is not predicted"
          : "the calibration has none of this engine's")
    }
    let reasons = cell.runs.first { LaunchMatrix.isEvery($0.policy) }?.reasons ?? [:]
    let reason = reasons.max { $0.key < $1.key }?.value
    return "no launch could be compacted" + (reason.map { ": \($0)" } ?? "")
  }
}

/// What the optimum rests on.
package enum OptimumBasis: Hashable, Sendable {
  /// The launch matrix: every predicted row was as run.
  case renewal
  /// The launch matrix: in every predicted row, all that costs are made of was as run.
  case pricedRenewal
  /// The launch matrix, whose costs were those of runs but for this share, at most `maxError`.
  case approximate(Double)
  /// Every schedule was run.
  case everySchedule
  /// Predictions fail, and there are more schedules than were run.
  case someSchedules

  /// Where predicted costs miss those of runs by more than this share, no optimum is built on them.
  package static let maxError = 0.001

  init(_ cell: OptimumCell, _ matrix: LaunchMatrix, _ objective: Objective) {
    let run = Set(cell.runs.filter { $0.purpose != .policy }.compactMap(\.schedule))
    if run.count == matrix.scheduleCount {
      self = .everySchedule
    } else if cell.renewal?.difference == nil {
      self = .renewal
    } else if cell.renewal?.pricedDifference == nil {
      self = .pricedRenewal
    } else {
      let error = Self.error(cell, matrix, objective)
      self = error <= Self.maxError ? .approximate(error) : .someSchedules
    }
  }

  /// Returns the largest share by which the matrix misses the cost of a run under a schedule.
  private static func error(
    _ cell: OptimumCell, _ matrix: LaunchMatrix, _ objective: Objective
  ) -> Double {
    let errors = cell.runs.filter { $0.purpose != .policy }.compactMap { run -> Double? in
      guard let schedule = run.schedule, let figures = matrix.priced(run.launches) else {
        return nil
      }
      let cost = objective.cost(of: figures)
      let predicted = objective.cost(of: matrix.priced(LaunchSchedule(schedule)))
      if predicted == cost { return 0 }
      return predicted.excess(over: cost).map(abs) ?? .infinity
    }
    return errors.max() ?? .infinity
  }

  /// Whether the launch matrix has the cost of every schedule.
  var isMatrix: Bool { self != .everySchedule && self != .someSchedules }

  /// Whether costs are as predicted, and as run.
  package var isExact: Bool {
    switch self {
    case .renewal, .pricedRenewal, .everySchedule: true
    case .approximate, .someSchedules: false
    }
  }
}
