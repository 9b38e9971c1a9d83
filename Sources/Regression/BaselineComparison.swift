// Compares head's exact figures with those of the baseline, one by one, by subtraction.
import Analysis
package import MetricModel
package import RecordModel

/// One exact figure of one cell compared with its baseline.
package struct FigureChange: Sendable, Equatable {
  package var scenario: String
  package var key: BaselineKey
  /// A column of Reports/Metrics.md, or `curve` if samples differ and no figure does.
  package var figure: String
  package var base: Double
  package var head: Double
  package var allowance: Allowance
  package var verdict: FigureVerdict
  package var divergence: CurveDivergence?

  package var metric: Metric? { Metric.stored(figure) }
  package var cellLabel: String { "\(scenario) · \(key.cell.words)" }
}

/// Why a cell could not be compared.
package struct Uncompared: Sendable, Equatable {
  package var scenario: String
  /// nil for the whole scenario.
  package var cell: CellKey?
  package var reason: String

  package init(scenario: String, cell: CellKey? = nil, reason: String) {
    self.scenario = scenario
    self.cell = cell
    self.reason = reason
  }

  package var cellLabel: String { scenario + (cell.map { " · \($0.words)" } ?? "") }
}

/// Everything that the comparison of exact figures found.
package struct ExactFindings: Sendable, Equatable {
  /// How many figures were compared.
  package var figures = 0
  package var cells = 0
  package var scenarioNames: Set<String> = []
  package var scenarios: Int { scenarioNames.count }
  /// Those that differ, allowed or not, in the order of scenario, engine, policy, arm and figure.
  package var changes: [FigureChange] = []
  /// Measured in head, and without a baseline.
  package var missing: [Uncompared] = []
  /// In the baseline, and not measured in head.
  package var unmeasured: [Uncompared] = []
  /// Of scenarios that were run with many seeds: the figures that differ for some of them.
  package var seedVarying: [SeedFinding] = []
  /// Differences in engine or machine that may be the cause of a change.
  package var explanations: [String] = []

  package init() {}

  package func changes(_ verdict: FigureVerdict) -> [FigureChange] {
    changes.filter { $0.verdict == verdict }
  }
}

