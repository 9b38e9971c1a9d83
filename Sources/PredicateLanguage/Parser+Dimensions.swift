// Checks of what a text that is well formed would compute: whether both sides measure the same, and whether constants
// have a value. Texts whose names are already checked are not checked again.

extension Parser {
  func dimension(of arithmetic: Arithmetic) -> Dimension {
    arithmetic.dimension { vocabulary?[$0]?.dimension ?? .plain }
  }

  /// Refuses `usedBytes < 50 %`.
  func checkDimensions(of comparison: Comparison, at range: Range<Int>) throws(PredicateError) {
    guard vocabulary != nil else { return }
    let left = dimension(of: comparison.left)
    let right = dimension(of: comparison.right)
    guard !left.fits(right) else { return }
    throw error(
      .type, "\(left) cannot be compared with \(right)",
      hint: suggestion(for: comparison, left, right)
        ?? hint(comparison.left.isConstant ? right : left), at: range)
  }

  /// Refuses `totalBytes - 50 %`, and constants that have no value: `1 / (2 - 2)`.
  func check(
    _ op: Arithmetic.Operator, _ left: Arithmetic, _ right: Arithmetic, at range: Range<Int>,
    divisorAt divisor: Range<Int>
  ) throws(PredicateError) {
    guard vocabulary != nil else { return }
    let (a, b) = (dimension(of: left), dimension(of: right))
    if op == .plus || op == .minus, !a.fits(b) {
      let isOneShare = a == .share || b == .share
      throw error(
        .type,
        op == .plus ? "\(a) and \(b) cannot be added" : "\(b) cannot be subtracted from \(a)",
        hint: isOneShare
          ? "a share of something is a product, as in 50 % * totalBytes"
          : "both must measure the same", at: range)
    }
    if op == .over, right.isConstant, case .value(0) = right.evaluate({ _ in nil }) {
      throw error(.noValue, "this divides by zero", hint: "it never has a value", at: divisor)
    }
    guard left.isConstant, right.isConstant else { return }
    if case .value(let value) = Arithmetic.binary(op, left, right).evaluate({ _ in nil }),
      value.isFinite
    {
      return
    }
    throw error(.tooLarge, "the number is too large", at: range)
  }

  /// The comparison of the ratio that was probably meant, where a part of something is compared with a share.
  private func suggestion(
    for comparison: Comparison, _ left: Dimension, _ right: Dimension
  ) -> String? {
    var meant = comparison
    if right == .share, let ratio = ratioToWhole(comparison.left, left) {
      meant.left = ratio
    } else if left == .share, let ratio = ratioToWhole(comparison.right, right) {
      meant.right = ratio
    } else {
      return nil
    }
    let text = Condition.comparison(meant).description
    return text.count <= 100 ? "did you mean \"\(text)\"?" : nil
  }

  /// Refuses `max(totalBytes, 50 %)`.
  func checkShared(_ operands: [Arithmetic], at range: Range<Int>) throws(PredicateError) {
    guard vocabulary != nil else { return }
    var shared = Dimension.plain
    for operand in operands {
      let own = dimension(of: operand)
      guard shared.fits(own) else {
        throw error(
          .type, "\(shared) and \(own) cannot stand for each other",
          hint: "both must measure the same", at: range)
      }
      shared = shared.added(to: own)
    }
  }

  /// Refuses `sqrt(totalBytes)`, and the root of a negative constant. A factor without a unit may measure anything: a closure
  /// has `sqrt(20_000_000.0 * Double(usedBytes))`.
  func checkRoot(_ operand: Arithmetic, at range: Range<Int>) throws(PredicateError) {
    guard vocabulary != nil else { return }
    let dimension = dimension(of: operand)
    guard dimension.squareRoot != nil || operand.hasPlainFactor else {
      throw error(
        .type, "the square root of \(dimension) measures nothing",
        hint: "take that of a product, as in sqrt(20 MB * usedBytes)", at: range)
    }
    if operand.isConstant, case .value(let value) = operand.evaluate({ _ in nil }), value < 0 {
      throw error(
        .noValue, "this is the root of a negative number", hint: "it never has a value", at: range)
    }
  }

  private func ratioToWhole(_ part: Arithmetic, _ dimension: Dimension) -> Arithmetic? {
    let wholes = Set(part.variables.map { vocabulary?[$0]?.whole })
    guard wholes.count == 1, case let whole?? = wholes.first,
      vocabulary?[whole]?.dimension == dimension
    else { return nil }
    return .binary(.over, part, .variable(whole))
  }

  /// Returns a hint on what a quantity of this dimension may be compared with.
  private func hint(_ dimension: Dimension) -> String {
    switch dimension {
    case .share: return "a share is compared with one such as 50 %"
    case .count: return "a count is compared with a plain number such as 3"
    default: break
    }
    switch dimension.quantity {
    case .bytes: return "bytes are compared with a size such as 100 MB"
    case .seconds: return "a time is compared with one such as 10 s"
    case .share, .number: return "both sides must measure the same"
    }
  }
}

extension Arithmetic {
  /// Whether one of the factors is a constant without a unit.
  fileprivate var hasPlainFactor: Bool {
    if isConstant { return dimension { _ in .plain } == .plain }
    return switch self {
    case .negated(let operand), .converted(_, let operand), .promoted(_, let operand):
      operand.hasPlainFactor
    case .binary(.times, let left, let right), .binary(.over, let left, let right):
      left.hasPlainFactor || right.hasPlainFactor
    default: false
    }
  }
}
