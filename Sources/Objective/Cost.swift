// A cost in whole numbers, so that the same schedule has the same cost in whatever order it is added up.

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
