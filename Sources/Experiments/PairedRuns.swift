// Compares two builds side by side, in blocks of base, head and base again, in an order drawn anew for each block; each run
// has a process and folder of its own. After 30, 60 and 120 blocks there is an interim analysis; the first one with a verdict
// on every figure ends the comparison. Stored times are never compared: the same machine was another one last week.
package import Analysis
import Generators
import Statistics
package import SystemIO

/// Which command a run is of.
package enum BuildArm: String, Sendable, CaseIterable {
  case base, head
  /// Base once more: a difference between base and this is an effect of the machine.
  case control
}

/// Why a comparison could not be made.
package struct ComparisonError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

package struct PairedRuns: Sendable {
  /// The numbers of blocks after which there is an interim analysis.
  package static let interimAnalyses = [30, 60, 120]
  /// The number of blocks whose noise determines how many are planned.
  package static let pilot = 10
  /// The most runs before the first block; warming up ends with a run that is no faster than the one before it.
  package static let maxWarmUps = 8

  package var rules: ComparisonRules
  /// The figures of a run: first those that decide, then those that are only shown.
  package var figures: [PairedSeries]
  package var deciding: Int

  package init(rules: ComparisonRules, deciding: [PairedSeries], shown: [PairedSeries] = []) {
    precondition(!deciding.isEmpty, "something decides")
    self.rules = rules
    self.deciding = deciding.count
    figures = deciding + shown
  }

  /// The result of a comparison.
  package struct Outcome: Sendable, Equatable {
    /// The verdicts on the figures that decide.
    package var comparisons: [PairedComparison]
    /// The verdicts on the other figures, corrected by Benjamini and Hochberg: for exploration, not for decisions.
    package var shown: [PairedComparison]
    package var aaCheck: [PairedComparison]
    package var blocks: Int
    /// The number of blocks that the noise of the pilot requires.
    package var planned: Int
    package var warmUps: Int
    /// The significance level of the last analysis.
    package var level: Double
    /// Every run's figures, block after block.
    package var series: [PairedSeries]
    package var interrupted: Bool

    /// Whether every figure of the A/A check is equivalent: otherwise the machine makes a build differ from itself, or is too
    /// noisy to exclude that.
    package var isEnvironmentValid: Bool { aaCheck.allSatisfy { $0.verdict == .equivalent } }
  }

  /// Compares the builds. `measure` runs one arm once and returns its figures in order. A requested cancellation ends the
  /// comparison with the blocks so far.
  package func run(
    cancellation: Cancellation? = nil, progress: (_ block: Int, _ planned: Int) -> Void,
    measure: (BuildArm) throws -> [Double]
  ) throws -> Outcome {
    var outcome = Outcome(
      comparisons: [], shown: [], aaCheck: [], blocks: 0,
      planned: Self.interimAnalyses[Self.interimAnalyses.count - 1], warmUps: 0, level: 0,
      series: figures,
      interrupted: false)
    outcome.warmUps = try warmUp(cancellation, measure)
    while outcome.blocks < outcome.planned {
      guard cancellation?.isRequested != true else {
        outcome.interrupted = true
        break
      }
      progress(outcome.blocks, outcome.planned)
      try addBlock(&outcome, measure)
      if outcome.blocks == Self.pilot {
        outcome.planned = plannedBlocks(outcome.series.prefix(deciding))
      }
      if Self.interimAnalyses.contains(outcome.blocks) {
        analyze(&outcome)
        if isDecided(outcome) { return outcome }
        extendPlan(&outcome)
      }
    }
    if !Self.interimAnalyses.contains(outcome.blocks), outcome.blocks > 1 { analyze(&outcome) }
    return outcome
  }

  /// Runs base until caches are warm, judged by the first deciding figure, and returns the number of runs.
  private func warmUp(
    _ cancellation: Cancellation?, _ measure: (BuildArm) throws -> [Double]
  ) throws -> Int {
    var before = Double.infinity
    for run in 1...Self.maxWarmUps {
      guard cancellation?.isRequested != true else { return run - 1 }
      let now = try measure(.base)[0]
      if now >= 0.95 * before { return run }
      before = now
    }
    return Self.maxWarmUps
  }

  private func addBlock(
    _ outcome: inout Outcome, _ measure: (BuildArm) throws -> [Double]
  ) throws {
    var stream = RandomStream(seed: rules.seed, label: "order of arms", index: outcome.blocks)
    var values: [BuildArm: [Double]] = [:]
    for arm in BuildArm.allCases.shuffled(using: &stream) { values[arm] = try measure(arm) }
    for index in outcome.series.indices {
      outcome.series[index].base.append(values[.base]?[index] ?? 0)
      outcome.series[index].head.append(values[.head]?[index] ?? 0)
      outcome.series[index].control.append(values[.control]?[index] ?? 0)
    }
    outcome.blocks += 1
  }

  /// Plans more blocks if the A/A check has no verdict after the planned ones. Only the machine's noise decides that, as it
  /// did the plan; a head without a verdict gets no further blocks.
  private func extendPlan(_ outcome: inout Outcome) {
    guard outcome.blocks == outcome.planned, !outcome.isEnvironmentValid else { return }
    outcome.planned = Self.interimAnalyses.first { $0 > outcome.blocks } ?? outcome.planned
  }

  /// Returns the smallest number of blocks after which, by the noise of the pilot, equal builds get the verdict equivalent in
  /// four of five comparisons. Only base and control are used: a plan that depends on the difference would change the level.
  private func plannedBlocks(_ series: ArraySlice<PairedSeries>) -> Int {
    let maximum = Self.interimAnalyses[Self.interimAnalyses.count - 1]
    // Both one-sided tests must reject: each may fail in one of ten.
    let reach = NormalQuantile.above(rules.alpha) + NormalQuantile.above(0.1)
    let needed =
      series.map { figure -> Double in
        guard (figure.base + figure.control).allSatisfy({ $0 > 0 }) else { return Double(maximum) }
        let noise =
          RobustScale.qn(zip(figure.control, figure.base).map { LogRatio.of($0 / $1) }) ?? 0
        let blocks = reach * noise / LogRatio.of(1 + rules.tolerance)
        // Ten blocks estimate a spread badly, so its upper limit is used. The signed-rank test needs 1/0.955 of the values of
        // a t-test.
        return blocks * blocks * RobustScale.varianceLimit(count: Self.pilot, confidence: 0.8)
          / 0.955
      }.max() ?? 0
    return Self.interimAnalyses.first { Double($0) >= needed } ?? maximum
  }

  private func analyze(_ outcome: inout Outcome) {
    let planned = Double(outcome.planned)
    let shares = Self.interimAnalyses.filter { $0 < outcome.blocks }.map { Double($0) / planned }
    let levels = AlphaSpending.levels(
      shares: shares + [Double(outcome.blocks) / planned], alpha: rules.alpha)
    outcome.level = levels[levels.count - 1]
    let decide = Array(outcome.series.prefix(deciding))
    outcome.comparisons = PairedComparison.compare(decide, rules, level: outcome.level)
    outcome.aaCheck = PairedComparison.aaCheck(decide, rules, level: outcome.level)
    outcome.shown = PairedComparison.explore(
      Array(outcome.series.dropFirst(deciding)), rules, level: outcome.level)
  }

  /// Returns whether every figure has a verdict, or the A/A check found a difference: then no further block would make the
  /// comparison valid.
  private func isDecided(_ outcome: Outcome) -> Bool {
    if outcome.aaCheck.contains(where: { $0.verdict == .regressed || $0.verdict == .improved }) {
      return true
    }
    return (outcome.comparisons + outcome.aaCheck).allSatisfy { $0.verdict != .inconclusive }
  }
}
