// The record of an optimum as a baseline, a history and the gate see it: each policy's regret.
package import LaunchSchedules
import MetricModel
package import RecordModel

/// The record of an optimum with its folder, and what each policy cost beside it.
package struct MeasuredOptimum: Sendable {
  package let record: OptimumRecord
  /// The folder, for messages.
  package let folder: String
  package let results: [OptimumResult]

  package init(record: OptimumRecord, folder: String) {
    self.record = record
    self.folder = folder
    results = OptimumAnalysis(record).results
  }

  /// The policies' outcomes at the objective's own prices.
  static func outcomes(of result: OptimumResult) -> [PolicyOutcome] {
    result.rankings.first?.policies ?? []
  }

  func key(_ policy: String, _ result: OptimumResult) -> BaselineKey {
    BaselineKey(
      cell: CellKey(engine: result.cell.engine, policy: policy, arm: result.cell.arm),
      seed: record.provenance.seed)
  }

  /// The regrets as figures: in points, and as a share where the optimum costs something.
  package var cells: [BaselineCell] {
    results.flatMap { result in
      Self.outcomes(of: result).compactMap { outcome -> BaselineCell? in
        guard result.basis != .someSchedules, let difference = outcome.difference else {
          return nil
        }
        var figures = [Metric.regretPoints.column: difference.points]
        figures[Metric.regret.column] = outcome.regret
        return BaselineCell(
          key: key(outcome.policy, result), figures: figures, curve: .none,
          armDigest: ScenarioDigest.of(arm: result.cell.arm, record.scenario))
      }
    }
  }

  /// Why the cell has no regret; nil for a reason that the record does not have.
  func absence(of key: CellKey) -> String? {
    let result = results.first { $0.cell.engine == key.engine && $0.cell.arm == key.arm }
    return result.flatMap { absence(of: $0) }
  }

  /// Why no policy of the engine and arm has a regret; nil if they have.
  func absence(of result: OptimumResult) -> String? {
    if let absence = result.absence { return "has no optimum: \(absence)" }
    if case .unsatisfiable(let unmet, _)? = result.rankings.first?.best {
      return
        "has no optimum: no schedule meets the limits of the objective (\(unmet.limit.rawValue): "
        + "\(unmet.least) B at least, \(unmet.maximum) B at most)"
    }
    return nil
  }
}
