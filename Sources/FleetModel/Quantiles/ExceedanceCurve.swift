// The complementary cumulative distribution of a sketch: the share of values from each value up, with points enough to draw
// it on a logarithmic scale of shares, whatever the number of values.

/// A point of the curve.
package struct ExceedancePoint: Hashable, Sendable, Codable {
  package var value: Double
  /// The share of values that are as large or larger.
  package var share: Double
}

extension QuantileSketch {
  /// From one point to the next the share falls by this factor, unless a bin has more of the values.
  private static let ratio = 0.93

  /// Returns the curve from the smallest value to the largest.
  ///
  /// - Parameter scale: by what the values were multiplied.
  package func exceedance(scale: Double) -> [ExceedancePoint] {
    guard count > 0 else { return [] }
    var points: [ExceedancePoint] = []
    var rest = count
    for bin in bins {
      let share = Double(rest) / Double(count)
      // The first bin above 0 shows the share of devices that have any.
      let isFirstAboveZero = points.last?.value == 0
      if points.isEmpty || isFirstAboveZero || share <= (points.last?.share ?? 1) * Self.ratio {
        points.append(ExceedancePoint(value: max(bin.from, minimum) / scale, share: share))
      }
      rest -= bin.count
    }
    let last = ExceedancePoint(value: maximum / scale, share: 1 / Double(count))
    // Where the last bin has one value, it is known exactly.
    if points[points.count - 1].share <= last.share { points.removeLast() }
    return points + [last]
  }
}
