// Kendall's τ: how far two lists order the same things alike.

/// The pairs of two lists of values, of which more may be added: τ of many lists together is over the pairs within each.
package struct KendallTau: Sendable, Equatable {
  /// Pairs in the same order in both, and in opposite order.
  package private(set) var concordant = 0
  package private(set) var discordant = 0
  /// Pairs that are not tied in the first, and in the second.
  private var distinctInFirst = 0
  private var distinctInSecond = 0

  package init() {}

  package init(_ first: [Double], _ second: [Double]) { add(first, second) }

  /// Adds all pairs of these values.
  ///
  /// - Parameter apart: the share of the larger value by which two values of the second list must differ for their pair to be
  ///   added; nil adds every pair.
  package mutating func add(_ first: [Double], _ second: [Double], apart: Double? = nil) {
    precondition(first.count == second.count, "both lists order the same things")
    for a in first.indices {
      for b in first.indices[(a + 1)...] {
        if let apart, Self.difference(second[a], second[b]) <= apart { continue }
        let own = Self.sign(first[b] - first[a])
        let other = Self.sign(second[b] - second[a])
        if own != 0 { distinctInFirst += 1 }
        if other != 0 { distinctInSecond += 1 }
        if own * other > 0 { concordant += 1 }
        if own * other < 0 { discordant += 1 }
      }
    }
  }

  /// τ-b, from -1 to 1, which leaves out ties (Kendall, Rank Correlation Methods, 1948); nil where a list has only ties.
  package var value: Double? {
    guard distinctInFirst > 0, distinctInSecond > 0 else { return nil }
    let scale = (Double(distinctInFirst) * Double(distinctInSecond)).squareRoot()
    return Double(concordant - discordant) / scale
  }

  /// Pairs that are tied in neither list, or in the first only.
  package var pairCount: Int { distinctInSecond }

  /// The difference of two values as a share of the larger one; 0 for equal values.
  private static func difference(_ a: Double, _ b: Double) -> Double {
    a == b ? 0 : abs(a - b) / max(abs(a), abs(b))
  }

  private static func sign(_ value: Double) -> Int { value > 0 ? 1 : value < 0 ? -1 : 0 }
}
