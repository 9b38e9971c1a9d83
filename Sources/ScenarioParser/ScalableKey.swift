// Keys that say how much data and work there is, and their values times a factor: what another app has more or less of.

/// A key of a scenario file whose numbers can be scaled.
package struct ScalableKey: Hashable, Sendable {
  /// As a setting names it: `phases.session.commits`.
  package let path: String
  /// The value in the file: `log-normal 3 kB sigma 0.9 up to 100 kB`.
  package let text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// Returns the value with its amounts multiplied. A whole number becomes the nearest one that differs by no more than
  /// `reach`, a share of it; a share of rows is at most all of them. The spread of a distribution, the shares of a mixture and
  /// the time of a rate stay as they are.
  package func scaled(by factor: Double, within reach: Double) -> String {
    // The numbers of a histogram are in a file of its own.
    guard !text.hasPrefix("histogram ") else { return text }
    return ScaledText(text, factor: factor, reach: reach).text
  }

  /// Whether scaling changes the value at all: one operation a transaction stays one.
  package func canScale(within reach: Double) -> Bool {
    scaled(by: 1 - reach, within: reach) != scaled(by: 1 + reach, within: reach)
  }
}

/// A value in words with its amounts multiplied.
private struct ScaledText {
  private(set) var text = ""
  private let factor: Double
  private let reach: Double

  /// The words before numbers that are no amounts: spreads, and the time of a rate.
  private static let leads = ["sigma", "commits", "per", "/"]

  init(_ source: String, factor: Double, reach: Double) {
    self.factor = factor
    self.reach = reach
    let isMixture = source.contains(" and ")
    var rest = source[...]
    while let start = rest.firstIndex(where: \.isDigit) {
      text += rest[..<start]
      let digits = rest[start...].prefix { $0.isDigit || $0 == "." || $0 == "_" }
      rest = rest[digits.endIndex...]
      let unit = String(QuantityText.trimmed(rest).prefix { $0.isLetter || $0 == "%" })
      let words = text.split(whereSeparator: \.isWhitespace)
      let isAmount =
        !Self.leads.contains { words.last?.hasSuffix($0) ?? false } && !(isMixture && unit == "%")
      guard isAmount, let value = QuantityText.decimal(digits) else {
        text += digits
        continue
      }
      if let whole = Self.inSmallestUnit("\(digits) \(unit)") {
        text += "\(scaledWhole(Double(whole.value))) \(whole.unit)"
        rest = QuantityText.trimmed(rest).dropFirst(unit.count)
      } else {
        text += scaled(value, String(digits), unit, after: rest)
      }
    }
    text += rest
  }

  /// A size in bytes, or a time in microseconds; nil for other quantities.
  private static func inSmallestUnit(_ quantity: String) -> (value: Int, unit: String)? {
    if let time = QuantityText.duration(quantity) { return (time, "us") }
    guard quantity.last?.isLetter ?? false else { return nil }
    return QuantityText.size(quantity).map { ($0, "B") }
  }

  /// A count, a share or the number of a rate.
  private func scaled(
    _ value: Double, _ digits: String, _ unit: String, after rest: Substring
  ) -> String {
    let isRate = rest.contains("per ") || rest.contains("/") || rest.contains(" of maximum")
    if isRate { return Self.decimal(value * factor) }
    if unit == "%" { return Self.decimal(min(100, value * factor)) }
    if digits.contains(".") { return Self.decimal(min(1, value * factor)) }
    return "\(scaledWhole(value))"
  }

  private func scaledWhole(_ value: Double) -> Int {
    let slack = 1e-9 * value
    let low = (value * (1 - reach) - slack).rounded(.up)
    let high = (value * (1 + reach) + slack).rounded(.down)
    return Int(min(max((value * factor).rounded(), low), high))
  }

  /// Returns the number with at most six digits after the point.
  private static func decimal(_ value: Double) -> String {
    let (whole, part) = Int((value * 1e6).rounded()).quotientAndRemainder(dividingBy: 1_000_000)
    guard part > 0 else { return "\(whole)" }
    var digits = String(1_000_000 + part).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

extension Character {
  fileprivate var isDigit: Bool { isASCII && isNumber }
}
