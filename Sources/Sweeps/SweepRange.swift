// The ends of a swept range, and the values between them.
import func Foundation.pow

/// The ends of a range.
package struct SweepRange: Sendable, Equatable {
  private let low: Double
  private let high: Double
  private let kind: SweepQuantity.Kind
  private let isWhole: Bool
  private let isLogarithmic: Bool

  init(name: String, low: String, high: String, isLogarithmic: Bool) throws(SweepError) {
    guard var first = SweepQuantity(low), var last = SweepQuantity(high) else {
      throw SweepError(
        "\(name): \"\((SweepQuantity(low) == nil ? low : high).prefix(40))\" is not a number with or without a unit, such "
          + "as 5 MB or 1e3; values that are not numbers are given as a list: a, b")
    }
    first = first.inUnit(of: last)
    last = last.inUnit(of: first)
    guard first.kind == last.kind else {
      throw SweepError("\(name): \(low) and \(high) are not of one kind; give both the same unit")
    }
    guard first.value < last.value else {
      throw SweepError("\(name): the range from \(low) to \(high) is empty; begin with the smaller")
    }
    if isLogarithmic, first.value <= 0 {
      throw SweepError("\(name): a logarithmic range begins above 0; use lin, or a larger value")
    }
    guard last.value < 0x1p53 else {
      throw SweepError("\(name): \(high) is too large")
    }
    (self.low, self.high) = (first.value, last.value)
    kind = first.kind
    isWhole = [first.value, last.value].allSatisfy { $0 == $0.rounded() }
    self.isLogarithmic = isLogarithmic
  }

  /// Returns the value at a share of the range, from 0 to 1, as a scenario has it.
  func text(at share: Double) -> String {
    let value =
      share == 0
      ? low
      : share == 1
        ? high
        : isLogarithmic
          ? low * pow(high / low, share) : low + (high - low) * share
    return SweepQuantity.text(of: value, kind, isWhole: isWhole)
  }
}
