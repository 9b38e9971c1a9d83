// The prices of an objective.

/// What space, rewriting and waiting cost.
///
/// The defaults say that a byte written again costs as much as a byte of waste for eight hours. An app with half of its file
/// free, which is what the documents of Realm compact from, has as many wasted bytes as live ones; a compaction writes the live
/// ones again; and eight hours are the time between two launches that scenarios have unless they say otherwise. So by the
/// default prices the documents' condition is the one at which compacting just pays until the next launch. The price of time
/// is zero: how much a second of waiting is worth depends on the app, and no default would be right for most.
package struct Prices: Hashable, Sendable, Codable {
  /// Of a gigabyte above a freshly compacted file, for a day.
  package var space = 3.0
  /// Of a gigabyte that compactions write again.
  package var rewritten = 1.0
  /// Of a second for which a compaction holds up a launch.
  package var blocked = 0.0

  package init() {}

  package init(space: Double, rewritten: Double, blocked: Double = 0) throws(ObjectiveError) {
    (self.space, self.rewritten, self.blocked) = (space, rewritten, blocked)
    try check()
  }

  package static let max = 1000.0
  /// The smallest price above zero. A tenth of it is still a whole number of steps.
  package static let min = 0.000_001
  static let stepsPerPoint = 10_000_000.0

  /// Throws for a price that is no number, negative or out of range, and where all are zero.
  package func check() throws(ObjectiveError) {
    for (name, price) in [("space", space), ("rewritten", rewritten), ("blocked", blocked)] {
      if !price.isFinite { throw ObjectiveError("the price of \(name) is no number") }
      if price < 0 { throw ObjectiveError("the price of \(name) is negative") }
      if price > Self.max || price > 0 && price < Self.min {
        throw ObjectiveError("the price of \(name) is out of range: 0, or 0.000001 to 1000")
      }
    }
    if space == 0, rewritten == 0, blocked == 0 {
      throw ObjectiveError("all prices are zero, so that every policy would cost the same")
    }
  }

  /// Returns the prices with those of work, rewriting and waiting, multiplied.
  func scalingWork(by factor: Double) -> Prices {
    var prices = self
    prices.rewritten *= factor
    prices.blocked *= factor
    return prices
  }

  /// Units of cost for a byte-microsecond, a byte and a nanosecond.
  var spaceWeight: Int128 { Self.steps(space) }
  var rewrittenWeight: Int128 { Self.steps(rewritten) * Int128(ByteTime.microsecondsPerDay) }
  var blockedWeight: Int128 { Self.steps(blocked) * Int128(ByteTime.microsecondsPerDay) }

  private static func steps(_ price: Double) -> Int128 {
    Int128((price * stepsPerPoint).rounded())
  }
}
