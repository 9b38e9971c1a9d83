// Two builds side by side: blocks of base, head and base again, in an order drawn anew for each block, each run in a
// process and folder of its own. Interim analyses after 30, 60 and 120 blocks; the first that has a verdict on every figure
// ends the comparison. A stored time is never compared with: the machine of last week is another machine.
package import Analysis
import Generators
import Statistics
package import SystemIO

/// Which command a run is of.
package enum BuildArm: String, Sendable, CaseIterable {
  case base, head
  /// Base once more: what differs between base and this is the machine's doing.
  case control
}

/// What is wrong with a comparison that could not be made.
package struct ComparisonError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

package struct PairedRuns: Sendable {
  /// The numbers of blocks after which the figures are analyzed.
  package static let interimAnalyses = [30, 60, 120]
  /// The blocks whose noise decides how many are planned.
  package static let pilot = 10
  /// Runs before the first block, at most, until one is no faster than the one before it.
  package static let maxWarmUps = 8

  package var rules: ComparisonRules
  /// The figures that a run gives: first those that decide, then those that are shown only.
  package var figures: [PairedSeries]
  package var deciding: Int

  package init(rules: ComparisonRules, deciding: [PairedSeries], shown: [PairedSeries] = []) {
    precondition(!deciding.isEmpty, "something decides")
    self.rules = rules
    self.deciding = deciding.count
    figures = deciding + shown
  }

  /// What was found.
  package struct Outcome: Sendable, Equatable {
    /// Of the figures that decide.
    package var comparisons: [PairedComparison]
    /// Of the others, corrected by Benjamini and Hochberg: to look through, not to decide by.
    package var shown: [PairedComparison]
    package var aaCheck: [PairedComparison]
    package var blocks: Int
    /// The number of blocks that the pilot's noise asked for.
    package var planned: Int
    package var warmUps: Int
    /// The significance level of the interim analysis that ended it.
    package var level: Double
    /// Every run's figures, block after block.
    package var series: [PairedSeries]
    package var interrupted: Bool

    /// Whether the A/A check passed: base compared with itself is equivalent in every figure.
    package var isEnvironmentValid: Bool { aaCheck.allSatisfy { $0.verdict == .equivalent } }
  }

  /// `measure` runs one arm once and returns its figures, in their order. Ends early, with what there is, where
  /// `cancellation` is requested.
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

  /// A first run pays for cold caches. The figure watched is the first of those that decide.
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

  /// Where the planned blocks leave it open whether the machine can be measured on, nothing was said of head at this look,
  /// and more blocks may tell. The machine's own noise decides that, as it did the plan; a head that stays between two
  /// calls gets no second chance.
  private func extendPlan(_ outcome: inout Outcome) {
    guard outcome.blocks == outcome.planned, !outcome.isEnvironmentValid else { return }
    outcome.planned = Self.interimAnalyses.first { $0 > outcome.blocks } ?? outcome.planned
  }

  /// The least of the looks at which the noise of the pilot lets the same be called the same in four of five tries. Base
  /// beside base alone is looked at: a plan that knew the difference would bend the level.
  private func plannedBlocks(_ series: ArraySlice<PairedSeries>) -> Int {
    let most = Self.interimAnalyses[Self.interimAnalyses.count - 1]
    // Both one-sided tests must refuse their side: each may fail in one of ten.
    let reach = NormalQuantile.above(rules.alpha) + NormalQuantile.above(0.1)
    let needed =
      series.map { figure -> Double in
        guard (figure.base + figure.control).allSatisfy({ $0 > 0 }) else { return Double(most) }
        let noise =
          RobustScale.qn(zip(figure.control, figure.base).map { LogRatio.of($0 / $1) }) ?? 0
        let blocks = reach * noise / LogRatio.of(1 + rules.tolerance)
        // Ten blocks tell a spread badly, so its upper limit counts. The signed-rank test needs 1/0.955 of the values that
        // a t-test would.
        return blocks * blocks * RobustScale.varianceLimit(count: Self.pilot, confidence: 0.8)
          / 0.955
      }.max() ?? 0
    return Self.interimAnalyses.first { Double($0) >= needed } ?? most
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

  /// A build that differs from itself ends the comparison too: no further block would make it mean something.
  private func isDecided(_ outcome: Outcome) -> Bool {
    if outcome.aaCheck.contains(where: { $0.verdict == .regressed || $0.verdict == .improved }) {
      return true
    }
    return (outcome.comparisons + outcome.aaCheck).allSatisfy { $0.verdict != .inconclusive }
  }
}
