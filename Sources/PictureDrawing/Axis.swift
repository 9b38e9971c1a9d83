// Axes in units that people read: steps of 1, 2 or 5 times a power of ten, and numbers without needless digits.

/// Sizes in bytes, from zero up.
package struct ByteAxis: Sendable {
  /// Where the axis ends: a little above the largest value.
  package let top: Int
  package let ticks: [Int]

  /// - Parameter count: the maximum number of ticks above zero. With three or more there is at least one, since a step of
  ///   1, 2 or 5 is at most 2.5 times what was asked for.
  package init(max: Int, ticks count: Int) {
    let step = RoundStep.atLeast(Double(max) / Double(count))
    let top = max + max / 16 + 1
    self.top = top
    ticks = (0...(top / step)).map { $0 * step }
  }

  /// `0`, `500 kB`, `2.5 MB`, `20 MB`
  package func label(_ bytes: Int) -> String {
    var (value, unit) = (bytes * 10, 0)
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while value >= 10_000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    guard bytes > 0 else { return "0" }
    let digits = value.isMultiple(of: 10) ? "\(value / 10)" : "\(value / 10).\(value % 10)"
    return "\(digits) \(units[unit])"
  }
}

package enum CountAxis {
  /// Ticks from zero to `max`, about `count` of them.
  package static func ticks(to max: Int, count: Int) -> [Int] {
    Array(stride(from: 0, through: max, by: RoundStep.atLeast(Double(max) / Double(count))))
  }
}

enum RoundStep {
  /// Returns the smallest of 1, 2 or 5 times a power of ten that is not below `value`.
  static func atLeast(_ value: Double) -> Int {
    var power = 1
    while true {
      for factor in [1, 2, 5] where Double(factor * power) >= value { return factor * power }
      power *= 10
    }
  }
}
