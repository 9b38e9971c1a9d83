// Reads how a quantity varies from device to device: `20 MB`, `4 to 12`, `log-normal 20 MB sigma 1.1 activity 0.8 up to 2 GB`.
import FleetModel

/// What a quantity counts.
enum QuantityUnit {
  case bytes, count

  func value(_ text: some StringProtocol) -> Double? {
    let trimmed = QuantityText.trimmed(text)
    switch self {
    case .bytes: return QuantityText.size(String(trimmed)).map { Double($0) }
    case .count: return QuantityText.decimal(trimmed)
    }
  }

  var example: String { self == .bytes ? "20 MB" : "200" }
}

extension ValueType where Value == QuantityDistribution {
  static func quantity(_ unit: QuantityUnit) -> Self {
    let example = unit.example
    return Self(
      "`\(example)`, `\(example) to \(example)`, or `log-normal \(example) sigma 1.1`, with `activity 0.8` and `up to "
        + "\(example)` where wanted",
      schema: .anyText, expected: "\(example), a range, or log-normal \(example) sigma 1.1"
    ) { field, expected in
      field.text(expected).flatMap { field.quantityDistribution($0, unit, expected) }
    }
  }
}

extension Field {
  fileprivate func quantityDistribution(
    _ text: String, _ unit: QuantityUnit, _ expected: String
  ) -> QuantityDistribution? {
    let found: QuantityDistribution?
    if let rest = text.dropping("log-normal ") {
      found = Self.logNormal(rest, unit)
    } else {
      let ends = text.parts(by: " to ").map(unit.value)
      switch (ends.count, ends.first ?? nil, ends.last ?? nil) {
      case (1, let value?, _): found = .fixed(value)
      case (2, let low?, let high?): found = .uniform(low: low, high: high)
      default: found = nil
      }
    }
    guard let found else {
      report("expected \(expected), found \"\(shortened(text))\"", hint: Self.hint(text, unit))
      return nil
    }
    return isSound(found) ? found : nil
  }

  private static func hint(_ text: String, _ unit: QuantityUnit) -> String? {
    if text.hasPrefix("-") { return "no quantity is below 0" }
    guard text.hasPrefix("log-n") else { return nil }
    return "log-normal \(unit.example) sigma 1.1 activity 0.8 up to \(unit.example)"
  }

  /// Parses `20 MB sigma 1.1 activity 0.8 up to 2 GB`.
  private static func logNormal(_ text: String, _ unit: QuantityUnit) -> QuantityDistribution? {
    let limits = text.parts(by: " up to ")
    let activities = limits[0].parts(by: " activity ")
    let sigmas = activities[0].parts(by: " sigma ")
    guard limits.count <= 2, activities.count <= 2, sigmas.count == 2,
      let median = unit.value(sigmas[0]), let sigma = QuantityUnit.count.value(sigmas[1])
    else { return nil }
    var activity = 0.0
    if activities.count == 2 {
      let isNegative = activities[1].hasPrefix("-")
      guard let size = QuantityUnit.count.value(activities[1].drop { $0 == "-" }) else {
        return nil
      }
      activity = isNegative ? -size : size
    }
    var greatest = QuantityDistribution.maxValue
    if limits.count == 2 {
      guard let limit = unit.value(limits[1]) else { return nil }
      greatest = limit
    }
    return .logNormal(median: median, sigma: sigma, activity: activity, greatest: greatest)
  }

  private func isSound(_ quantity: QuantityDistribution) -> Bool {
    switch quantity {
    case .uniform(let low, let high) where low > high:
      report("the first is larger than the second", hint: "write the smaller one first")
    case .logNormal(let median, _, _, _) where median <= 0:
      report("the median is 0", hint: "give a median above 0, or the quantity 0 alone")
    case .logNormal(_, let sigma, _, _) where !(0.001...5).contains(sigma):
      report("sigma is out of range", hint: "from 0.001 to 5; 1 is usual")
    case .logNormal(_, _, let activity, _) where !(-1...1).contains(activity):
      report("the correlation with activity is out of range", hint: "from -1 to 1")
    case .logNormal(let median, _, _, let greatest) where median > greatest:
      report("the median is above the largest value", hint: "up to is the largest value")
    default: return true
    }
    return false
  }
}

extension StringProtocol {
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  fileprivate func parts(by separator: String) -> [String] {
    String(self).split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
