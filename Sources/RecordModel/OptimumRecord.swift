// The record of `optimum`: optimum.json. It holds what was measured and no prices, so that other prices can be applied later.
package import ScenarioModel

package struct OptimumRecord: SealedRecord, Equatable {
  package static let fileName = "optimum.json"
  package static let currentFormat = 2
  package static let formatKey = CodingKeys.optimumFormat.rawValue
  package static let command = "optimum"
  package static let isIndented = false

  package var optimumFormat = currentFormat
  package var provenance: Provenance
  package var scenario: Scenario
  /// What the times of launches are predicted by; nil where they are not.
  package var calibration: String?
  package var cells: [OptimumCell]
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey {
    case optimumFormat, provenance, scenario, calibration, cells
  }

  package init(provenance: Provenance, scenario: Scenario, cells: [OptimumCell]) {
    self.provenance = provenance
    self.scenario = scenario
    self.cells = cells
  }
}

/// An engine and an arm: every run under a schedule of compactions, and under a policy.
package struct OptimumCell: Sendable, Codable, Equatable {
  package var engine: String
  package var arm: String
  /// Why there are no results; nil if there are.
  package var absence: String?
  /// Whether the engine compacts by itself, too, under every launch schedule.
  package var isAutomatic: Bool
  package var runs: [ScheduleRun]
  package var renewal: RenewalFinding?

  package init(
    engine: String, arm: String, absence: String? = nil, isAutomatic: Bool = false,
    runs: [ScheduleRun] = [], renewal: RenewalFinding? = nil
  ) {
    self.engine = engine
    self.arm = arm
    self.absence = absence
    self.isAutomatic = isAutomatic
    self.runs = runs
    self.renewal = renewal
  }
}

/// Whether a compaction makes the files forget what was compacted before it: the comparison of predicted rows with those of
/// runs.
package struct RenewalFinding: Sendable, Codable, Equatable {
  /// The runs that were compared, and how many different schedules with two compactions or more they had.
  package var runs: Int
  package var schedules: Int
  package var rows: Int
  /// The first row that differs; nil if none does.
  package var difference: RowDifference?
  /// The first row that differs in a column that costs are made of; nil if none does.
  package var pricedDifference: RowDifference?

  package init(
    runs: Int = 0, schedules: Int = 0, rows: Int = 0, difference: RowDifference? = nil,
    pricedDifference: RowDifference? = nil
  ) {
    self.runs = runs
    self.schedules = schedules
    self.rows = rows
    self.difference = difference
    self.pricedDifference = pricedDifference
  }

  /// Counts a run that was compared.
  package mutating func add(_ comparison: RowComparison) {
    runs += 1
    rows += comparison.rows
    difference = difference ?? comparison.difference
    pricedDifference = pricedDifference ?? comparison.pricedDifference
  }
}

/// The comparison of a run's rows with the predicted ones.
package struct RowComparison: Sendable, Equatable {
  /// The rows that are as predicted, up to the first that differs.
  package var rows = 0
  package var difference: RowDifference?
  /// The first difference in a column that costs are made of.
  package var pricedDifference: RowDifference?

  package init() {}
}

/// A row of samples that is not as predicted.
package struct RowDifference: Sendable, Codable, Equatable {
  package var policy: String
  package var schedule: [Int]
  package var launch: Int
  package var phase: String
  package var commit: Int
  package var column: String
  package var predicted: String
  package var measured: String

  package init(
    policy: String, schedule: [Int], launch: Int, phase: String, commit: Int, column: String,
    predicted: String, measured: String
  ) {
    self.policy = policy
    self.schedule = schedule
    self.launch = launch
    self.phase = phase
    self.commit = commit
    self.column = column
    self.predicted = predicted
    self.measured = measured
  }
}
