// Which policy to choose on an engine, by rules that are stated in the report and in Docs/Method.md, so that anyone can
// disagree. Without `never` beside it no policy is recommended: there is nothing to tell what it saves.
package import MetricModel
package import Policies
import RecordModel
import ScenarioModel

/// What can be recommended on one engine, in the first arm.
package struct PolicyChoice: Sendable {
  package enum Advice: Sendable {
    /// The policy saves enough beside `never`.
    case compact(Policy, CellAnalysis)
    /// No policy saves enough; `next` is the cell with the smallest files of those that could be chosen, nil without one.
    case doNothing(CellAnalysis, next: CellAnalysis?)
    /// There is nothing to compare, with the reason.
    case nothing(reason: String)
  }

  /// A policy whose longest launch (median) takes longer, and longer than that of `never`, is left out.
  package static let maxBlockedTime = 1_000_000_000.0
  /// A policy must save at least so much beside `never`, and at least `minSavedBytes`, to be worth having.
  package static let minShare = 0.05
  package static let minSavedBytes = ByteCount(1 << 20)
  /// Sizes this near to the least count as equal; so do rewritten bytes, where they are told.
  package static let tie = 0.05

  package let engine: String
  package let advice: Advice
  package let never: CellAnalysis?
  /// Left out, with the reason.
  package let excluded: [(policy: String, reason: String)]
  /// Those that compacted nothing here, and so cannot be recommended.
  package let unfired: [String]

  /// The cell of the policy that is recommended.
  package var cell: CellAnalysis? {
    switch advice {
    case .compact(_, let cell), .doNothing(let cell, _): cell
    case .nothing: nil
    }
  }

  /// - Returns: nil where no cell of the engine was run (it is not on this machine, or can do none of it), and for an
  ///   engine whose files stay empty: it measures the harness.
  init?(engine: String, _ scenario: Scenario, _ cells: [CellAnalysis]) {
    let arm = scenario.arms.first?.name ?? ""
    let own = cells.filter { $0.key.engine == engine && $0.wasTried }
    guard own.contains(where: { $0.value(.highWater) != 0 }) else { return nil }
    let entries = scenario.policies.compactMap { policy in
      cells.first { $0.key == CellKey(engine: engine, policy: policy.name, arm: arm) }
        .map { (policy: policy, cell: $0) }
    }
    let measured = entries.filter { $0.cell.isMeasured }
    let never = measured.first { $0.policy.rule == "never" }?.cell
    let fired = measured.filter { !Self.isUnfired($0.policy, $0.cell, never) }
    self.engine = engine
    self.never = never
    unfired = measured.map(\.policy.name).filter { name in
      !fired.contains { $0.policy.name == name }
    }
    guard let never, measured.count > 1 else {
      advice = .nothing(reason: Self.hindrance(entries, arm: arm))
      excluded = []
      return
    }
    var excluded: [(policy: String, reason: String)] = []
    let candidates = fired.filter { policy, cell in
      guard policy.rule != "never" else { return false }
      guard let reason = Self.excess(cell, beside: never) else { return true }
      excluded.append((policy.name, reason))
      return false
    }
    self.excluded = excluded
    if let (policy, cell) = Self.best(candidates, never: never) {
      advice = .compact(policy, cell)
    } else {
      advice = .doNothing(never, next: candidates.min { $0.cell.size < $1.cell.size }?.cell)
    }
  }

  /// Why nothing can be compared.
  private static func hindrance(
    _ entries: [(policy: Policy, cell: CellAnalysis)], arm: String
  ) -> String {
    let measured = entries.filter { $0.cell.isMeasured }
    guard !measured.isEmpty else {
      let reason = entries.lazy.compactMap(\.cell.absence).first
      return "nothing was measured in arm \(arm.asCode)"
        + (reason.map { " (\($0.asMarkdown))" } ?? "")
    }
    guard let never = entries.first(where: { $0.policy.rule == "never" }) else {
      return "`never` was not run in arm \(arm.asCode), so that there is nothing to compare with"
    }
    if let absence = never.cell.absence {
      return "`never`, with which policies are compared, is not measured (\(absence.asMarkdown))"
    }
    return "`never` was measured alone, so that there is nothing to compare"
  }

  /// Whether the policy compacted nothing. Not every engine reports what it does by itself: such a policy fired unless
  /// its files are those of `never`.
  private static func isUnfired(
    _ policy: Policy, _ cell: CellAnalysis, _ never: CellAnalysis?
  ) -> Bool {
    if policy.rule == "never" || cell.hasCompacted { return false }
    return policy.automatic ? never.map(cell.hasSizes) ?? false : true
  }

  private static func excess(_ cell: CellAnalysis, beside never: CellAnalysis) -> String? {
    if let blocked = cell.value(.blockedAtLaunchMax),
      blocked > max(maxBlockedTime, never.value(.blockedAtLaunchMax) ?? 0)
    {
      return "its longest launch takes \(Nanoseconds.words(blocked))"
    }
    if let rewritten = cell.value(.rewritten),
      let requested = cell.first?.exact.requested.bytes, rewritten > Double(requested)
    {
      return "it rewrites \(ByteCount(Int(rewritten))), more than the clients wrote"
        + " (\(ByteCount(requested)))"
    }
    return nil
  }

  private static func best(
    _ candidates: [(policy: Policy, cell: CellAnalysis)], never: CellAnalysis
  ) -> (Policy, CellAnalysis)? {
    guard let least = candidates.map(\.cell.size).min() else { return nil }
    if never.size - least < max(Double(minSavedBytes.bytes), minShare * never.size) { return nil }
    let small = candidates.filter { $0.cell.size <= least * (1 + tie) }
    let cheapest = small.compactMap { $0.cell.value(.rewritten) }.min() ?? .infinity
    return small.filter { ($0.cell.value(.rewritten) ?? .infinity) <= cheapest * (1 + tie) }
      .min { $0.policy.complexity < $1.policy.complexity }
  }
}

extension CellAnalysis {
  /// Time-weighted.
  fileprivate var size: Double { value(.timeWeighted) ?? .infinity }

  /// Whether it was measured, or should have been.
  fileprivate var wasTried: Bool {
    switch record.status {
    case .measured, .failed: true
    case .notApplicable, .unavailable: false
    }
  }
}

extension Policy {
  /// Rank among policies that do equally well: the simpler first.
  package var complexity: Int {
    let launch =
      switch onLaunch {
      case .never: 0
      case .always: 2
      case .when: 3
      }
    return launch + (automatic ? (launch == 0 ? 1 : 2) : 0)
  }
}
