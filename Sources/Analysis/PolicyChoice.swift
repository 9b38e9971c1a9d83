// The policy to recommend on an engine, by rules that the report and Docs/Method.md state. Without `never` for comparison
// no policy is recommended, since its savings are unknown.
package import MetricModel
package import Policies
import RecordModel
import ScenarioModel

/// The recommendation for one engine, in the main arm.
package struct PolicyChoice: Sendable {
  package enum Advice: Sendable {
    /// The policy saves enough compared with `never`.
    case compact(Policy, CellAnalysis)
    /// No policy saves enough; `next` is the candidate with the smallest files, nil without candidates.
    case doNothing(CellAnalysis, next: CellAnalysis?)
    /// There is nothing to compare, with the reason.
    case nothing(reason: String)
  }

  /// A policy whose longest launch (median) takes longer, and longer than that of `never`, is excluded.
  package static let maxBlockedTime = 1_000_000_000.0
  /// The minimum that a policy must save compared with `never`, as a share; and `minSavedBytes`, absolute.
  package static let minShare = 0.05
  package static let minSavedBytes = ByteCount(1 << 20)
  /// Sizes within this share of the smallest count as equal; so do rewritten bytes.
  package static let tieTolerance = 0.05

  package let engine: String
  package let advice: Advice
  package let never: CellAnalysis?
  /// Excluded policies, with the reason.
  package let excluded: [(policy: String, reason: String)]
  /// Policies that compacted nothing here, and so cannot be recommended.
  package let untriggered: [String]

  /// The cell of the policy that is recommended.
  package var cell: CellAnalysis? {
    switch advice {
    case .compact(_, let cell), .doNothing(let cell, _): cell
    case .nothing: nil
    }
  }

  /// - Returns: nil if no cell of the engine was run (it is not available, or supports none of them), and for an engine
  ///   whose files stay empty, which measures the harness.
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
    let triggered = measured.filter { !Self.isUntriggered($0.policy, $0.cell, never) }
    self.engine = engine
    self.never = never
    untriggered = measured.map(\.policy.name).filter { name in
      !triggered.contains { $0.policy.name == name }
    }
    guard let never, measured.count > 1 else {
      advice = .nothing(reason: Self.reasonAgainstComparison(entries, arm: arm))
      excluded = []
      return
    }
    var excluded: [(policy: String, reason: String)] = []
    let candidates = triggered.filter { policy, cell in
      guard policy.rule != "never" else { return false }
      guard let reason = Self.exclusionReason(cell, never: never) else { return true }
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

  private static func exclusionReason(_ cell: CellAnalysis, never: CellAnalysis) -> String? {
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
    guard let smallest = candidates.map(\.cell.size).min() else { return nil }
    if never.size - smallest < max(Double(minSavedBytes.bytes), minShare * never.size) {
      return nil
    }
    let small = candidates.filter { $0.cell.size <= smallest * (1 + tieTolerance) }
    let cheapest = small.compactMap { $0.cell.value(.rewritten) }.min() ?? .infinity
    return small.filter {
      ($0.cell.value(.rewritten) ?? .infinity) <= cheapest * (1 + tieTolerance)
    }
    .min { $0.policy.complexity < $1.policy.complexity }
  }
}

extension CellAnalysis {
  /// Time-weighted.
  fileprivate var size: Double { value(.timeWeighted) ?? .infinity }

  /// Whether a measurement was attempted.
  fileprivate var wasTried: Bool {
    switch record.status {
    case .measured, .failed: true
    case .notApplicable, .unavailable: false
    }
  }
}

extension Policy {
  /// The rank among policies with equal results: the simpler first.
  package var complexity: Int {
    let launch =
      switch onLaunch {
      case .never: 0
      case .always: 2
      case .when: 3
      case .program: 4
      }
    return launch + (automatic ? (launch == 0 ? 1 : 2) : 0)
  }
}
