// Values: numbers, names, conversions, parentheses; and the message where there is none.

/// Words of the language, which no definition may take.
let reservedWords: Set<String> = [
  "and", "or", "not", "true", "false", "YES", "NO", "let", "var", "val", "const", "return", "in",
  "if", "else", "guard",
]

extension Parser {
  /// The type in `(unsigned long)` at this point, and the token behind it; nil where there is no cast.
  func castType() -> (type: NumberType, end: Int)? {
    var at = index + 1
    var types: [NumberType] = []
    while at < tokens.count, case .name(let name) = tokens[at].kind,
      let named = NumberType.named(name)
    {
      types.append(named)
      at += 1
    }
    guard let type = NumberType.joined(types), at + 1 < tokens.count,
      tokens[at].kind == .symbol(")")
    else { return nil }
    return (type, at + 1)
  }

  /// A value, in Kotlin with its conversions: `usedBytes.toDouble()`.
  mutating func value() throws(PredicateError) -> Operand {
    var operand = try primary()
    while typing == .kotlin, let type = postfixConversion {
      operand = try converted(
        operand, type, operand.range.lowerBound..<tokens[index + 3].range.upperBound)
      index += 4
    }
    return operand
  }

  /// The type of `.toDouble()` at this point; nil where there is no conversion.
  private var postfixConversion: NumberType? {
    guard isSymbol("."), index + 3 < tokens.count, case .name(let name) = next.kind,
      name.hasPrefix("to"), tokens[index + 2].kind == .symbol("("),
      tokens[index + 3].kind == .symbol(")")
    else { return nil }
    return NumberType.ofKotlin(String(name.dropFirst(2)))
  }

  private mutating func primary() throws(PredicateError) -> Operand {
    let here = token
    switch here.kind {
    case .number(let literal):
      index += 1
      var literal = literal
      if typing == .c { literal.type = literal.typeOfC }
      if typing == .kotlin { literal.type = literal.typeOfKotlin }
      let value = Arithmetic.number(literal)
      try checkTyped(value, at: here.range)
      return Operand(value: .number(value), range: here.range)
    case .name(let name):
      return try named(name)
    case .symbol("("):
      index += 1
      var inner = try expression()
      guard isSymbol(")") else {
        throw error(
          .syntax, "expected ) but found \(shown(token))",
          hint: "it closes the ( in column \(column(of: here))", at: token.range)
      }
      inner.range = here.range.lowerBound..<token.range.upperBound
      index += 1
      return inner
    case .symbol, .end:
      throw missingValue()
    }
  }

  private mutating func named(_ name: String) throws(PredicateError) -> Operand {
    let range = token.range
    switch name {
    case "true", "YES", "false", "NO":
      index += 1
      let isTrue = name == "true" || name == "YES"
      return Operand(value: .truth(.constant(isTrue)), range: range)
    case "if": return try ifExpression()
    case _ where reservedWords.contains(name): throw missingValue()
    default: break
    }
    if next.kind == .symbol("("), !next.startsLine { return try call(name) }
    if let value = definitions[name] {
      index += 1
      return Operand(value: value, range: range)
    }
    if let variables, !variables.contains(name) { throw unknown(name, among: variables) }
    try checkWhole(name, at: range)
    index += 1
    let variable = Arithmetic.variable(name)
    let isPromoted = typing == .c || typing == .kotlin
    let value =
      isPromoted ? typing.sizeType.map { .promoted($0, variable) } ?? variable : variable
    return Operand(value: .number(value), range: range)
  }

  private mutating func call(_ name: String) throws(PredicateError) -> Operand {
    let range = token.range
    if let function = Arithmetic.Function.named(name) { return try call(function) }
    guard typing != .kotlin, let type = NumberType.named(name) else {
      let functions = Arithmetic.Function.allCases.map { "\($0.rawValue)(…)" }
      throw error(
        .unknownName, "unknown function \"\(abbreviated(name))\"",
        hint: "there are Double(x), Int(x), \(functions.joined(separator: ", "))", at: range)
    }
    index += 1
    let operand = try value()
    return try converted(operand, type, range.lowerBound..<operand.range.upperBound)
  }

  private func unknown(_ name: String, among variables: [String]) -> PredicateError {
    if name == "Math" || name == "kotlin" {
      let functions = Arithmetic.Function.allCases.map { "\($0.rawValue)(…)" }
      return error(
        .unknownName, "this function of \(name) is not known here",
        hint: "there are \(functions.joined(separator: ", "))", at: token.range)
    }
    let known = variables + definitions.keys.sorted()
    let hint =
      if let near = nearest(to: name, in: known) {
        "did you mean \"\(near)\"?"
      } else {
        known.isEmpty
          ? "there are no variables here"
          : "there are \(known.joined(separator: ", "))"
      }
    return error(
      .unknownName, "unknown variable \"\(abbreviated(name))\"", hint: hint, at: token.range)
  }

  private func missingValue() -> PredicateError {
    guard token.kind != .end else {
      return error(.syntax, "a value is missing at the end", at: token.range)
    }
    let doubled: String? =
      switch token.kind {
      case .symbol("="): "compare with =="
      case .symbol("&"): "and is &&"
      case .symbol("|"): "or is ||"
      case .symbol("."): "write 0.5 with its zero"
      default: nil
      }
    return error(
      .syntax, "expected a value but found \(shown(token))", hint: doubled, at: token.range)
  }

  /// The token in quotes, or what the end is called.
  func shown(_ token: Token) -> String {
    token.kind == .end ? "the end" : "\"\(abbreviated(String(text[token.range])))\""
  }

  private func column(of token: Token) -> Int {
    PredicateError.Position(of: token.range, in: text).column
  }
}
