// Truth values computed from comparisons, in a logic with values for "unknown" and "undefined".

/// A truth expression, type checked by construction.
indirect enum Condition: Hashable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(Condition)
  case and(Condition, Condition)
  case or(Condition, Condition)
  case conditional(Condition, Condition, Condition)
  /// A definition of a closure, which is computed first and may end the app, and what follows it.
  case computing(Condition, Condition)

  /// `false && x` is no whatever x is, and `true || x` is yes, in either order. Otherwise unknown takes precedence over
  /// undefined, because an unknown value may turn out either way.
  enum Outcome: Hashable, Sendable {
    case yes
    case no
    /// A side has no value (division by zero): holds neither plain nor negated.
    case undefined
    case unknown(String)
    /// An app would end here, for this reason: by the rules of Swift or C only.
    case refused(String)

    var negated: Outcome {
      switch self {
      case .yes: .no
      case .no: .yes
      case .undefined, .unknown, .refused: self
      }
    }
  }

  func evaluate(_ typing: Typing, _ value: (String) -> Double?) -> Outcome {
    switch self {
    case .constant(let truth): return truth ? .yes : .no
    case .comparison(let comparison): return comparison.evaluate(typing, value)
    case .not(let operand): return operand.evaluate(typing, value).negated
    case .and(let left, let right): return Self.join(left, right, decisive: .no, typing, value)
    case .or(let left, let right): return Self.join(left, right, decisive: .yes, typing, value)
    case .computing(let definition, let rest):
      if typing != .real, case .refused(let reason) = definition.evaluate(typing, value) {
        return .refused(reason)
      }
      return rest.evaluate(typing, value)
    case .conditional(let condition, let yes, let no):
      let outcome = condition.evaluate(typing, value)
      switch outcome {
      case .yes: return yes.evaluate(typing, value)
      case .no: return no.evaluate(typing, value)
      case .undefined, .refused: return outcome
      case .unknown:
        let branch = yes.evaluate(typing, value)
        return branch == no.evaluate(typing, value) ? branch : outcome
      }
    }
  }

  private static func join(
    _ left: Condition, _ right: Condition, decisive: Outcome, _ typing: Typing,
    _ value: (String) -> Double?
  ) -> Outcome {
    let a = left.evaluate(typing, value)
    // The right side of a closure is computed only where the left one does not decide.
    if case .refused = a { return a }
    if a == decisive { return a }
    let b = right.evaluate(typing, value)
    if b == decisive { return b }
    switch (a, b) {
    case (.unknown, _): return a
    case (_, .unknown), (_, .refused): return b
    case (.undefined, _), (_, .undefined): return .undefined
    default: return decisive.negated
    }
  }

  /// The number of nodes of the condition.
  var size: Int {
    switch self {
    case .constant: 1
    case .comparison(let comparison): 1 + comparison.left.size + comparison.right.size
    case .not(let operand): 1 + operand.size
    case .and(let left, let right), .or(let left, let right): 1 + left.size + right.size
    // As large as what is written for it.
    case .computing(let definition, let rest): 3 + definition.size + rest.size
    case .conditional(let condition, let yes, let no): 1 + condition.size + yes.size + no.size
    }
  }

  var variables: Set<String> {
    switch self {
    case .constant: []
    case .comparison(let comparison):
      comparison.left.variables.union(comparison.right.variables)
    case .not(let operand): operand.variables
    case .and(let left, let right), .or(let left, let right), .computing(let left, let right):
      left.variables.union(right.variables)
    case .conditional(let condition, let yes, let no):
      condition.variables.union(yes.variables).union(no.variables)
    }
  }
}

struct Comparison: Hashable, Sendable {
  enum Operator: String, Hashable, Sendable {
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case equal = "=="
    case unequal = "!="

    var negated: Operator {
      switch self {
      case .less: .atLeast
      case .atMost: .greater
      case .greater: .atMost
      case .atLeast: .less
      case .equal: .unequal
      case .unequal: .equal
      }
    }

    func holds<Number: Comparable>(_ a: Number, _ b: Number) -> Bool {
      switch self {
      case .less: a < b
      case .atMost: a <= b
      case .greater: a > b
      case .atLeast: a >= b
      case .equal: a == b
      case .unequal: a != b
      }
    }
  }

  var left: Arithmetic
  var op: Operator
  var right: Arithmetic

  func evaluate(_ typing: Typing, _ value: (String) -> Double?) -> Condition.Outcome {
    guard typing == .real else { return evaluateTyped(value) }
    return switch (left.evaluate(value), right.evaluate(value)) {
    case (.unknown(let name), _), (_, .unknown(let name)): .unknown(name)
    case (.value(let a), .value(let b)): op.holds(a, b) ? .yes : .no
    default: .undefined
    }
  }

  private func evaluateTyped(_ value: (String) -> Double?) -> Condition.Outcome {
    switch (left.typedValue(value), right.typedValue(value)) {
    case (.refused(let reason), _), (_, .refused(let reason)): .refused(reason)
    case (.unknown(let name), _), (_, .unknown(let name)): .unknown(name)
    case (.value(let a), .value(let b)): a.holds(op, b) ? .yes : .no
    }
  }
}

extension Condition: CustomStringConvertible {
  /// The condition as a text that parses to the same again, with no more parentheses than needed.
  var description: String { text(within: 0, typing: .real) }

  /// Returns the text, in parentheses if `strength` is above that of the operator: 0 for a conditional, 1 for or, 2 for
  /// and, 3 for the rest.
  func text(within strength: Int, typing: Typing) -> String {
    func part(_ condition: Condition, _ strength: Int) -> String {
      condition.text(within: strength, typing: typing)
    }
    let (own, text): (Int, String) =
      switch self {
      case .constant(let truth): (4, truth ? "true" : "false")
      case .comparison(let comparison): (3, comparison.text(typing))
      case .not(let operand): (4, "!\(part(operand, 4))")
      case .and(let left, let right): (2, "\(part(left, 2)) && \(part(right, 3))")
      case .or(let left, let right): (1, "\(part(left, 1)) || \(part(right, 2))")
      case .computing(let definition, let rest):
        (2, "(\(part(definition, 1)) || true) && \(part(rest, 3))")
      case .conditional(let condition, let yes, let no):
        (0, "\(part(condition, 1)) ? \(part(yes, 1)) : \(part(no, 0))")
      }
    return own < strength ? "(\(text))" : text
  }
}

extension Comparison {
  func text(_ typing: Typing) -> String {
    // A side that is a conditional needs parentheses, a sum does not.
    "\(left.text(within: 1, typing: typing)) \(op.rawValue) \(right.text(within: 1, typing: typing))"
  }
}
