// Numbers computed from variables. As real numbers they divide without loss; what has no value is undefined, never a trap.

/// An arithmetic expression, type checked by construction.
indirect enum Arithmetic: Hashable, Sendable {
  case number(Literal)
  case variable(String)
  case negated(Arithmetic)
  /// `Double(x)`; as a real number the value without its fraction, where the type is whole.
  case converted(NumberType, Arithmetic)
  /// A conversion to which C comes by itself. It is not written, and changes no real number.
  case promoted(NumberType, Arithmetic)
  case binary(Operator, Arithmetic, Arithmetic)
  /// At least one argument.
  case call(Function, [Arithmetic])
  case conditional(Condition, Arithmetic, Arithmetic)

  enum Operator: String, Hashable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
  }

  enum Function: String, Hashable, Sendable, CaseIterable {
    case minimum = "min"
    case maximum = "max"
    case absolute = "abs"
    case squareRoot = "sqrt"

    /// The function of this name, or of that of C.
    static func named(_ name: String) -> Function? {
      switch name {
      case "MIN", "fmin": .minimum
      case "MAX", "fmax": .maximum
      case "ABS", "fabs", "labs", "llabs": .absolute
      default: Function(rawValue: name)
      }
    }
  }

  enum Result: Hashable, Sendable {
    case value(Double)
    /// Division by zero, or a result that is no number.
    case undefined
    /// The variable that has no value.
    case unknown(String)
    /// An app would end here, for this reason: computed by the rules of Swift or C only.
    case refused(String)
  }

  /// Returns the value by the rules of `typing`.
  func evaluate(_ typing: Typing, _ value: (String) -> Double?) -> Result {
    guard typing != .real else { return evaluate(value) }
    return switch typedValue(value) {
    case .value(let number): .value(number.value)
    case .unknown(let name): .unknown(name)
    case .refused(let reason): .refused(reason)
    }
  }

  /// Returns the value as a real number.
  func evaluate(_ value: (String) -> Double?) -> Result {
    switch self {
    case .number(let literal): return .value(literal.value)
    case .variable(let name): return value(name).map(Self.checked) ?? .unknown(name)
    case .negated(let operand): return operand.evaluate(value).map { .value(-$0) }
    case .converted(let type, let operand):
      return operand.evaluate(value).map { .value(type.isWhole ? $0.rounded(.towardZero) : $0) }
    case .promoted(_, let operand): return operand.evaluate(value)
    case .binary(let op, let left, let right):
      return Self.join([left.evaluate(value), right.evaluate(value)]) {
        Self.apply(op, $0[0], $0[1])
      }
    case .call(let function, let arguments):
      return Self.join(arguments.map { $0.evaluate(value) }) { Self.apply(function, $0) }
    case .conditional(let condition, let yes, let no):
      switch condition.evaluate(.real, value) {
      case .yes: return yes.evaluate(value)
      case .no: return no.evaluate(value)
      case .undefined, .refused: return .undefined
      case .unknown(let name):
        let (a, b) = (yes.evaluate(value), no.evaluate(value))
        return a == b ? a : .unknown(name)
      }
    }
  }

  /// The first operand that is not known matters most, then one without a value.
  private static func join(_ operands: [Result], _ apply: ([Double]) -> Result) -> Result {
    var values: [Double] = []
    var isUndefined = false
    for operand in operands {
      switch operand {
      case .unknown: return operand
      case .undefined, .refused: isUndefined = true
      case .value(let value): values.append(value)
      }
    }
    return isUndefined ? .undefined : apply(values)
  }

  private static func apply(_ op: Operator, _ a: Double, _ b: Double) -> Result {
    switch op {
    case .plus: checked(a + b)
    case .minus: checked(a - b)
    case .times: checked(a * b)
    case .over: b == 0 ? .undefined : checked(a / b)
    }
  }

  private static func apply(_ function: Function, _ arguments: [Double]) -> Result {
    let first = arguments[0]
    return switch function {
    case .minimum: .value(arguments.dropFirst().reduce(first) { min($0, $1) })
    case .maximum: .value(arguments.dropFirst().reduce(first) { max($0, $1) })
    case .absolute: .value(abs(first))
    case .squareRoot: first < 0 ? .undefined : .value(first.squareRoot())
    }
  }

  private static func checked(_ value: Double) -> Result {
    value.isNaN ? .undefined : .value(value)
  }

  /// The expressions of which this one is made directly, and its condition.
  var parts: (numbers: [Arithmetic], condition: Condition?) {
    switch self {
    case .number, .variable: ([], nil)
    case .negated(let operand), .converted(_, let operand), .promoted(_, let operand):
      ([operand], nil)
    case .binary(_, let left, let right): ([left, right], nil)
    case .call(_, let arguments): (arguments, nil)
    case .conditional(let condition, let yes, let no): ([yes, no], condition)
    }
  }

  /// The number of nodes of the expression.
  var size: Int {
    let parts = parts
    return parts.numbers.reduce(1 + (parts.condition?.size ?? 0)) { $0 + $1.size }
  }

  var isConstant: Bool { variables.isEmpty }

  var variables: Set<String> {
    if case .variable(let name) = self { return [name] }
    let parts = parts
    return parts.numbers.reduce(parts.condition?.variables ?? []) { $0.union($1.variables) }
  }

  /// Returns the dimension of the value, given that of each variable.
  func dimension(of variable: (String) -> Dimension) -> Dimension {
    switch self {
    case .number(let literal): return literal.dimension
    case .variable(let name): return variable(name)
    case .negated(let operand), .converted(_, let operand), .promoted(_, let operand):
      return operand.dimension(of: variable)
    case .binary(let op, let left, let right):
      let (a, b) = (left.dimension(of: variable), right.dimension(of: variable))
      return switch op {
      case .plus, .minus: a.added(to: b)
      case .times: a * b
      case .over: a / b
      }
    case .call(.squareRoot, let arguments):
      return arguments[0].dimension(of: variable).squareRoot ?? .plain
    case .call(_, let operands): return Self.shared(operands, variable)
    case .conditional(_, let yes, let no): return Self.shared([yes, no], variable)
    }
  }

  private static func shared(
    _ operands: [Arithmetic], _ variable: (String) -> Dimension
  ) -> Dimension {
    operands.reduce(.plain) { $0.added(to: $1.dimension(of: variable)) }
  }
}

