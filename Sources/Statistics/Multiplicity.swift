// Many tests at once: with twenty metrics and a level of 5 %, one false alarm is the expected result.

package enum Multiplicity {
  /// Returns Holm's step-down adjusted p-values, in the order given: rejecting those at or below α bounds the probability of
  /// *any* false alarm by α, whatever the dependence. For the gate. Holm, Scandinavian Journal of Statistics 6 (1979).
  package static func holm(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    var adjusted = pValues
    var maximum = 0.0
    for (position, index) in order.enumerated() {
      maximum = max(maximum, min(1, pValues[index] * Double(pValues.count - position)))
      adjusted[index] = maximum
    }
    return adjusted
  }

  /// Returns the adjusted p-values of Benjamini and Hochberg, in the order given: of those at or below α, a share of α are
  /// false alarms on average. For exploratory tables. Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995).
  package static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) > (pValues[$1], $1) }
    var adjusted = pValues
    var minimum = 1.0
    for (position, index) in order.enumerated() {
      let rank = Double(pValues.count - position)
      minimum = min(minimum, pValues[index] * Double(pValues.count) / rank)
      adjusted[index] = minimum
    }
    return adjusted
  }
}
