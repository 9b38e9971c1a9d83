// Conditions for loops of millions of evaluations: variables are numbers in an array, and nothing is looked up, allocated or
// explained.

/// A condition that decides from an array of its variables' values.
package typealias CompiledPredicate = @Sendable (UnsafePointer<Double>) -> Bool

private typealias CompiledNumber = @Sendable (UnsafePointer<Double>) -> Double

extension Predicate {
  /// Returns a function that decides as `evaluate` does where it yields yes or no; nil for a condition that has none: a
  /// closure whose whole numbers divide without a fraction, and a negation or choice, in which an undefined value counts
  /// otherwise than false.
  ///
  /// - Parameter index: the index of a variable in the array; nil for one that the array does not have.
  package func compiled(_ index: (String) -> Int?) -> CompiledPredicate? {
    guard typing == .real || condition.isSameInRealNumbers else { return nil }
    return condition.compiled(index)
  }
}

extension Condition {
  fileprivate func compiled(_ index: (String) -> Int?) -> CompiledPredicate? {
    switch self {
    case .constant(let truth): return { _ in truth }
    case .comparison(let comparison): return comparison.compiled(index)
    case .and(let left, let right):
      guard let a = left.compiled(index), let b = right.compiled(index) else { return nil }
      return { a($0) && b($0) }
    case .or(let left, let right):
      guard let a = left.compiled(index), let b = right.compiled(index) else { return nil }
      return { a($0) || b($0) }
    case .not, .conditional, .computing: return nil
    }
  }
}

extension Comparison {
  fileprivate func compiled(_ index: (String) -> Int?) -> CompiledPredicate? {
    guard let a = left.compiled(index), let b = right.compiled(index) else { return nil }
    // An undefined number is no number, which compares with nothing.
    switch op {
    case .less: return { a($0) < b($0) }
    case .atMost: return { a($0) <= b($0) }
    case .greater: return { a($0) > b($0) }
    case .atLeast: return { a($0) >= b($0) }
    case .equal: return { a($0) == b($0) }
    case .unequal:
      return { values in
        let (left, right) = (a(values), b(values))
        return left < right || left > right
      }
    }
  }
}

extension Arithmetic {
  fileprivate func compiled(_ index: (String) -> Int?) -> CompiledNumber? {
    switch self {
    case .number(let literal):
      let value = literal.value
      return { _ in value }
    case .variable(let name):
      guard let position = index(name) else { return nil }
      return { $0[position] }
    case .negated(let operand):
      guard let a = operand.compiled(index) else { return nil }
      return { -a($0) }
    case .converted(let type, let operand):
      guard let a = operand.compiled(index) else { return nil }
      return type.isWhole ? { a($0).rounded(.towardZero) } : a
    case .promoted(_, let operand): return operand.compiled(index)
    case .binary(let op, let left, let right):
      guard let a = left.compiled(index), let b = right.compiled(index) else { return nil }
      return Self.compiled(op, a, b)
    case .call(let function, let arguments):
      return Self.compiled(function, arguments.map { $0.compiled(index) })
    case .conditional: return nil
    }
  }

  private static func compiled(
    _ op: Operator, _ a: @escaping CompiledNumber, _ b: @escaping CompiledNumber
  ) -> CompiledNumber {
    switch op {
    case .plus: { a($0) + b($0) }
    case .minus: { a($0) - b($0) }
    case .times: { a($0) * b($0) }
    case .over:
      { values in
        let divisor = b(values)
        return divisor == 0 ? .nan : a(values) / divisor
      }
    }
  }

  private static func compiled(
    _ function: Function, _ arguments: [CompiledNumber?]
  ) -> CompiledNumber? {
    guard let first = arguments.first ?? nil else { return nil }
    switch function {
    case .absolute: return { abs(first($0)) }
    case .squareRoot: return { first($0).squareRoot() }
    case .minimum, .maximum:
      guard arguments.count == 2, let second = arguments[1] else { return nil }
      let isMinimum = function == .minimum
      return { values in
        let (a, b) = (first(values), second(values))
        if a.isNaN || b.isNaN { return .nan }
        return isMinimum ? min(a, b) : max(a, b)
      }
    }
  }
}
