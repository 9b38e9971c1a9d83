// A number of bytes as a type, so that it is never added to another kind of count.

/// A number of bytes.
package struct ByteCount: Hashable, Comparable, Sendable, AdditiveArithmetic, Codable {
  package var bytes: Int

  package init(_ bytes: Int) { self.bytes = bytes }

  package static let zero = ByteCount(0)
  package static func < (a: Self, b: Self) -> Bool { a.bytes < b.bytes }
  package static func + (a: Self, b: Self) -> Self { Self(a.bytes + b.bytes) }
  package static func - (a: Self, b: Self) -> Self { Self(a.bytes - b.bytes) }
  package static func * (a: Int, b: Self) -> Self { Self(a * b.bytes) }

  /// Returns the quotient: 1.5 for 3 MB to 2 MB; nil if the other is zero.
  package func ratio(to other: ByteCount) -> Double? {
    other.bytes == 0 ? nil : Double(bytes) / Double(other.bytes)
  }

  package init(from decoder: any Decoder) throws {
    bytes = try decoder.singleValueContainer().decode(Int.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(bytes)
  }
}

extension ByteCount? {
  /// Returns the sum; nil if one of the two is unknown.
  package static func sum(_ a: ByteCount?, _ b: ByteCount?) -> ByteCount? {
    guard let a, let b else { return nil }
    return a + b
  }
}

extension ByteCount: CustomStringConvertible {
  /// The count in decimal units with three digits: `0 B`, `999 B`, `22.1 MB`, `1.30 GB`.
  package var description: String {
    var value = Double(bytes.magnitude)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let sign = bytes < 0 ? "-" : ""
    return "\(sign)\(unit == 0 ? String(bytes.magnitude) : value.threeDigits) \(units[unit])"
  }
}

extension Double {
  /// Three significant digits, all digits of a larger whole number, at most two decimals: `1.30`, `22.1`, `410`,
  /// `4,298`.
  package var threeDigits: String {
    guard abs(self) < 1e15 else { return "\(self)" }
    let decimals = abs(self) < 9.995 ? 2 : abs(self) < 99.95 ? 1 : 0
    let scale = [1.0, 10, 100][decimals]
    let scaled = Int((abs(self) * scale).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + grouped(scaled) }
    let (whole, part) = scaled.quotientAndRemainder(dividingBy: Int(scale))
    let digits = String(part)
    return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
  }
}
