// Effect sizes: how large a difference is, independent of its significance.

package enum EffectSize {
  /// Returns Cliff's delta, −1 … 1: the probability that a value of `a` is above one of `b`, minus that it is below. Nil if
  /// a side is empty. Cliff, Psychological Bulletin 114 (1993).
  package static func cliffsDelta(_ a: [Double], _ b: [Double]) -> Double? {
    guard !a.isEmpty, !b.isEmpty else { return nil }
    let sorted = GSL.sorted(b)
    var balance = 0
    for value in a {
      balance += bound(sorted) { $0 < value } - (sorted.count - bound(sorted) { $0 <= value })
    }
    return Double(balance) / (Double(a.count) * Double(b.count))
  }

  /// Returns the number of leading sorted values that fulfill the condition.
  private static func bound(_ sorted: [Double], _ holds: (Double) -> Bool) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(sorted[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
