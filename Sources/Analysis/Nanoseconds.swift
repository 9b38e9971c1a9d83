// Times in a readable unit.
import MetricModel

/// Formats times.
package enum Nanoseconds {
  /// Returns the time with three digits, in the unit that suits: `0 ns`, `850 ns`, `12.3 µs`, `900 µs`, `1.20 s`.
  package static func words(_ nanoseconds: Double) -> String {
    var value = nanoseconds
    let units = ["ns", "µs", "ms", "s"]
    var unit = 0
    while abs(value) >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(Int(value.rounded())) ns" : "\(value.threeDigits) \(units[unit])"
  }
}
