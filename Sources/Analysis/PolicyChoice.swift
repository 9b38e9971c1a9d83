// The policy to recommend on an engine, by rules that the report and Docs/Optimum.md state: what it costs by the objective.
// Without `never` for comparison no policy is recommended, since its savings are unknown.
package import MetricModel
package import Objective
package import Policies
import RecordModel
import ScenarioModel

/// The recommendation for one engine, in the main arm.
package struct PolicyChoice: Sendable {
  package enum Advice: Sendable {
    /// The policy costs less than `never`, by more than the tolerance.
    case compact(Policy, CellAnalysis)
    /// No policy costs so much less; `next` is the cheapest of the others, nil without one.
    case doNothing(CellAnalysis, next: CellAnalysis?)
    /// There is nothing to compare, with the reason.
    case nothing(reason: String)
  }

  /// Where the objective has no limit for launches, a policy whose longest launch (median) takes longer, and longer than
  /// that of `never`, is excluded.
  package static let maxBlockedTime = 1_000_000_000.0
  /// Costs within this share of the least count as equal; so do those within the price of `tieBytes`, one growth step of a
  /// file, over the run. Also the share within which sizes do.
  package static let tieTolerance = 0.05
  package static let tieBytes = ByteCount(1 << 20)

  /// What is chosen where work costs more, or less.
  package struct OtherPrice: Sendable {
    package let factor: Double
    package let policy: Policy
  }

  package let engine: String
  package let advice: Advice
  package let never: CellAnalysis?
  /// Excluded policies, with the reason.
  package let excluded: [(policy: String, reason: String)]
  /// Policies that compacted nothing here, and so cannot be recommended.
  package let untriggered: [String]
  /// nil where nothing could be priced.
  package let prices: CellPrices?
  private let costs: [(cell: CellKey, cost: Cost)]
  /// The choices at the prices of work times `Objective.otherFactors`, where they are other ones.
  package let otherPrices: [OtherPrice]

  /// The cell of the policy that is recommended.
  package var cell: CellAnalysis? {
    switch advice {
    case .compact(_, let cell), .doNothing(let cell, _): cell
    case .nothing: nil
    }
  }

  /// - Returns: nil if no cell of the engine was run (it is not available, or supports none of them), and for an engine
  ///   whose files stay empty, which measures the harness.
  init?(
    engine: String, _ scenario: Scenario, _ cells: [CellAnalysis], _ objective: Objective
  ) {
    let arm = scenario.arms.first?.name ?? ""
    let own = cells.filter { $0.key.engine == engine && $0.wasTried }
    guard own.contains(where: { $0.value(.highWater) != 0 }) else { return nil }
    let entries = scenario.policies.compactMap { policy in
      cells.first { $0.key == CellKey(engine: engine, policy: policy.name, arm: arm) }
        .map { (policy: policy, cell: $0) }
    }
    let measured = entries.filter { $0.cell.isMeasured }
    let never = measured.first { $0.policy.rule == "never" }?.cell
    let triggered = measured.filter { !Self.isUntriggered($0.policy, $0.cell, never) }
    self.engine = engine
    self.never = never
    untriggered = measured.map(\.policy.name).filter { name in
      !triggered.contains { $0.policy.name == name }
    }
    let everyLaunch = measured.first { $0.policy.onLaunch == .always && !$0.policy.automatic }
    let prices = never.flatMap {
      CellPrices(objective, never: $0, everyLaunch: everyLaunch?.cell)
    }
    guard let never, measured.count > 1, let prices else {
      let isCompared = never != nil && measured.count > 1
      advice = .nothing(
        reason: isCompared
          ? "the record does not have how long its runs were; run it again"
          : Self.reasonAgainstComparison(entries, arm: arm))
      (self.prices, excluded, costs, otherPrices) = (nil, [], [], [])
      return
    }
    let (candidates, excluded) = Self.limited(triggered, prices, never)
    self.prices = prices
    self.excluded = excluded
    costs = candidates.compactMap { candidate in
      guard case .success(let figures) = prices.figures(of: candidate.cell, timed: .scoring) else {
        return nil
      }
      return (candidate.cell.key, objective.cost(of: figures))
    }
    if let reason = prices.absence(of: never) {
      advice = .nothing(
        reason: "`never`, with which policies are compared, has no price: \(reason)")
      otherPrices = []
      return
    }
    let isAlone = candidates.allSatisfy { $0.policy.rule == "never" }
    if isAlone, let reason = triggered.lazy.compactMap({ prices.absence(of: $0.cell) }).first {
      advice = .nothing(reason: "no policy but `never` has a price: \(reason)")
      otherPrices = []
      return
    }
    guard let rank = PolicyRank(candidates, objective, prices.time) else {
      advice = .nothing(reason: "every policy exceeds a limit of the objective")
      otherPrices = []
      return
    }
    advice =
      rank.shown.policy.rule == "never"
      ? .doNothing(never, next: rank.next?.cell) : .compact(rank.shown.policy, rank.shown.cell)
    otherPrices = Objective.otherFactors.compactMap { factor in
      let other = PolicyRank(candidates, objective.scalingWork(by: factor), prices.time)
      guard let other, other.shown.policy != rank.shown.policy else { return nil }
      return OtherPrice(factor: factor, policy: other.shown.policy)
    }
  }

  /// What the cell costs; nil where it has no price, or exceeds a limit.
  package func cost(of cell: CellAnalysis) -> Cost? { costs.first { $0.cell == cell.key }?.cost }

  /// Returns the policies that have a price and meet the limits, and those that do not, with the reason.
  private static func limited(
    _ policies: [(policy: Policy, cell: CellAnalysis)], _ prices: CellPrices, _ never: CellAnalysis
  ) -> (candidates: [PricedPolicy], excluded: [(policy: String, reason: String)]) {
    var candidates: [PricedPolicy] = []
    var excluded: [(policy: String, reason: String)] = []
    for (policy, cell) in policies {
      switch prices.figures(of: cell, timed: .choosing) {
      case .failure(let error): excluded.append((policy.name, error.reason))
      case .success(let figures):
        let exceeded = prices.objective.exceeded(by: figures)
        if !exceeded.isEmpty {
          excluded.append((policy.name, "it exceeds a limit: \(exceeded.joined(separator: "; "))"))
        } else if let longest = tooLongLaunch(cell, never, prices.objective) {
          excluded.append((policy.name, "its longest launch takes \(Nanoseconds.words(longest))"))
        } else {
          candidates.append(PricedPolicy(policy: policy, cell: cell, figures: figures))
        }
      }
    }
    return (candidates, excluded)
  }

  /// Returns the longest launch where it takes too long, and the objective does not limit it.
  private static func tooLongLaunch(
    _ cell: CellAnalysis, _ never: CellAnalysis, _ objective: Objective
  ) -> Double? {
    guard objective.limits.maxLaunch == nil, let longest = cell.value(.blockedAtLaunchMax),
      longest > max(maxBlockedTime, never.value(.blockedAtLaunchMax) ?? 0)
    else { return nil }
    return longest
  }

  /// Returns why nothing can be compared.
  private static func reasonAgainstComparison(
    _ entries: [(policy: Policy, cell: CellAnalysis)], arm: String
  ) -> String {
    let measured = entries.filter { $0.cell.isMeasured }
    guard !measured.isEmpty else {
      let reason = entries.lazy.compactMap(\.cell.absence).first
      return "nothing was measured in arm \(arm.asCode)"
        + (reason.map { " (\($0.asMarkdown))" } ?? "")
    }
    guard let never = entries.first(where: { $0.policy.rule == "never" }) else {
      return "`never` was not run in arm \(arm.asCode), so there is nothing to compare with"
    }
    if let absence = never.cell.absence {
      return "`never`, with which policies are compared, was not measured (\(absence.asMarkdown))"
    }
    return "only `never` was measured, so there is nothing to compare"
  }

  /// Returns whether the policy compacted nothing. An engine may not report its automatic compactions: then the policy is
  /// taken to have triggered unless its files are equal to those of `never`.
  private static func isUntriggered(
    _ policy: Policy, _ cell: CellAnalysis, _ never: CellAnalysis?
  ) -> Bool {
    if policy.rule == "never" || cell.hasCompacted { return false }
    return policy.automatic ? never.map(cell.hasSizes) ?? false : true
  }
}

extension CellAnalysis {
  /// Whether a measurement was attempted.
  fileprivate var wasTried: Bool {
    switch record.status {
    case .measured, .failed: true
    case .notApplicable, .unavailable: false
    }
  }
}
