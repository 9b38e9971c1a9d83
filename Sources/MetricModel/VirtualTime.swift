// The clock of a scenario: advanced by its phases and commits, never by the machine.

/// A time on the virtual clock, or a span of it, in microseconds since the scenario began.
package struct VirtualTime: Hashable, Comparable, Sendable, AdditiveArithmetic, Codable {
  package var microseconds: Int

  package init(microseconds: Int) { self.microseconds = microseconds }
  package init(seconds: Double) { microseconds = Int((seconds * 1_000_000).rounded()) }

  package static let zero = VirtualTime(microseconds: 0)
  package var seconds: Double { Double(microseconds) / 1_000_000 }

  package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
  package static func + (a: Self, b: Self) -> Self {
    Self(microseconds: a.microseconds + b.microseconds)
  }
  package static func - (a: Self, b: Self) -> Self {
    Self(microseconds: a.microseconds - b.microseconds)
  }

  package init(from decoder: any Decoder) throws {
    microseconds = try decoder.singleValueContainer().decode(Int.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}
