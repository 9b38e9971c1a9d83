// Which policy to choose, by rules that are stated in the report and in Docs/Method.md, so that anyone can disagree.
package import MetricModel
package import Policies
import RecordModel

/// The policy chosen on one engine and arm.
package struct PolicyChoice: Sendable {
  /// A policy whose longest launch (median) takes longer is left out.
  package static let mostBlocked = 1_000_000_000.0
  /// A policy must save at least so much beside `never`, and at least `leastSaved`, to be worth having.
  package static let leastShare = 0.05
  package static let leastSaved = ByteCount(1 << 20)
  /// Sizes this near to the least count as equal; so do rewritten bytes, where they are told.
  package static let tie = 0.05

  package let policy: Policy
  package let cell: CellAnalysis
  package let never: CellAnalysis?
  /// Left out, with the reason.
  package let excluded: [(policy: String, reason: String)]

  init?(_ policies: [Policy], cell: (Policy) -> CellAnalysis?) {
    let measured = policies.compactMap { policy in
      cell(policy).flatMap { $0.isMeasured ? (policy, $0) : nil }
    }
    var excluded: [(policy: String, reason: String)] = []
    let affordable = measured.filter { policy, cell in
      guard let reason = Self.excess(cell) else { return true }
      excluded.append((policy.name, reason))
      return false
    }
    let candidates = affordable.isEmpty ? measured : affordable
    never = measured.first { $0.0.rule == "never" }?.1
    guard let best = Self.best(candidates, never: never) else { return nil }
    policy = best.0
    self.cell = best.1
    self.excluded = affordable.isEmpty ? [] : excluded
  }

  private static func excess(_ cell: CellAnalysis) -> String? {
    if let blocked = cell.value(.blockedAtLaunchMax), blocked > mostBlocked {
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
    _ candidates: [(Policy, CellAnalysis)], never: CellAnalysis?
  ) -> (Policy, CellAnalysis)? {
    let sizes = candidates.map { $0.1.value(.timeWeighted) ?? .infinity }
    guard let least = sizes.min() else { return nil }
    if let never, let size = never.value(.timeWeighted),
      size - least < max(Double(leastSaved.bytes), leastShare * size),
      let nothing = candidates.first(where: { $0.0.rule == "never" })
    {
      return nothing
    }
    let small = zip(candidates, sizes).filter { $0.1 <= least * (1 + tie) }.map(\.0)
    let cheapest = small.compactMap { $0.1.value(.rewritten) }.min() ?? .infinity
    return small.filter { ($0.1.value(.rewritten) ?? .infinity) <= cheapest * (1 + tie) }
      .min { $0.0.complexity < $1.0.complexity }
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
