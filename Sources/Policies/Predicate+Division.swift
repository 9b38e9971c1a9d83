// Warnings about closures whose whole numbers divide without a fraction, where real division would decide otherwise.
import MetricModel
package import PredicateLanguage

extension Predicate {
  /// What real division would decide, for the reason of a decision; empty where that is the same.
  func divisionRemark(_ observation: Observation) -> String {
    guard let real = evaluationByRealDivision(observation.value) else { return "" }
    return "; whole numbers are divided here, and real division would decide \(real.word)"
  }

  /// A warning with an example in which real division decides otherwise; nil where none was found, which is sure where no
  /// whole numbers are divided.
  package var divisionWarning: String? {
    guard dividesWholeNumbers else { return nil }
    let names = variables
    for values in exampleValues(of: names) {
      let value = { (name: String) in values[name] }
      guard let real = evaluationByRealDivision(value) else { continue }
      let shown = names.map { "\($0) \(Int(values[$0] ?? 0))" }
      return "whole numbers are divided here: with \(shown.joined(separator: ", ")) it decides "
        + "\(evaluate(value).word), and real division \(real.word); for that write Double(a) / Double(b)"
    }
    return nil
  }

  /// Values around the constants of the text and their products, of which none exceeds the whole that it is a part of.
  private func exampleValues(of names: [String]) -> [[String: Double]] {
    let candidates = exampleNumbers
    guard names.count <= 2 else {
      // One number for all but two at a time would miss most; a fixed walk through the candidates does for a warning.
      return (0..<20_000).map { step in
        Dictionary(
          uniqueKeysWithValues: names.enumerated().map { index, name in
            (
              name,
              candidates[
                (step * (2 * index + 1) + step / candidates.count * index) % candidates.count]
            )
          })
      }.filter(Self.isPossible)
    }
    guard let first = names.first else { return [] }
    guard names.count == 2 else { return candidates.map { [first: $0] } }
    return candidates.flatMap { a in candidates.map { b in [first: a, names[1]: b] } }
      .filter(Self.isPossible)
  }

  private var exampleNumbers: [Double] {
    let constants = constants.map { abs($0).rounded() }.filter { $0 > 0 }.sorted().prefix(8)
    var bases: Set<Double> = [100e6]
    for a in constants {
      bases.insert(a)
      for b in constants {
        bases.insert(a * b)
        for c in constants { bases.insert(a * b * c) }
      }
    }
    var numbers: Set<Double> = []
    for base in bases.sorted().filter({ $0 <= 0x1p48 }).suffix(60) {
      numbers.formUnion([base, base + 1, base - 1, (base * 0.75).rounded(), (base * 1.5).rounded()])
    }
    // No file has a size of zero, and 0 / 0 decides nothing.
    return numbers.filter { $0 > 0 }.sorted(by: >)
  }

  private static func isPossible(_ values: [String: Double]) -> Bool {
    values.allSatisfy { name, value in
      guard let whole = ObservedVariable.named(name)?.whole, let limit = values[whole] else {
        return true
      }
      return value <= limit
    }
  }
}

extension Policy {
  /// What the user should know before the policy decides; nil for nothing.
  package var warning: String? {
    guard case .when(let predicate) = onLaunch, let warning = predicate.divisionWarning else {
      return nil
    }
    return "policy \"\(name)\": \(warning)"
  }
}

extension Evaluation {
  fileprivate var word: String {
    switch self {
    case .yes: "yes"
    case .no: "no"
    case .unknown, .refused: "nothing"
    }
  }
}