extension Arithmetic.Result {
  fileprivate func map(_ transform: (Double) -> Self) -> Self {
    if case .value(let value) = self { transform(value) } else { self }
  }
}

extension Arithmetic: CustomStringConvertible {
  /// The expression as a text that parses to the same again, with no more parentheses than needed; a conversion that changes
  /// no real number is left out.
  var description: String { text(within: 0, typing: .real) }

  /// Binding strength: conditionals 0, sums 1, products 2, the rest 3.
  func text(within strength: Int, typing: Typing) -> String {
    switch self {
    case .number(let literal): return literal.text(typing)
    case .variable(let name): return name
    case .negated(let operand): return "-\(operand.text(within: 3, typing: typing))"
    case .promoted(_, let operand): return operand.text(within: strength, typing: typing)
    case .converted(let type, let operand):
      switch typing {
      case .real where !type.isWhole: return operand.text(within: strength, typing: typing)
      case .real: return "Int(\(operand.text(within: 0, typing: typing)))"
      case .swift: return "\(type.name)(\(operand.text(within: 0, typing: typing)))"
      case .c: return "(\(type.name))\(operand.text(within: 3, typing: typing))"
      case .kotlin:
        // Before a point a sign would bind looser than it is meant.
        let text = operand.text(within: 3, typing: typing)
        return (text.hasPrefix("-") ? "(\(text))" : text) + ".to\(type.name)()"
      }
    case .binary(let op, let left, let right):
      let own = op == .plus || op == .minus ? 1 : 2
      let text =
        "\(left.text(within: own, typing: typing)) \(op.rawValue) "
        + right.text(within: own + 1, typing: typing)
      return own < strength ? "(\(text))" : text
    case .call(let function, let arguments):
      let texts = arguments.map { $0.text(within: 0, typing: typing) }
      return "\(function.rawValue)(\(texts.joined(separator: ", ")))"
    case .conditional(let condition, let yes, let no):
      let text =
        "\(condition.text(within: 1, typing: typing)) ? \(yes.text(within: 1, typing: typing)) : "
        + no.text(within: 0, typing: typing)
      return strength > 0 ? "(\(text))" : text
    }
  }
}
