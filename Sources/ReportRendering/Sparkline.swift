// A curve as one line of bars, for a terminal.

package enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// The greatest value of each of `width` stretches, from zero to the greatest of all.
  package static func text(_ values: [Double], width: Int) -> String {
    guard let greatest = values.max(), greatest > 0, width > 0 else { return "" }
    let columns = min(width, values.count)
    return String(
      (0..<columns).map { column in
        let stretch = values[
          (column * values.count / columns)..<((column + 1) * values.count / columns)]
        let share = (stretch.max() ?? 0) / greatest
        return bars[min(bars.count - 1, Int(share * Double(bars.count - 1) + 0.5))]
      })
  }
}
