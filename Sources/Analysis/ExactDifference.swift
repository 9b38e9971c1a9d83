// An exact figure that differs between base and head: found by subtraction, without a test or an interval.

/// An exact figure of two builds that is not the same.
package struct ExactDifference: Sendable, Equatable, Codable {
  /// `scenario/engine/policy/arm/column`.
  package var name: String
  package var base: Double
  package var head: Double
  /// Whether head has the better value; differences that are neither better nor worse are not reported.
  package var isBetter: Bool

  package init(name: String, base: Double, head: Double, isBetter: Bool) {
    self.name = name
    self.base = base
    self.head = head
    self.isBetter = isBetter
  }
}
