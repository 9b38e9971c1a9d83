// Functions of numbers, and values that a condition chooses.

extension Parser {
  /// `min(a, b)`; one argument for `abs` and `sqrt`, two or more for `min` and `max`.
  mutating func call(_ function: Arithmetic.Function) throws(PredicateError) -> Operand {
    let name = token
    index += 2
    var arguments: [Arithmetic] = []
    repeat {
      let argument = try expression()
      arguments.append(
        try number(argument, "\(function.rawValue) takes numbers, and this is a truth value"))
    } while take(",")
    guard isSymbol(")") else {
      throw error(
        .syntax, "expected ) but found \(shown(token))", hint: "it ends \(function.rawValue)(",
        at: token.range)
    }
    let range = name.range.lowerBound..<token.range.upperBound
    index += 1
    let takesMany = function == .minimum || function == .maximum
    guard takesMany ? arguments.count > 1 : arguments.count == 1 else {
      throw error(
        .type, "\(function.rawValue) takes \(takesMany ? "two numbers or more" : "one number")",
        at: range)
    }
    if takesMany { try checkShared(arguments, at: range) }
    if function == .squareRoot {
      try checkRoot(arguments[0], at: range)
      arguments = [try ofDouble(arguments[0], at: range)]
    }
    let value = Arithmetic.call(function, try unified(arguments, at: range))
    try checkTyped(value, at: range)
    return try checked(.number(value), range)
  }

  /// The argument of `sqrt`, which is `Double`: Swift converts literals only, C anything.
  private func ofDouble(
    _ argument: Arithmetic, at range: Range<Int>
  ) throws(PredicateError) -> Arithmetic {
    try defined(argument, as: typing == .c ? NumberType.named("double") : .double, at: range)
  }

  /// `condition ? a : b`, from behind the question mark.
  mutating func ternary(_ condition: Operand) throws(PredicateError) -> Operand {
    let test = try truth(condition, "? needs a truth value before it, and this is a number")
    let yes = try expression()
    guard take(":") else {
      throw error(
        .syntax, "expected : but found \(shown(token))", hint: "write a ? b : c", at: token.range)
    }
    let no = try expression()
    return try chosen(
      test, yes, no, condition.range.lowerBound..<no.range.upperBound, unifies: true)
  }

  /// `if condition { a } else { b }` as a value.
  mutating func ifExpression() throws(PredicateError) -> Operand {
    let start = token.range.lowerBound
    if typing == .swift, index != expressionStart {
      throw error(
        .syntax, "Swift takes if as a value only behind = or return",
        hint: "write condition ? a : b", at: token.range)
    }
    return try deeper { parser throws(PredicateError) in
      parser.index += 1
      let condition = try parser.expression()
      let test = try parser.truth(condition, "if needs a truth value, and this is a number")
      let yes = try parser.branch()
      guard parser.isName("else") else {
        throw parser.error(
          .syntax, "expected else but found \(parser.shown(parser.token))",
          hint: "a value is needed in either case", at: parser.token.range)
      }
      parser.index += 1
      parser.expressionStart = parser.index
      let no = try parser.isName("if") ? parser.ifExpression() : parser.branch()
      return try parser.chosen(test, yes, no, start..<no.range.upperBound, unifies: false)
    }
  }

  /// `{ a }`.
  private mutating func branch() throws(PredicateError) -> Operand {
    let brace = token
    guard take("{") else {
      throw error(
        .syntax, "expected { but found \(shown(token))",
        hint: "write if condition { a } else { b }",
        at: token.range)
    }
    expressionStart = index
    var value = try expression()
    guard isSymbol("}") else {
      throw token.kind == .end
        ? error(.syntax, "the { is never closed", hint: "end with }", at: brace.range) : leftOver()
    }
    value.range = brace.range.lowerBound..<token.range.upperBound
    index += 1
    return value
  }

  /// The value that a condition chooses. `unifies` says that both branches take one type together, as with `?`; those of
  /// Swift's `if` have their types each by itself.
  func chosen(
    _ condition: Condition, _ yes: Operand, _ no: Operand, _ range: Range<Int>, unifies: Bool
  ) throws(PredicateError) -> Operand {
    switch (yes.value, no.value) {
    case (.truth(let a), .truth(let b)):
      return try checked(.truth(.conditional(condition, a, b)), range)
    case (.number(let a), .number(let b)):
      try checkShared([a, b], at: range)
      let types = [a.staticType, b.staticType]
      if typing == .swift, !unifies, types.contains(.fractionLiteral),
        types.contains(.wholeLiteral),
        definedType == nil
      {
        throw error(
          .type, "Swift does not mix Int and Double", hint: "write both with a point", at: range)
      }
      let branches = try unified([a, b], at: range)
      return try checked(.number(.conditional(condition, branches[0], branches[1])), range)
    default:
      throw error(
        .type, "one branch is a number, and the other a truth value",
        hint: "both must be of one kind", at: range)
    }
  }
}
