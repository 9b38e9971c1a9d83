// The analysis of a record and its samples: a pure function, so that the same record gives the same report next year.
package import MetricModel
package import Objective
import Policies
package import RecordModel

package struct ScenarioAnalysis: Sendable {
  package let record: RunRecord
  /// In the order of the record.
  package let cells: [CellAnalysis]
  package let determinism: Determinism
  /// Each measured policy compared with `never` on the same engine and arm.
  package let comparisons: [Comparison]
  package let expectations: [ExpectationOutcome]
  /// One per engine on which snapshots were held.
  package let pinCosts: [PinCost]
  /// One per cell that has a curve.
  package let curves: [CurveStatistics]
  /// One per engine with measured cells, in the main arm.
  package let choices: [PolicyChoice]
  /// One per engine and policy that decides at launches, in the main arm.
  package let launchRules: [LaunchRuleOutcome]
  package let labels: PolicyLabels
  /// What policies are ranked by.
  package let objective: Objective
  /// Nil unless the run was to be certified.
  package let machineCheck: MachineCheck?
  /// Whether the user gave the quota.
  package let isQuotaGiven: Bool

  /// - Parameters:
  ///   - samples: what samples.csv holds; cells without rows have no curve.
  ///   - quota: the limit of the total file size; nil for twice the maximum of live bytes in any cell.
  ///   - objective: nil for that of the scenario, or the default.
  package init(
    record: RunRecord, samples: [CellRows<Sample>], quota: ByteCount? = nil,
    objective: Objective? = nil
  ) {
    self.record = record
    let schedule = record.provenance.schedule
    let runs = Self.runs(record.rowsOfBytes(samples))
    let threads = Self.runs(record.rowsOfThreads(samples))
    let cells = record.cells.map {
      CellAnalysis(
        $0, samples: runs[$0.key]?.first ?? [], threads: threads[$0.key] ?? [],
        schedule: schedule, peakDiskAbsence: record.provenance.peakDiskAbsence)
    }
    self.cells = cells
    labels = PolicyLabels(record.scenario.policies)
    machineCheck = MachineCheck(record)
    determinism = Determinism(cells, schedule)
    comparisons = Self.comparisons(cells, record.scenario.policies)
    expectations = ExpectationCheck.outcomes(
      record.scenario, cells, runs: runs, schedule == .threads ? .threads : .stepped,
      threads: threads)
    isQuotaGiven = quota != nil
    let limit = quota ?? CurveStatistics.defaultQuota(cells)
    curves = cells.compactMap { CurveStatistics($0, quota: limit) }
    pinCosts = Self.engines(cells).compactMap { PinCost(engine: $0, record.scenario, cells) }
    let objective = objective ?? record.scenario.objective ?? Objective()
    self.objective = objective
    choices = Self.engines(cells).compactMap {
      PolicyChoice(engine: $0, record.scenario, cells, objective)
    }
    let arm = record.scenario.arms.first?.name ?? ""
    launchRules = record.scenario.policies.flatMap { policy in
      cells.filter { $0.key.policy == policy.name && $0.key.arm == arm }
        .compactMap { LaunchRuleOutcome(policy, $0) }
    }
  }

  /// Returns the rows of each run of each cell, in the order of the runs.
  private static func runs(_ samples: [CellRows<Sample>]) -> [CellKey: [[Sample]]] {
    Dictionary(grouping: samples, by: \.key)
      .mapValues { $0.sorted { $0.repetition < $1.repetition }.map(\.rows) }
  }

  /// The departures of threaded byte counts from the exact curves, by cell, in the order of the record.
  package var departures: [(key: CellKey, curves: ThreadCurves)] {
    cells.compactMap { cell in
      cell.threadCurves.flatMap { $0.departures.isEmpty ? nil : (cell.key, $0) }
    }
  }

  /// Those of the record, in the order of the scenario.
  package var engines: [String] { Self.engines(cells) }
  /// The first arm: what users do. The other arms are mitigations.
  package var mainArm: String { record.scenario.arms.first?.name ?? "" }
  package var recommendation: Recommendation { Recommendation(self) }

  package func cell(_ key: CellKey) -> CellAnalysis? { cells.first { $0.key == key } }

  /// Whether another policy's run equals that of `never` in the same arm in every exact figure.
  package func isEqualToNever(_ cell: CellAnalysis) -> Bool {
    guard let never = never(beside: cell), never.key != cell.key else { return false }
    return SummaryMetric.allCases.allSatisfy { metric in
      let (mine, other) = (cell.measure(metric), never.measure(metric))
      return metric.isTimed || (mine.value == other.value && mine.value == nil)
        || (mine.isExact && other.isExact && mine.value == other.value)
    }
  }

  /// A line with the policies of the main arm that equal `never` on the engine; nil if there are none.
  package func equalToNever(on engine: String) -> String? {
    let names = cells.filter {
      $0.key.engine == engine && $0.key.arm == mainArm && isEqualToNever($0)
    }.map { labels[$0.key.policy].asCode }
    return names.isEmpty ? nil : "Equal to `never` in every byte: \(names.inWords)."
  }

  private func never(beside cell: CellAnalysis) -> CellAnalysis? {
    guard cell.isMeasured,
      let policy = record.scenario.policies.first(where: { $0.rule == "never" })
    else { return nil }
    return self.cell(cell.key.engine, policy.name, cell.key.arm).flatMap {
      $0.isMeasured ? $0 : nil
    }
  }

  package func cell(_ engine: String, _ policy: String, _ arm: String) -> CellAnalysis? {
    let key = CellKey(engine: engine, policy: policy, arm: arm)
    return cells.first { $0.key == key }
  }

  private static func engines(_ cells: [CellAnalysis]) -> [String] {
    cells.reduce(into: []) { if !$0.contains($1.key.engine) { $0.append($1.key.engine) } }
  }

  private static func comparisons(
    _ cells: [CellAnalysis], _ policies: [Policy]
  ) -> [Comparison] {
    guard let name = policies.first(where: { $0.rule == "never" })?.name else { return [] }
    return cells.compactMap { cell in
      let key = CellKey(engine: cell.key.engine, policy: name, arm: cell.key.arm)
      return cells.first { $0.key == key }.flatMap { Comparison(cell, never: $0) }
    }
  }
}
