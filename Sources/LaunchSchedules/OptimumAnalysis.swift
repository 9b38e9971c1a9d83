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
    absence = cell.absence ?? Self.absence(matrix, cell)
    guard absence == nil, let matrix else {
      (basis, rankings) = (.someSchedules, [])
      return
    }
    let basis = OptimumBasis(cell, matrix)
    self.basis = basis
    rankings = ([1] + Objective.otherFactors).map { factor in
      PolicyRanking(
        cell, matrix, basis, factor == 1 ? objective : objective.scalingWork(by: factor),
        factor: factor)
    }
  }

  private static func absence(_ matrix: LaunchMatrix?, _ cell: OptimumCell) -> String? {
    guard let matrix else {
      return "the engine does not report what its compactions write again"
    }
    guard matrix.decisions.isEmpty else { return nil }
    let reasons = cell.runs.first { $0.policy == LaunchMatrix.everyLaunch }?.reasons ?? [:]
    let reason = reasons.max { $0.key < $1.key }?.value
    return "no launch could be compacted" + (reason.map { ": \($0)" } ?? "")
  }
}

/// What the optimum rests on.
package enum OptimumBasis: Hashable, Sendable {
  /// The launch matrix: every predicted row was as run.
  case renewal
  /// Every schedule was run.
  case everySchedule
  /// Predictions fail, and there are more schedules than were run.
  case someSchedules

  init(_ cell: OptimumCell, _ matrix: LaunchMatrix) {
    let run = Set(cell.runs.filter { $0.purpose != .policy }.compactMap(\.schedule))
    if run.count == matrix.scheduleCount {
      self = .everySchedule
    } else {
      self = cell.renewal?.difference == nil ? .renewal : .someSchedules
    }
  }
}
