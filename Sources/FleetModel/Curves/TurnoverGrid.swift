// The common axis of all curves. Turnover is the bytes of values written since the last compaction ÷ the bytes of values
// that there were then: 1 where every row was written once, in the mean.

package enum TurnoverGrid {
  private static let lowestExponent = -8.0
  private static let octaves = 14.0
  private static let steps = 4.0
  /// 0, and then four to each octave from 2^-8 to 2^6.
  package static let count = Int(octaves * steps) + 2
  private static let lowest = 0x1p-8

  package static let turnovers: [Double] =
    [0] + (0..<(count - 1)).map { piecewisePower2(lowestExponent + Double($0) / steps) }

  /// The node at or below the turnover, and how far it is to the next: the last node is reached with the fraction 1.
  @inline(__always)
  static func position(_ turnover: Double) -> (node: Int, fraction: Double) {
    guard turnover >= lowest else { return (0, turnover * (1 / lowest)) }
    let position = (turnover.piecewiseLog2 - lowestExponent) * steps
    let node = min(Int(position), count - 3)
    return (node + 1, min(1, position - Double(node)))
  }
}
