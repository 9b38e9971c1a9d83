// Bytes over time: the size of a curve summed over the virtual clock, exact for runs of any length.
package import MetricModel

/// Bytes times microseconds of the virtual clock.
package struct ByteTime: Hashable, Comparable, Sendable, AdditiveArithmetic {
  package var byteMicroseconds: Int128

  package init(byteMicroseconds: Int128) { self.byteMicroseconds = byteMicroseconds }

  /// So many bytes for so long.
  package init(_ bytes: ByteCount, for time: VirtualTime) {
    byteMicroseconds = Int128(bytes.bytes) * Int128(time.microseconds)
  }

  package static let zero = ByteTime(byteMicroseconds: 0)
  package static let microsecondsPerDay = 86_400_000_000
  /// A terabyte for 39 years. More in a file is no figure, and its cost would not fit.
  static let max = Int128(1) << 90

  package static func < (a: Self, b: Self) -> Bool { a.byteMicroseconds < b.byteMicroseconds }
  package static func + (a: Self, b: Self) -> Self {
    Self(byteMicroseconds: a.byteMicroseconds + b.byteMicroseconds)
  }
  package static func - (a: Self, b: Self) -> Self {
    Self(byteMicroseconds: a.byteMicroseconds - b.byteMicroseconds)
  }

  package var gigabyteDays: Double {
    Double(byteMicroseconds) / 1e9 / Double(Self.microsecondsPerDay)
  }

  /// Returns the mean number of bytes over a time, rounded half up; nil for no time.
  package func mean(over time: VirtualTime) -> ByteCount? {
    guard time > .zero else { return nil }
    let span = Int128(time.microseconds)
    let doubled = 2 * byteMicroseconds + span
    let (quotient, remainder) = doubled.quotientAndRemainder(dividingBy: 2 * span)
    return ByteCount(Int(remainder < 0 ? quotient - 1 : quotient))
  }
}

extension ByteTime: Codable {
  /// Decimal digits as text: JSON's numbers are no larger than 2⁵³ in many programs.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Int128(text), abs(value) <= Self.max else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\"\(text)\" is no whole number that bytes over time can come to")
    }
    byteMicroseconds = value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(byteMicroseconds))
  }
}
