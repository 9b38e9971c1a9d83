// Many tests at once: with twenty metrics and a level of 5 %, one false alarm is the expected result.

package enum Multiplicity {
  /// Holm's step-down adjusted p-values, in the order given: those at or below α keep the chance of *any* false alarm
  /// at α, whatever the dependence. For the gate. Holm, Scandinavian Journal of Statistics 6 (1979).
  package static func holm(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    var adjusted = pValues
    var greatest = 0.0
    for (place, index) in order.enumerated() {
      greatest = max(greatest, min(1, pValues[index] * Double(pValues.count - place)))
      adjusted[index] = greatest
    }
    return adjusted
  }

  /// The adjusted p-values of Benjamini and Hochberg, in the order given: of those at or below α, a share of α are false
  /// alarms on average. For tables that are looked through. Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995).
  package static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) > (pValues[$1], $1) }
    var adjusted = pValues
    var least = 1.0
    for (place, index) in order.enumerated() {
      let rank = Double(pValues.count - place)
      least = min(least, pValues[index] * Double(pValues.count) / rank)
      adjusted[index] = least
    }
    return adjusted
  }
}
