// Why a condition holds or does not: the comparisons that decided, with their values.

/// The form in which values are printed in explanations.
package struct ValueFormat: Sendable {
  /// Returns the dimension of a variable.
  package let dimension: @Sendable (String) -> Dimension
  /// A measured value for people: `31.5 MB`. A share is asked for as a share only where percent reads well.
  package let measured: @Sendable (Double, Quantity) -> String
  /// A value to the last digit, for where `measured` prints two different values alike.
  package let exact: @Sendable (Double, Quantity) -> String
  /// A threshold: as the writer may have meant it, `20 MiB` for 20971520 bytes.
  package let constant: @Sendable (Double, Quantity) -> String

  package init(
    dimension: @escaping @Sendable (String) -> Dimension,
    measured: @escaping @Sendable (Double, Quantity) -> String,
    exact: @escaping @Sendable (Double, Quantity) -> String,
    constant: @escaping @Sendable (Double, Quantity) -> String
  ) {
    self.dimension = dimension
    self.measured = measured
    self.exact = exact
    self.constant = constant
  }
}

extension Predicate {
  /// The comparisons that decided, each written so that it is true of the values:
  /// `totalBytes 31.5 MB > 20 MiB, usedBytes / totalBytes 12 % < 50 %`.
  package func explain(_ value: (String) -> Double?, format: ValueFormat) -> String {
    let parts = condition.reasons(typing, value, format)
    var seen: Set<String> = []
    return parts.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}

extension Condition {
  fileprivate func reasons(
    _ typing: Typing, _ value: (String) -> Double?, _ format: ValueFormat
  ) -> [String] {
    switch self {
    case .constant(let truth): return ["always \(truth)"]
    case .comparison(let comparison): return [comparison.reason(typing, value, format)]
    case .not(let operand): return operand.reasons(typing, value, format)
    case .and(let left, let right), .or(let left, let right):
      let whole = evaluate(typing, value)
      // Where one side alone decides, the other is left out; otherwise both are explained.
      let deciding = [left, right].filter { $0.evaluate(typing, value) == whole }
      let explained = deciding.isEmpty ? [left, right] : deciding
      return explained.flatMap { $0.reasons(typing, value, format) }
    case .computing(let definition, let rest):
      if case .refused = definition.evaluate(typing, value) {
        return definition.reasons(typing, value, format)
      }
      return rest.reasons(typing, value, format)
    case .conditional(let condition, let yes, let no):
      let first = condition.reasons(typing, value, format)
      switch condition.evaluate(typing, value) {
      case .yes: return first + yes.reasons(typing, value, format)
      case .no: return first + no.reasons(typing, value, format)
      case .undefined, .unknown, .refused: return first
      }
    }
  }
}

extension Comparison {
  fileprivate func reason(
    _ typing: Typing, _ value: (String) -> Double?, _ format: ValueFormat
  ) -> String {
    guard case .value(let a) = left.evaluate(typing, value),
      case .value(let b) = right.evaluate(typing, value)
    else { return missing(typing, value) }
    guard !a.isNaN, !b.isNaN else { return "\(a.isNaN ? left : right) is not a number" }
    let shown = op.holds(a, b) ? op : op.negated
    let quantity = shownQuantity(a, b, format)
    var (leftText, rightText) = (
      left.shown(a, quantity, format.measured, format),
      right.shown(b, quantity, format.measured, format)
    )
    if a != b, leftText.value == rightText.value {
      leftText = left.shown(a, quantity, format.exact, format)
      rightText = right.shown(b, quantity, format.exact, format)
    }
    return "\(leftText.whole) \(shown.rawValue) \(rightText.whole)"
  }

  private func missing(_ typing: Typing, _ value: (String) -> Double?) -> String {
    for side in [left, right] {
      switch side.evaluate(typing, value) {
      case .unknown(let name): return "\(name) cannot be told"
      case .undefined: return "\(side) has no value (\(side.absence))"
      case .refused(let reason): return "\(side): \(reason)"
      case .value: continue
      }
    }
    return "\(left) \(op.rawValue) \(right)"
  }

  /// Both sides measure the same. A share prints as percent where the threshold is written so or lies within 0 ... 1.
  private func shownQuantity(_ a: Double, _ b: Double, _ format: ValueFormat) -> Quantity {
    let sides = [left, right].map { $0.dimension(of: format.dimension).quantity }
    let quantity = sides.first { $0 != .number && $0 != .share } ?? sides.first { $0 == .share }
    guard quantity == .share else { return quantity ?? .number }
    if left.isPercent || right.isPercent { return .share }
    let threshold = right.isConstant ? b : left.isConstant ? a : max(abs(a), abs(b))
    return abs(threshold) <= 1 ? .share : .number
  }
}

extension Arithmetic {
  fileprivate var isPercent: Bool {
    if case .number(let literal) = self { literal.dimension == .share } else { false }
  }

  /// Returns the value as text, and after the expression's own text unless the expression is a constant.
  fileprivate func shown(
    _ value: Double, _ quantity: Quantity, _ measured: (Double, Quantity) -> String,
    _ format: ValueFormat
  ) -> (value: String, whole: String) {
    if case .number(let literal) = self, literal.dimension != .plain {
      return (literal.text, literal.text)
    }
    if isConstant {
      let text = format.constant(value, quantity)
      return (text, text)
    }
    let text = measured(value, quantity)
    return (text, "\(self) \(text)")
  }

  /// Why a real number may have no value.
  fileprivate var absence: String {
    hasSquareRoot ? "division by zero, or the root of a negative number" : "division by zero"
  }

  private var hasSquareRoot: Bool {
    if case .call(.squareRoot, _) = self { return true }
    return parts.numbers.contains(where: \.hasSquareRoot)
  }
}
