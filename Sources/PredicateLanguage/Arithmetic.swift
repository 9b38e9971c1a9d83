// Numbers computed from variables. Division is real division; what has no value is undefined, never a trap.

/// An arithmetic expression, type checked by construction.
indirect enum Arithmetic: Hashable, Sendable {
  case number(Literal)
  case variable(String)
  case negated(Arithmetic)
  /// The value without its fraction, as `Int(x)` returns it.
  case truncated(Arithmetic)
  case binary(Operator, Arithmetic, Arithmetic)

  enum Operator: String, Hashable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
  }

  enum Result: Hashable, Sendable {
    case value(Double)
    /// Division by zero, or a result that is no number.
    case undefined
    /// The variable that has no value.
    case unknown(String)
  }

  func evaluate(_ value: (String) -> Double?) -> Result {
    switch self {
    case .number(let literal): .value(literal.value)
    case .variable(let name): value(name).map(Self.checked) ?? .unknown(name)
    case .negated(let operand): operand.evaluate(value).map { -$0 }
    case .truncated(let operand): operand.evaluate(value).map { $0.rounded(.towardZero) }
    case .binary(let op, let left, let right):
      switch (left.evaluate(value), right.evaluate(value)) {
      case (.unknown(let name), _), (_, .unknown(let name)): .unknown(name)
      case (.undefined, _), (_, .undefined): .undefined
      case (.value(let a), .value(let b)): Self.apply(op, a, b)
      }
    }
  }

  private static func apply(_ op: Operator, _ a: Double, _ b: Double) -> Result {
    switch op {
    case .plus: checked(a + b)
    case .minus: checked(a - b)
    case .times: checked(a * b)
    case .over: b == 0 ? .undefined : checked(a / b)
    }
  }

  private static func checked(_ value: Double) -> Result {
    value.isNaN ? .undefined : .value(value)
  }

  /// The number of nodes of the expression.
  var size: Int {
    switch self {
    case .number, .variable: 1
    case .negated(let operand), .truncated(let operand): 1 + operand.size
    case .binary(_, let left, let right): 1 + left.size + right.size
    }
  }

  var isConstant: Bool {
    switch self {
    case .number: true
    case .variable: false
    case .negated(let operand), .truncated(let operand): operand.isConstant
    case .binary(_, let left, let right): left.isConstant && right.isConstant
    }
  }

  var variables: Set<String> {
    switch self {
    case .number: []
    case .variable(let name): [name]
    case .negated(let operand), .truncated(let operand): operand.variables
    case .binary(_, let left, let right): left.variables.union(right.variables)
    }
  }

  /// Returns the dimension of the value, given that of each variable.
  func dimension(of variable: (String) -> Dimension) -> Dimension {
    switch self {
    case .number(let literal): return literal.dimension
    case .variable(let name): return variable(name)
    case .negated(let operand), .truncated(let operand): return operand.dimension(of: variable)
    case .binary(let op, let left, let right):
      let (a, b) = (left.dimension(of: variable), right.dimension(of: variable))
      return switch op {
      case .plus, .minus: a.added(to: b)
      case .times: a * b
      case .over: a / b
      }
    }
  }
}

extension Arithmetic.Result {
  fileprivate func map(_ transform: (Double) -> Double) -> Self {
    if case .value(let value) = self { .value(transform(value)) } else { self }
  }
}

extension Arithmetic: CustomStringConvertible {
  /// The expression as a text that parses to the same again, with no more parentheses than needed.
  var description: String { text(within: 0) }

  /// Binding strength: sums 1, products 2, the rest 3.
  private func text(within strength: Int) -> String {
    switch self {
    case .number(let literal): return literal.text
    case .variable(let name): return name
    case .negated(let operand): return "-\(operand.text(within: 3))"
    case .truncated(let operand): return "Int(\(operand))"
    case .binary(let op, let left, let right):
      let own = op == .plus || op == .minus ? 1 : 2
      let text = "\(left.text(within: own)) \(op.rawValue) \(right.text(within: own + 1))"
      return own < strength ? "(\(text))" : text
    }
  }
}
