// The outcome of a gate: one exit code for all comparisons.
package import Analysis

/// The result, with the exit code of the process.
package enum GateResult: Int32, Sendable, Codable, CaseIterable {
  case pass = 0
  case regression = 1
  /// A cell of the baseline was not measured.
  case unmeasured = 2
  /// A figure is better than the baseline by more than the threshold: save the baseline again, or look for the mistake.
  case improvement = 3
  case baselineMissing = 4
  case environmentInvalid = 5
}

/// A figure of `compare-builds`, after the thresholds.
package struct TimedFinding: Sendable, Equatable {
  package var figure: TimedComparison.Figure
  package var allowance: Allowance
  package var verdict: PairedComparison.Verdict
}

package struct GateOutcome: Sendable, Equatable {
  package var exact: ExactFindings
  package var timed: [TimedFinding]
  /// Exact figures of compared builds that differ.
  package var timedExact: [ExactDifference] = []
  /// Regrets beside `regretLimit`, which is nil where there is none.
  package var regrets: [RegretFinding] = []
  package var regretLimit: String?
  /// Why times cannot be judged; empty if they can.
  package var invalid: [String]
  /// Whether cells of the baseline may be unmeasured.
  package var allowsPartial: Bool

  package init(
    exact: ExactFindings, timed: [TimedFinding] = [],
    invalid: [String] = [], allowsPartial: Bool = false
  ) {
    self.exact = exact
    self.timed = timed
    self.invalid = invalid
    self.allowsPartial = allowsPartial
  }

  /// Adds a comparison of two builds that was made on this machine.
  package mutating func add(
    _ comparison: TimedComparison, machine: [String: String], thresholds: Thresholds, name: String
  ) {
    timedExact += comparison.exactDifferences
    let differing = machine.filter { comparison.machine[$0.key] != $0.value }
      .sorted { $0.key < $1.key }
    guard differing.isEmpty else {
      invalid += differing.map {
        "\(name) was made on another machine: \($0.key) was \(comparison.machine[$0.key] ?? "not known"), is "
          + "\($0.value) here"
      }
      return
    }
    guard comparison.isEnvironmentValid else {
      let different = comparison.aaCheck.filter { $0.verdict != "equivalent" }.map(\.name)
      invalid.append(
        "\(name): the machine is too noisy: the A/A check failed for "
          + different.joined(separator: ", "))
      return
    }
    timed += comparison.figures.map { figure in
      let allowance = thresholds.allowance(timed: figure.name)
      return TimedFinding(
        figure: figure, allowance: allowance, verdict: comparison.verdict(figure, allowance))
    }
  }

  package var result: GateResult {
    if hasRegression { return .regression }
    if !exact.unmeasured.isEmpty, !allowsPartial { return .unmeasured }
    if !exact.missing.isEmpty { return .baselineMissing }
    if !invalid.isEmpty { return .environmentInvalid }
    let isBetter =
      !exact.changes(.better).isEmpty
      || exact.seedVarying.contains { $0.comparison.verdict == .improved }
      || timed.contains { $0.verdict == .improved } || !timedExact.isEmpty
    return isBetter ? .improvement : .pass
  }

  private var hasRegression: Bool {
    !exact.changes(.worse).isEmpty || !exact.changes(.changed).isEmpty
      || exact.seedVarying.contains { $0.comparison.verdict == .regressed }
      || regrets.contains { !$0.isWithin }
      || timed.contains { $0.verdict == .regressed } || timedExact.contains { !$0.isBetter }
  }
}

extension Thresholds {
  /// Returns the allowance of a figure of compared builds: a column of the whole command, or
  /// `scenario/engine/policy/arm/column`.
  func allowance(timed name: String) -> Allowance {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 5 else {
      return allowance(scenario: "", engine: "", policy: "", arm: "", metric: name)
    }
    // A policy's name may hold a slash: what is between is its.
    return allowance(
      scenario: parts[0], engine: parts[1],
      policy: parts[2..<(parts.count - 2)].joined(separator: "/"),
      arm: parts[parts.count - 2], metric: parts[parts.count - 1])
  }
}
