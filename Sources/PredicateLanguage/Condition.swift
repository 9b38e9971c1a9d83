// Truth values computed from comparisons, in a logic with values for "unknown" and "undefined".

/// A truth expression, type checked by construction.
indirect enum Condition: Hashable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(Condition)
  case and(Condition, Condition)
  case or(Condition, Condition)

  /// `false && x` is no whatever x is, and `true || x` is yes, in either order. Otherwise unknown takes precedence over
  /// undefined, because an unknown value may turn out either way.
  enum Outcome: Hashable, Sendable {
    case yes
    case no
    /// A side has no value (division by zero): holds neither plain nor negated.
    case undefined
    case unknown(String)

    var negated: Outcome {
      switch self {
      case .yes: .no
      case .no: .yes
      case .undefined, .unknown: self
      }
    }
  }

  func evaluate(_ value: (String) -> Double?) -> Outcome {
    switch self {
    case .constant(let truth): truth ? .yes : .no
    case .comparison(let comparison): comparison.evaluate(value)
    case .not(let operand): operand.evaluate(value).negated
    case .and(let left, let right):
      Self.join(left.evaluate(value), right.evaluate(value), decisive: .no)
    case .or(let left, let right):
      Self.join(left.evaluate(value), right.evaluate(value), decisive: .yes)
    }
  }

  private static func join(_ a: Outcome, _ b: Outcome, decisive: Outcome) -> Outcome {
    if a == decisive || b == decisive { return decisive }
    switch (a, b) {
    case (.unknown, _): return a
    case (_, .unknown): return b
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
    }
  }

  var variables: Set<String> {
    switch self {
    case .constant: []
    case .comparison(let comparison):
      comparison.left.variables.union(comparison.right.variables)
    case .not(let operand): operand.variables
    case .and(let left, let right), .or(let left, let right):
      left.variables.union(right.variables)
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

    func holds(_ a: Double, _ b: Double) -> Bool {
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

  func evaluate(_ value: (String) -> Double?) -> Condition.Outcome {
    switch (left.evaluate(value), right.evaluate(value)) {
    case (.unknown(let name), _), (_, .unknown(let name)): .unknown(name)
    case (.undefined, _), (_, .undefined): .undefined
    case (.value(let a), .value(let b)): op.holds(a, b) ? .yes : .no
    }
  }
}

extension Condition: CustomStringConvertible {
  /// The condition as a text that parses to the same again, with no more parentheses than needed.
  var description: String { text(within: 0) }

  /// Returns the text, in parentheses if `strength` is above that of the operator: 1 for or, 2 for and, 3 for the rest.
  private func text(within strength: Int) -> String {
    switch self {
    case .constant(let truth): return truth ? "true" : "false"
    case .comparison(let comparison):
      let text = "\(comparison.left) \(comparison.op.rawValue) \(comparison.right)"
      return strength > 3 ? "(\(text))" : text
    case .not(let operand): return "!\(operand.text(within: 4))"
    case .and(let left, let right):
      let text = "\(left.text(within: 2)) && \(right.text(within: 3))"
      return strength > 2 ? "(\(text))" : text
    case .or(let left, let right):
      let text = "\(left.text(within: 1)) || \(right.text(within: 2))"
      return strength > 1 ? "(\(text))" : text
    }
  }
}
