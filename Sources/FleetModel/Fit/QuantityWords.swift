// Quantities as population files have them, rounded to three significant digits, so that a file reads back as it was written.
import Generators

enum QuantityWords {
  enum Unit { case bytes, count }

  /// `log-normal 20_100 kB sigma 1.08 activity 0.5 up to 2 GB`.
  static func text(_ distribution: QuantityDistribution, _ unit: Unit) -> String {
    switch distribution {
    case .fixed(let value): return text(value, unit)
    case .uniform(let low, let high): return "\(text(low, unit)) to \(text(high, unit))"
    case .logNormal(let median, let sigma, let activity, let greatest):
      var text = "log-normal \(text(median, unit)) sigma \(decimal(max(0.001, sigma)))"
      if decimal(activity) != "0" { text += " activity \(decimal(activity))" }
      if greatest < QuantityDistribution.maxValue / 2 {
        text += " up to \(self.text(greatest, unit))"
      }
      return text
    }
  }

  static func text(_ value: Double, _ unit: Unit) -> String {
    switch unit {
    case .count:
      return value >= 1000 ? grouped(Int(rounded(value))) : decimal(rounded(value))
    case .bytes:
      let bytes = Int(rounded(value).rounded())
      guard let (size, name) = units.first(where: { bytes >= $0.0 && bytes % $0.0 == 0 }) else {
        return "\(bytes) B"
      }
      return "\(grouped(bytes / size)) \(name)"
    }
  }

  /// The values that the file states.
  static func rounded(_ distribution: QuantityDistribution, _ unit: Unit) -> QuantityDistribution {
    func value(_ number: Double) -> Double {
      unit == .bytes ? rounded(number).rounded() : rounded(number)
    }
    switch distribution {
    case .fixed(let number): return .fixed(value(number))
    case .uniform(let low, let high): return .uniform(low: value(low), high: value(high))
    case .logNormal(let median, let sigma, let activity, let greatest):
      return .logNormal(
        median: value(median), sigma: max(0.001, thousandths(sigma)),
        activity: thousandths(activity),
        greatest: greatest < QuantityDistribution.maxValue / 2
          ? value(greatest) : QuantityDistribution.maxValue)
    }
  }

  static func interval(_ interval: Interval95, _ unit: Unit) -> String {
    "[\(text(interval.low, unit)), \(text(interval.high, unit))]"
  }

  /// At most three decimals: `1.08`, `0.5`, `-0.25`.
  static func decimal(_ value: Double) -> String {
    let thousandths = Int((abs(value) * 1000).rounded())
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
    var digits = String(rest)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    let sign = value < 0 && thousandths > 0 ? "-" : ""
    return sign + (digits.isEmpty ? "\(whole)" : "\(whole).\(digits)")
  }

  static func percent(_ share: Double) -> String { "\(decimal((share * 1000).rounded() / 10)) %" }

  /// The share that `percent` states.
  static func roundedShare(_ share: Double) -> Double { (share * 1000).rounded() / 10 / 100 }

  static func grouped(_ value: Int) -> String {
    var digits = String(value)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = String(digits.dropLast(3))
    }
    return ([digits[...]] + groups).joined(separator: "_")
  }

  private static let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]

  /// Three significant digits, and at most three decimals.
  private static func rounded(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    guard value >= 1 else { return thousandths(max(0.001, value)) }
    var unit = 1.0
    while value / unit >= 1000 { unit *= 10 }
    return value >= 100 ? (value / unit).rounded() * unit : shortened(value)
  }

  private static func shortened(_ value: Double) -> Double {
    value >= 10 ? (value * 10).rounded() / 10 : (value * 100).rounded() / 100
  }

  private static func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension KeyDistribution {
  /// Nil for the default, and for a histogram, which is a file of its own.
  var keyWords: String? {
    func theta(_ permille: Int) -> String { QuantityWords.decimal(Double(permille) / 1000) }
    func percent(_ permille: Int) -> String { QuantityWords.percent(Double(permille) / 1000) }
    switch self {
    case .uniform, .histogram: return nil
    case .zipfian(let permille): return "zipfian \(theta(permille))"
    case .scrambledZipfian(let permille): return "scrambled \(theta(permille))"
    case .latest(let permille): return "latest \(theta(permille))"
    case .hotspot(let operations, let rows):
      return "hotspot \(percent(operations)) on \(percent(rows))"
    case .sequential: return "sequential"
    case .fifo: return "fifo"
    }
  }
}

extension LifetimeDistribution {
  var lifetimeWords: String {
    func spread(_ permille: Int) -> String { QuantityWords.decimal(Double(permille) / 1000) }
    switch self {
    case .never: return "never"
    case .fixed(let commits): return "\(commits) commits"
    case .uniform(let low, let high): return "\(low) to \(high) commits"
    case .exponential(let mean): return "exponential \(mean) commits"
    case .logNormal(let median, let sigma):
      return "log-normal \(median) commits \(spread(sigma))"
    case .pareto(let least, let alpha): return "pareto \(least) commits \(spread(alpha))"
    }
  }
}
