// The verdict on a simulated fleet in one sentence: which policy has the smallest files at p99, and what that costs.
import FleetModel

enum FleetVerdict {
  /// The quantile that policies are judged by: files that users complain about.
  private static let share = 0.99
  /// Sizes that differ by less are alike: bins are off by 0.4 %, curves by more.
  private static let margin = 0.01

  private struct Result {
    let policy: PolicySummary
    /// The largest size at the quantile.
    let size: Double
    /// Bytes that compactions write in a year, the mean of all devices.
    let rewritten: Double

    init(_ policy: PolicySummary) {
      self.policy = policy
      size = policy.figure(.largestSize)?.value(FleetVerdict.share)?.value ?? 0
      rewritten = policy.figure(.rewritten)?.mean ?? 0
    }

    var name: String { policy.name.visible }
  }

  static func sentence(_ summary: FleetSummary) -> String {
    let results = summary.policies.map(Result.init)
    let percentile = FleetWords.percentile(share)
    guard let first = results.first, let smallest = results.map(\.size).min() else { return "" }
    guard results.count > 1 else {
      return "Under \(first.name) \(percentile) of the largest size is "
        + FleetWords.size(first.size) + above(first, nil, summary) + "."
    }
    let alike = results.filter { $0.size <= smallest * (1 + margin) }
    guard let best = alike.min(by: { $0.rewritten < $1.rewritten }) else { return "" }
    if best.policy.name == first.policy.name {
      return
        "No policy has smaller files than \(first.name) without more rewriting: \(percentile) of "
        + "the largest size is \(FleetWords.size(first.size))" + above(first, nil, summary)
        + cost(first)
        + "."
    }
    if first.size <= smallest * (1 + margin) {
      return "\(best.name) has files as small as \(first.name) (\(percentile) of the largest size "
        + "\(FleetWords.size(best.size)))" + cost(best)
        + ", in place of \(FleetWords.size(first.rewritten))."
    }
    return "\(best.name) has the smallest files: \(percentile) of the largest size is "
      + "\(FleetWords.size(best.size)), \(FleetWords.share(1 - best.size / first.size)) less than under "
      + first.name + above(best, first, summary) + cost(best) + "."
  }

  /// The share of devices above the first limit.
  private static func above(_ own: Result, _ first: Result?, _ summary: FleetSummary) -> String {
    guard let limit = summary.sizeLimits.first, let share = own.policy.aboveSizes.first else {
      return ""
    }
    let other = first?.policy.aboveSizes.first.map { " in place of \(FleetWords.share($0))" } ?? ""
    return ", and \(FleetWords.share(share)) of devices\(other) exceed \(FleetWords.size(limit))"
  }

  private static func cost(_ result: Result) -> String {
    guard result.rewritten > 0 else { return "; no compaction is made" }
    let stall = result.policy.figure(.longestStall)?.value(0.999).map {
      ", and the longest stall is estimated at \(FleetWords.value($0.value, .nanoseconds)) at p99.9"
    }
    return "; compactions write \(FleetWords.size(result.rewritten)) a year on a device in the mean"
      + (stall ?? "")
  }
}
