// All records of a scenario of one kind: what is compared with one baseline.
import MetricModel
import RecordModel

/// What the figures of a baseline are of.
package enum BaselineKind: String, Sendable, CaseIterable {
  case runs
  /// Regrets, by optimum.json.
  case optimum
}

/// Records of one scenario, one for each seed.
package enum MeasuredScenario: Sendable {
  case runs([MeasuredRun])
  case optima([MeasuredOptimum])

  package var kind: BaselineKind {
    switch self {
    case .runs: .runs
    case .optima: .optimum
    }
  }

  package var name: String {
    switch self {
    case .runs(let runs): runs.first?.record.scenario.name ?? ""
    case .optima(let optima): optima.first?.record.scenario.name ?? ""
    }
  }

  /// Their exact figures.
  package func baseline() throws(RegressionError) -> Baseline {
    switch self {
    case .runs(let runs): try Baseline(runs)
    case .optima(let optima): try Baseline(optima)
    }
  }

  package var optima: [MeasuredOptimum] {
    if case .optima(let optima) = self { optima } else { [] }
  }

  package var runs: [MeasuredRun] {
    if case .runs(let runs) = self { runs } else { [] }
  }

  /// The rows of a cell's first repetition; none for an optimum.
  func rows(_ key: BaselineKey) -> [Sample] {
    runs.first { $0.record.provenance.seed == key.seed }?.rows(key.cell) ?? []
  }

  /// Why a cell was not measured.
  func absence(of key: BaselineKey) -> String {
    let status = runs.lazy.compactMap { run in
      run.record.cells.first { $0.key == key.cell }?.status
    }.first
    return switch status {
    case .unavailable(let reason): "not available on this machine: \(reason)"
    case .notApplicable(let reason): "not applicable: \(reason)"
    case .failed(let reason): "failed: \(reason)"
    case .measured, nil:
      optima.lazy.compactMap { $0.absence(of: key.cell) }.first ?? "not run with seed \(key.seed)"
    }
  }
}
