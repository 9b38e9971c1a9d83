// The thresholds of automatic compaction by name: in a policy's text, and as keys of a scenario.
package import MetricModel

/// A threshold that a policy may set, with its bounds.
package struct AutomaticThreshold: Sendable {
  package let name: String
  /// `40 %`.
  package let example: String
  /// `5 % to 95 %`.
  package let bounds: String
  let range: ClosedRange<Double>
  let isWhole: Bool
  let assign: @Sendable (inout AutomaticThresholds, Double) -> Void

  package static let all = [
    share(AutomaticThresholds.startKey, 5...95) { $0.startFreeShare = $1 },
    share(AutomaticThresholds.targetKey, 1...90) { $0.targetFreeShare = $1 },
    AutomaticThreshold(
      name: AutomaticThresholds.minimumKey, example: "64 KiB", bounds: "4 KiB to 1 GiB",
      range: 4096...0x1p30, isWhole: true, assign: { $0.minimumFile = ByteCount(Int($1)) }),
    share(AutomaticThresholds.commitKey, 1...100) { $0.commitShare = $1 },
    AutomaticThreshold(
      name: AutomaticThresholds.backOffKey, example: "10", bounds: "1 to 100000",
      range: 1...100_000, isWhole: true, assign: { $0.backOffCommits = Int($1) }),
  ]

  private static func share(
    _ name: String, _ percent: ClosedRange<Int>,
    assign: @escaping @Sendable (inout AutomaticThresholds, Double) -> Void
  ) -> Self {
    AutomaticThreshold(
      name: name, example: "40 %", bounds: "\(percent.lowerBound) % to \(percent.upperBound) %",
      range: Double(percent.lowerBound) / 100...Double(percent.upperBound) / 100, isWhole: false,
      assign: assign)
  }

  /// Whether the threshold may have this value: bytes, commits, or a share of one.
  package func allows(_ value: Double) -> Bool {
    range.contains(value) && (!isWhole || value == value.rounded())
  }

  /// Sets the threshold; false where its bounds forbid the value.
  package func set(_ value: Double, in thresholds: inout AutomaticThresholds) -> Bool {
    guard allows(value) else { return false }
    assign(&thresholds, value)
    return true
  }
}

extension AutomaticThresholds {
  /// Why a compaction with these thresholds could not end; nil where it can. What is not set is as the storage engine has it.
  package var contradiction: String? {
    let (start, target) = (startFreeShare ?? 2.0 / 3, targetFreeShare ?? 1.0 / 3)
    guard target >= start else { return nil }
    return "\(Self.targetKey) \(percent(target)) is not below \(Self.startKey) \(percent(start))"
  }
}
