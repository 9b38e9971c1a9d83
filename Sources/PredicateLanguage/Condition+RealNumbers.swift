// Whether a closure decides as the same condition does with real numbers, for every observation: then it is shown as one.

extension Condition {
  /// Holds for closures that add, subtract, multiply and compare whole numbers that `Double` has exactly, or compare the
  /// quotient of two variables with a constant from above. Nothing else is looked into.
  var isSameInRealNumbers: Bool { isSame(isNegated: false) }

  private func isSame(isNegated: Bool) -> Bool {
    switch self {
    case .constant: true
    case .comparison(let comparison): comparison.isSame(isNegated: isNegated)
    case .not(let operand): operand.isSame(isNegated: !isNegated)
    case .and(let left, let right), .or(let left, let right):
      left.isSame(isNegated: isNegated) && right.isSame(isNegated: isNegated)
    // A definition that cannot end the app leads to none of these.
    case .computing: false
    case .conditional(let condition, let yes, let no):
      // What chooses must have a value either way.
      condition.isSame(isNegated: false) && condition.isSame(isNegated: true)
        && yes.isSame(isNegated: isNegated) && no.isSame(isNegated: isNegated)
    }
  }

  /// Whether computing it may end the app.
  var mayEndApp: Bool {
    switch self {
    case .constant: false
    case .comparison(let comparison): comparison.left.mayEndApp || comparison.right.mayEndApp
    case .not(let operand): operand.mayEndApp
    case .and(let left, let right), .or(let left, let right), .computing(let left, let right):
      left.mayEndApp || right.mayEndApp
    case .conditional(let condition, let yes, let no):
      condition.mayEndApp || yes.mayEndApp || no.mayEndApp
    }
  }

  /// The values of the largest expressions without a variable.
  var constants: Set<Double> {
    switch self {
    case .constant: []
    case .comparison(let comparison): comparison.left.constants.union(comparison.right.constants)
    case .not(let operand): operand.constants
    case .and(let left, let right), .or(let left, let right), .computing(let left, let right):
      left.constants.union(right.constants)
    case .conditional(let condition, let yes, let no):
      condition.constants.union(yes.constants).union(no.constants)
    }
  }

  /// Whether whole numbers are divided.
  var hasWholeDivision: Bool {
    switch self {
    case .constant: false
    case .comparison(let comparison):
      comparison.left.hasWholeDivision || comparison.right.hasWholeDivision
    case .not(let operand): operand.hasWholeDivision
    case .and(let left, let right), .or(let left, let right), .computing(let left, let right):
      left.hasWholeDivision || right.hasWholeDivision
    case .conditional(let condition, let yes, let no):
      condition.hasWholeDivision || yes.hasWholeDivision || no.hasWholeDivision
    }
  }
}

extension Comparison {
  fileprivate func isSame(isNegated: Bool) -> Bool {
    if left.bound != nil, right.bound != nil { return true }
    // 0 / 0 and 1 / 0 make neither side less in Swift, and the comparison has no value with real numbers.
    return !isNegated && (op == .less || op == .atMost) && left.isQuotientOfVariables
      && right.isConstant && right.bound != nil
  }
}

extension Arithmetic {
  /// The largest number of a record, and of those that `Double` has exactly.
  private static let largestVariable = 0x1p48
  private static let largestExact = 0x1p53

  /// The magnitude that the value cannot exceed, where both ways of computing agree; nil where they may not.
  fileprivate var bound: Double? {
    let bound: Double?
    switch self {
    case .number(let literal): return literal.type?.kind == .float ? nil : abs(literal.value)
    case .variable: return Self.largestVariable
    case .negated(let operand): bound = operand.bound
    case .promoted(let type, let operand): return type.kind == .float ? nil : operand.bound
    case .converted(let type, let operand): return type.kind == .double ? operand.bound : nil
    case .binary(let op, let left, let right):
      guard let a = left.bound, let b = right.bound else { return nil }
      switch op {
      case .plus, .minus: bound = a + b
      case .times: bound = a * b
      case .over: return nil
      }
      // An unsigned number may fall below zero.
      if op == .minus, isWhole(isSigned: false) { return nil }
    case .call(.squareRoot, _): return nil
    case .call(_, let arguments):
      let bounds = arguments.compactMap(\.bound)
      return bounds.count == arguments.count ? bounds.max() : nil
    case .conditional(let condition, let yes, let no):
      guard condition.isSameInRealNumbers, Condition.not(condition).isSameInRealNumbers,
        let a = yes.bound, let b = no.bound
      else { return nil }
      return max(a, b)
    }
    guard let bound else { return nil }
    if case .typed(let type) = staticType, let range = type.range {
      return bound <= min(Self.largestExact, Double(range.upperBound)) ? bound : nil
    }
    return bound < 1e300 ? bound : nil
  }

  private func isWhole(isSigned: Bool) -> Bool {
    guard case .typed(let type) = staticType, case .whole(_, let own) = type.kind else {
      return false
    }
    return own == isSigned
  }

  /// Whether this is `Double(usedBytes) / Double(totalBytes)`.
  fileprivate var isQuotientOfVariables: Bool {
    guard case .binary(.over, let left, let right) = self, case .typed(let type) = staticType,
      type.kind == .double
    else { return false }
    return left.isVariable && right.isVariable
  }

  private var isVariable: Bool {
    switch self {
    case .variable: true
    case .promoted(_, let operand): operand.isVariable
    case .converted(let type, let operand): type.kind == .double && operand.isVariable
    default: false
    }
  }

  /// Whether computing it may end the app: by a number that its type does not hold, or a division by zero.
  fileprivate var mayEndApp: Bool {
    let parts = parts
    if case .typed(let type) = staticType, type.isWhole, !parts.numbers.isEmpty, bound == nil {
      return true
    }
    return parts.numbers.contains(where: \.mayEndApp) || parts.condition?.mayEndApp == true
  }

  fileprivate var constants: Set<Double> {
    if isConstant {
      if case .value(let value) = evaluate({ _ in nil }) { return [value] }
      return []
    }
    let parts = parts
    return parts.numbers.reduce(parts.condition?.constants ?? []) { $0.union($1.constants) }
  }

  fileprivate var hasWholeDivision: Bool {
    if case .binary(.over, _, _) = self, case .typed(let type) = staticType, type.isWhole {
      return true
    }
    let parts = parts
    return parts.numbers.contains(where: \.hasWholeDivision)
      || parts.condition?.hasWholeDivision == true
  }
}
