// Values that several parts of a scenario have in common.
import Generators

extension Field {
  /// The text of a key.
  var keyText: String { node.scalar?.string ?? "" }

  /// A span of time, in microseconds.
  func duration(_ range: ClosedRange<Int>) -> Int? {
    guard let span = quantity("a time such as 8 h or 10 ms", QuantityText.duration) else {
      return nil
    }
    if range.contains(span) { return span }
    report(
      "the time is out of range",
      hint: "from \(Self.written(range.lowerBound)) to \(Self.written(range.upperBound))")
    return nil
  }

  /// A share above 0, at most 1.
  func share() -> Double? {
    guard let share = quantity("a share such as 85 % or 0.85", QuantityText.share) else {
      return nil
    }
    if share > 0, share <= 1 { return share }
    let percent = share > 1 && share <= 100 && !keyText.contains("%")
    report(
      "the share is out of range",
      hint: percent ? "write \(keyText) %" : "above 0 %, up to 100 %")
    return nil
  }

  /// Names out of those there are, none twice; one name may stand without the list.
  func uniqueNames(_ what: String, among names: [String]?, _ expected: String) -> [String]? {
    guard let elements = oneOrMore(expected) else { return nil }
    var found: [String] = []
    for element in elements {
      guard let name = element.name(what, among: names) else { continue }
      if found.contains(name) { element.report("\(what) \"\(name)\" is there already") }
      found.append(name)
    }
    return found
  }

  /// `uniform`, `zipfian 0.9`.
  func keyDistribution() -> KeyDistribution? {
    let expected = "uniform, sequential, zipfian 0.99 or latest 0.99"
    guard let text = text(expected) else { return nil }
    let words = text.split(separator: " ").map(String.init)
    let theta = words.count == 2 ? QuantityText.decimal(words[1][...]) : 0.99
    switch (words.first, words.count, theta) {
    case ("uniform", 1, _): return .uniform
    case ("sequential", 1, _): return .sequential
    case ("zipfian", 1...2, .some(let theta)):
      return permille(theta).map(KeyDistribution.zipfian(thetaPermille:))
    case ("latest", 1...2, .some(let theta)):
      return permille(theta).map(KeyDistribution.latest(thetaPermille:))
    default:
      let hint = suggestion(words[0], ["uniform", "sequential", "zipfian", "latest"])
      report("expected \(expected), found \"\(shortened(text))\"", hint: hint)
      return nil
    }
  }

  private func permille(_ theta: Double) -> Int? {
    if (0.001...0.999).contains(theta) { return Int((theta * 1000).rounded()) }
    report("θ is out of range", hint: "from 0.001 to 0.999; 0.99 is customary")
    return nil
  }

  private static func written(_ microseconds: Int) -> String {
    let units = [("d", 86_400_000_000), ("h", 3_600_000_000), ("s", 1_000_000), ("ms", 1000)]
    for (unit, size) in units where microseconds > 0 && microseconds.isMultiple(of: size) {
      return "\(QuantityText.written(microseconds / size)) \(unit)"
    }
    return "\(microseconds) us"
  }
}
