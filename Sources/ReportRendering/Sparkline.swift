// A curve as one line of bars, for a terminal.

package enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// Returns the maximum of each of `width` segments, on a scale from zero to the maximum of all.
  package static func text(_ values: [Double], width: Int) -> String {
    guard let maximum = values.max(), maximum > 0, width > 0 else { return "" }
    let columns = min(width, values.count)
    return String(
      (0..<columns).map { column in
        let segment = values[
          (column * values.count / columns)..<((column + 1) * values.count / columns)]
        let share = (segment.max() ?? 0) / maximum
        return bars[min(bars.count - 1, Int(share * Double(bars.count - 1) + 0.5))]
      })
  }
}
