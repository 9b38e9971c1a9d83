// An exact figure that is not the same in base and head: what a comparison of two builds finds by subtraction, where no
// test and no interval is needed.

package struct ExactDifference: Sendable, Equatable, Codable {
  /// `scenario/engine/policy/arm/column`.
  package var name: String
  package var base: Double
  package var head: Double
  /// Head has the better value; a difference that is neither better nor worse is none of the kind.
  package var isBetter: Bool

  package init(name: String, base: Double, head: Double, isBetter: Bool) {
    self.name = name
    self.base = base
    self.head = head
    self.isBetter = isBetter
  }
}