package struct BaselineComparison: Sendable {
  package var thresholds: Thresholds

  package init(thresholds: Thresholds = Thresholds()) { self.thresholds = thresholds }

  /// Compares runs of one scenario with its baseline; nil where there is none.
  package func compare(
    _ runs: [MeasuredRun], with base: Baseline?, into findings: inout ExactFindings
  ) throws(RegressionError) {
    try compare(.runs(runs), with: base, into: &findings)
  }

  /// Compares records of one scenario with its baseline; nil where there is none.
  package func compare(
    _ measured: MeasuredScenario, with base: Baseline?, into findings: inout ExactFindings
  ) throws(RegressionError) {
    let head = try measured.baseline()
    guard let base else {
      findings.missing.append(
        Uncompared(
          scenario: head.scenario,
          reason: head.kind == .runs ? "no baseline was saved" : "no baseline of regrets was saved")
      )
      return
    }
    guard base.digest == head.digest else {
      findings.missing.append(
        Uncompared(
          scenario: head.scenario,
          reason: head.kind == .runs
            ? "the scenario's work or its sampling changed since the baseline was saved"
            : "the scenario's work or its objective changed since the baseline of regrets was saved"
        ))
      return
    }
    findings.scenarioNames.insert(head.scenario)
    findings.explanations += Fingerprint.differences(
      base.fingerprint.ofBytes, head.fingerprint.ofBytes
    ).filter { !findings.explanations.contains($0) }
    let known = Dictionary(uniqueKeysWithValues: base.cells.map { ($0.key, $0) })
    if head.seeds.count >= SeedComparison.minSeedCount {
      compareSeeds(head, known, &findings)
    } else {
      for cell in head.cells {
        compare(cell, with: known[cell.key], head.scenario, measured, &findings)
      }
    }
    noteUnmeasured(base, head, measured, &findings)
  }

  private func compare(
    _ head: BaselineCell, with base: BaselineCell?, _ scenario: String,
    _ measured: MeasuredScenario, _ findings: inout ExactFindings
  ) {
    func miss(_ reason: String) {
      findings.missing.append(
        Uncompared(scenario: scenario, cell: head.key.cell, reason: reason))
    }
    guard let base else { return miss("the baseline has no such cell with seed \(head.key.seed)") }
    guard base.armDigest == head.armDigest else {
      return miss("the arm's clients changed since the baseline was saved")
    }
    findings.cells += 1
    let divergence =
      base.curve.digest == head.curve.digest
      ? nil : base.curve.divergence(of: measured.rows(head.key))
    var hasChange = false
    for name in Set(base.figures.keys).union(head.figures.keys).sorted() {
      // A share of an optimum that costs nothing is none; the points are compared in any case.
      if name == Metric.regret.column, base.figures[name] == nil || head.figures[name] == nil {
        continue
      }
      let isOptional = name == SummaryMetric.peakDisk.column
      if isOptional, base.figures[name] == nil {
        let note =
          "\(name) is measured now and is not in the baseline: save it again to have it compared"
        if !findings.explanations.contains(note) { findings.explanations.append(note) }
        continue
      }
      guard let metric = Metric.stored(name), let old = base.figures[name] else {
        miss("the baseline was saved without \(name)")
        continue
      }
      findings.figures += 1
      guard let new = head.figures[name] else {
        findings.unmeasured.append(
          Uncompared(
            scenario: scenario, cell: head.key.cell,
            reason: isOptional
              ? "this run did not measure \(name)" : "the engine no longer reports \(name)")
        )
        continue
      }
      let allowance = allowance(scenario, head.key.cell, name)
      let verdict = FigureVerdict(base: old, head: new, metric, allowance)
      guard verdict != .same else { continue }
      hasChange = true
      findings.changes.append(
        FigureChange(
          scenario: scenario, key: head.key, figure: name, base: old, head: new,
          allowance: allowance, verdict: verdict, divergence: divergence))
    }
    // Where a figure differs the curve explains it; alone it is a finding of its own.
    guard !hasChange, let divergence else { return }
    let allowance = allowance(scenario, head.key.cell, Thresholds.curve)
    findings.changes.append(
      FigureChange(
        scenario: scenario, key: head.key, figure: Thresholds.curve, base: 0, head: 0,
        allowance: allowance, verdict: allowance == .any ? .allowed : .changed,
        divergence: divergence))
  }

  private func compareSeeds(
    _ head: Baseline, _ known: [BaselineKey: BaselineCell], _ findings: inout ExactFindings
  ) {
    var pairs: [(base: BaselineCell, head: BaselineCell)] = []
    for cell in head.cells {
      guard let base = known[cell.key], base.armDigest == cell.armDigest else {
        findings.missing.append(
          Uncompared(
            scenario: head.scenario, cell: cell.key.cell,
            reason: "the baseline has no such cell with seed \(cell.key.seed)"))
        continue
      }
      pairs.append((base, cell))
      findings.cells += 1
      findings.figures += cell.figures.count
    }
    findings.seedVarying += SeedComparison.findings(
      pairs, scenario: head.scenario, thresholds: thresholds)
  }

  private func allowance(_ scenario: String, _ key: CellKey, _ metric: String) -> Allowance {
    thresholds.allowance(
      scenario: scenario, engine: key.engine, policy: key.policy, arm: key.arm, metric: metric)
  }

  /// Notes the cells of the baseline that head lacks: a gate must not silently compare less than before.
  private func noteUnmeasured(
    _ base: Baseline, _ head: Baseline, _ measured: MeasuredScenario,
    _ findings: inout ExactFindings
  ) {
    let known = Set(head.cells.map(\.key))
    for cell in base.cells where !known.contains(cell.key) {
      findings.unmeasured.append(
        Uncompared(
          scenario: base.scenario, cell: cell.key.cell, reason: measured.absence(of: cell.key)))
    }
  }
}
