// The limit of `gate --max-regret`: compared in whole numbers, so that a policy exactly at the limit is within it.
import LaunchSchedules
import MetricModel
package import Objective

/// The most that a policy may cost above the optimum, as a share of what the optimum costs.
package struct RegretLimit: Sendable, Equatable {
  /// `10 %`
  package let text: String
  private let numerator: UInt128
  private let denominator: UInt128

  /// The most digits that are read.
  private static let maxDigits = 9

  /// Reads `10 %` or `2.5%`; nil for anything else.
  package init?(_ text: String) {
    let words = text.filter { !$0.isWhitespace }
    let parts = words.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard words.last == "%", parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }),
      digits.count <= Self.maxDigits, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let value = UInt128(digits)
    else { return nil }
    self.text = "\(words.dropLast()) %"
    numerator = value
    let decimals = parts.count == 2 ? parts[1].count : 0
    denominator = (0..<decimals).reduce(100) { power, _ in 10 * power }
  }

  /// Whether a policy may cost so much more than the optimum. Where the optimum costs nothing, nothing more.
  package func allows(_ difference: Cost, above optimum: Cost) -> Bool {
    guard difference > .zero else { return true }
    let left = UInt128(difference.units).multipliedFullWidth(by: denominator)
    let right = UInt128(max(0, optimum.units)).multipliedFullWidth(by: numerator)
    return (left.high, left.low) <= (right.high, right.low)
  }
}

/// A policy's regret beside the limit.
package struct RegretFinding: Sendable, Equatable {
  package var scenario: String
  package var key: BaselineKey
  /// nil where the optimum costs nothing.
  package var regret: Double?
  package var points: Double
  /// The same with four significant digits.
  package var pointsText: String
  package var limit: String
  package var isWithin: Bool
  /// The limits of the objective that it exceeds, in words.
  package var exceeded: [String]
  /// The decision that cost the most, in words; nil where it is not known.
  package var costliest: String?

  /// By how much the policy is above the optimum.
  var change: String {
    guard exceeded.isEmpty else { return "exceeds: \(exceeded.joined(separator: "; "))" }
    guard let regret else { return "\(pointsText) points above an optimum that costs nothing" }
    return "\((regret * 100).threeDigits) %, at most \(limit)"
  }
}

/// Compares regrets with a limit.
package struct RegretCheck: Sendable {
  package let limit: RegretLimit
  /// The policies that are compared; empty for all.
  package let policies: [String]

  package init(_ limit: RegretLimit, policies: [String] = []) {
    self.limit = limit
    self.policies = policies
  }

  /// Adds what the optima come to.
  ///
  /// Errors: no optimum at all, a policy that a record does not have, and nothing that could be compared.
  package func check(
    _ optima: [MeasuredOptimum], into outcome: inout GateOutcome
  ) throws(RegressionError) {
    guard !optima.isEmpty else {
      throw RegressionError(
        .notComparable,
        "--max-regret: there is no record of an optimum; run compaction-lab optimum on the scenarios first"
      )
    }
    var unmeasured: [Uncompared] = []
    for optimum in optima {
      try checkNames(optimum)
      for result in optimum.results {
        compare(optimum, result, &outcome.regrets, &unmeasured)
      }
    }
    guard !outcome.regrets.isEmpty else {
      throw RegressionError(
        .notComparable,
        "--max-regret: no policy could be compared with an optimum; "
          + unmeasured.prefix(3).map { "\($0.cellLabel) \($0.reason)" }.joined(separator: "; "))
    }
    outcome.exact.unmeasured += unmeasured
    outcome.regretLimit = limit.text
  }

  private func checkNames(_ optimum: MeasuredOptimum) throws(RegressionError) {
    let names = optimum.record.scenario.policies.map(\.name)
    guard let wrong = policies.first(where: { !names.contains($0) }) else { return }
    throw RegressionError(
      .notComparable,
      "\(optimum.folder): has no policy \(wrong.debugDescription); it has: "
        + names.joined(separator: ", "))
  }

  private func compare(
    _ optimum: MeasuredOptimum, _ result: OptimumResult, _ regrets: inout [RegretFinding],
    _ unmeasured: inout [Uncompared]
  ) {
    let scenario = optimum.record.scenario.name
    func miss(_ policy: String, _ reason: String) {
      unmeasured.append(
        Uncompared(scenario: scenario, cell: optimum.key(policy, result).cell, reason: reason))
    }
    let names = policies.isEmpty ? optimum.record.scenario.policies.map(\.name) : policies
    for name in names {
      if let absence = optimum.absence(of: result) {
        miss(name, absence)
        continue
      }
      guard let outcome = MeasuredOptimum.outcomes(of: result).first(where: { $0.policy == name })
      else {
        let isRun = result.cell.runs.contains { $0.purpose == .policy && $0.policy == name }
        if isRun {
          miss(name, "has no regret: the engine does not report what its compactions write again")
        } else if !policies.isEmpty {
          miss(name, "has no regret: the engine cannot run the policy")
        }
        continue
      }
      guard let finding = finding(outcome, optimum, result) else {
        miss(name, "has no regret that is known: predictions fail, and not every schedule was run")
        continue
      }
      regrets.append(finding)
    }
  }

  /// - Returns: nil where more is not known than that the policy is within the limit of some schedules.
  private func finding(
    _ outcome: PolicyOutcome, _ optimum: MeasuredOptimum, _ result: OptimumResult
  ) -> RegretFinding? {
    guard let best = result.rankings.first?.best.schedule, let difference = outcome.difference
    else {
      return nil
    }
    let isWithin = outcome.exceeded.isEmpty && limit.allows(difference, above: best.cost)
    // What is too much beside some schedules is too much beside the best of all.
    if isWithin, result.basis == .someSchedules { return nil }
    return RegretFinding(
      scenario: optimum.record.scenario.name, key: optimum.key(outcome.policy, result),
      regret: outcome.regret, points: difference.points, pointsText: difference.words,
      limit: limit.text, isWithin: isWithin, exceeded: outcome.exceeded,
      costliest: outcome.costliest.map(Self.words))
  }

  private static func words(_ decision: PolicyDecision) -> String {
    "the costliest decision: \(decision.compacts ? "compacted" : "did not compact") at launch \(decision.launch)"
      + (decision.reason.map { " (\($0))" } ?? "")
  }
}
