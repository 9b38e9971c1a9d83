// A cost in whole numbers, so that the same schedule has the same cost in whatever order it is added up.
import MetricModel

/// What a run costs by an objective.
package struct Cost: Hashable, Comparable, Sendable, AdditiveArithmetic {
  /// In parts of a point: a byte-microsecond at the smallest price.
  package var units: Int128

  package init(units: Int128) { self.units = units }

  package static let zero = Cost(units: 0)

  /// A point is what a gigabyte above a freshly compacted file costs in a day at the price 1.
  static let unitsPerPoint =
    Prices.stepsPerPoint * 1_000_000_000 * Double(ByteTime.microsecondsPerDay)

  package var points: Double { Double(units) / Self.unitsPerPoint }

  /// `0.0123`: in points, with four significant digits, since costs of small scenarios are far below one.
  package var words: String {
    let value = points
    guard value != 0 else { return "0" }
    var (scale, exponent) = (abs(value), 0)
    while scale >= 10 {
      scale /= 10
      exponent += 1
    }
    while scale < 1 {
      scale *= 10
      exponent -= 1
    }
    if exponent >= 3 { return grouped(Int(value.rounded())) }
    guard exponent >= -6 else {
      return "\(value < 0 ? "-" : "")\((scale * 1000).rounded() / 1000)e\(exponent)"
    }
    var power = 1.0
    for _ in 0..<(3 - exponent) { power *= 10 }
    return "\((value * power).rounded() / power)"
  }

  package static func < (a: Self, b: Self) -> Bool { a.units < b.units }
  package static func + (a: Self, b: Self) -> Self { Self(units: a.units + b.units) }
  package static func - (a: Self, b: Self) -> Self { Self(units: a.units - b.units) }

  /// Returns how much more this is than another cost, as a share of it; nil where that is not above zero.
  package func excess(over optimum: Cost) -> Double? {
    optimum > .zero ? Double(units - optimum.units) / Double(optimum.units) : nil
  }
}

extension Cost: Codable {
  /// Decimal digits as text: JSON's numbers are no larger than 2⁵³ in many programs.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Int128(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no whole number")
    }
    units = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(units))
  }
}
