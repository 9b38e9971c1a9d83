// A baseline: every exact figure of every cell of a scenario, and the signature of its curve. Times are not in it, since a
// stored time is that of another machine or another day.
import Analysis
package import RecordModel

/// The key of a run of a scenario: a cell and the seed.
package struct BaselineKey: Hashable, Sendable {
  package var cell: CellKey
  package var seed: UInt64

  package init(cell: CellKey, seed: UInt64) {
    self.cell = cell
    self.seed = seed
  }

  var order: (String, String, String, UInt64) { (cell.engine, cell.policy, cell.arm, seed) }
}

package struct BaselineCell: Sendable, Equatable {
  package var key: BaselineKey
  /// Column → value, without figures that the engine does not report.
  package var figures: [String: Double]
  package var curve: CurveSignature
  /// The digest of what the arm's clients do: an arm with other clients has another baseline.
  package var armDigest: String

  package init(
    key: BaselineKey, figures: [String: Double], curve: CurveSignature, armDigest: String
  ) {
    self.key = key
    self.figures = figures
    self.curve = curve
    self.armDigest = armDigest
  }
}

package struct Baseline: Sendable, Equatable {
  package var scenario: String
  /// The digest of the scenario's data, phases and sampling: another scenario has another baseline.
  package var digest: String
  package var fingerprint: Fingerprint
  package var kind: BaselineKind
  /// By engine, policy, arm and seed.
  package var cells: [BaselineCell]
  /// Whether the file had a checksum. Those of earlier versions have none.
  package var isChecked = true

  package init(
    scenario: String, digest: String, fingerprint: Fingerprint, cells: [BaselineCell],
    kind: BaselineKind = .runs
  ) {
    self.scenario = scenario
    self.kind = kind
    self.digest = digest
    self.fingerprint = fingerprint
    self.cells = cells.sorted { $0.key.order < $1.key.order }
  }

  package var seeds: [UInt64] { Set(cells.map(\.key.seed)).sorted() }
}

extension Baseline {
  /// The exact figures of runs of one scenario, one run for each seed.
  ///
  /// Errors: a run of real threads, one that was interrupted, a cell that failed or did not repeat, another scenario under
  /// the same name.
  package init(_ runs: [MeasuredRun]) throws(RegressionError) {
    precondition(!runs.isEmpty, "a baseline is of a run")
    for run in runs { try run.checkIsExact() }
    try self.init(
      runs.map { Part(folder: $0.folder, digest: $0.scenarioDigest, cells: $0.cells) },
      of: runs.map(\.record.scenario.name), Fingerprint(runs[0].record.provenance), .runs)
  }

  /// The regrets of optima of one scenario, one for each seed.
  ///
  /// Errors: no optimum that is known, another scenario or objective under the same name.
  package init(_ optima: [MeasuredOptimum]) throws(RegressionError) {
    if optima.allSatisfy(\.cells.isEmpty) {
      let reason = optima[0].results.lazy.compactMap { optima[0].absence(of: $0) }.first
      throw RegressionError(
        .notComparable,
        "\(optima[0].folder): \(reason ?? "has no policy with a regret that is known")")
    }
    try self.init(
      optima.map {
        Part(
          folder: $0.folder, digest: ScenarioDigest.of($0.record.scenario, withObjective: true),
          cells: $0.cells)
      }, of: optima.map(\.record.scenario.name), Fingerprint(optima[0].record.provenance), .optimum)
  }

  /// What one record adds.
  private struct Part {
    let folder: String
    let digest: String
    let cells: [BaselineCell]
  }

  private init(
    _ parts: [Part], of names: [String], _ fingerprint: Fingerprint, _ kind: BaselineKind
  ) throws(RegressionError) {
    let (first, name) = (parts[0], names[0])
    if let other = parts.first(where: { $0.digest != first.digest }) {
      throw RegressionError(
        .notComparable,
        "\(other.folder) and \(first.folder) hold runs of different scenarios named "
          + "\(name); keep records of one of them in the folder")
    }
    let cells = parts.flatMap(\.cells)
    if let twice = Dictionary(grouping: cells, by: \.key).first(where: { $0.value.count > 1 })?.key
    {
      throw RegressionError(
        .notComparable,
        "\(name) was run more than once with seed \(twice.seed): "
          + parts.map(\.folder).joined(separator: ", ") + "; give one of these folders")
    }
    self.init(
      scenario: name, digest: first.digest, fingerprint: fingerprint, cells: cells, kind: kind)
  }
}

/// A run's record with its rows and its folder.
package struct MeasuredRun: Sendable {
  package var record: RunRecord
  package var samples: [CellRows<Sample>]
  /// The folder, for messages.
  package var folder: String

  package init(record: RunRecord, samples: [CellRows<Sample>], folder: String) {
    self.record = record
    self.samples = samples
    self.folder = folder
  }

  /// The cells that were measured.
  package var measured: [CellRecord] {
    record.cells.filter { $0.status == .measured && !$0.repetitions.isEmpty }
  }

  /// The rows of the cell's first repetition.
  package func rows(_ key: CellKey) -> [Sample] { samples.first { $0.key == key }?.rows ?? [] }

  var cells: [BaselineCell] {
    measured.map { cell in
      var figures: [String: Double] = [:]
      for metric in SummaryMetric.allCases where !metric.isTimed {
        figures[metric.column] = metric.value(cell.repetitions[0])
      }
      return BaselineCell(
        key: BaselineKey(cell: cell.key, seed: record.provenance.seed), figures: figures,
        curve: CurveSignature(rows(cell.key)), armDigest: armDigest(cell.key.arm))
    }
  }

  /// The digest of everything that decides which operations run and when samples are taken.
  package var scenarioDigest: String { ScenarioDigest.of(record.scenario) }

  /// Returns the digest of one arm's clients.
  package func armDigest(_ name: String) -> String { ScenarioDigest.of(arm: name, record.scenario) }

  func checkIsExact() throws(RegressionError) {
    guard record.provenance.schedule.hasExactFigures else {
      throw RegressionError(
        .notComparable,
        "\(folder): real threads decided the order of events, so no figure repeats; run with "
          + "--schedule both or stepped, or compare two builds side by side with compare-builds")
    }
    guard !record.provenance.interrupted else {
      throw RegressionError(.notComparable, "\(folder): the run was interrupted; run it again")
    }
    for cell in record.cells {
      if case .failed(let reason) = cell.status {
        throw RegressionError(.notComparable, "\(folder): \(cell.key.words) failed: \(reason)")
      }
      guard cell.repetitions.allSatisfy({ $0.exact == cell.repetitions[0].exact }) else {
        throw RegressionError(
          .notComparable,
          "\(folder): \(cell.key.words) differed between repetitions, so nothing in it is exact")
      }
    }
  }
}

extension CellKey {
  /// `native · never · default`
  package var words: String { "\(engine) · \(policy) · \(arm)" }
}
