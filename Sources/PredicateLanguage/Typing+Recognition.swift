// By which rules a text computes: a closure or block that is pasted from an app by those of its language.

extension Typing {
  /// Words that a condition has only in a closure.
  private static let statements: Set<String> = [
    "let", "var", "return", "guard", "shouldCompactOnLaunch",
  ]

  /// Returns the rules for a text. Units, `and`, `or`, `not`, and signs such as `≤` are in no app's code, and a bare `const`
  /// is JavaScript's, whose numbers are real: a text with one of them is computed with real numbers.
  static func of(_ tokens: [Token], _ text: [Character]) -> Typing {
    guard isClosure(tokens), !tokens.contains(where: { isOfConditions($0, text) }) else {
      return .real
    }
    if isOfC(tokens) { return .c }
    return tokens.contains { $0.kind == .name("const") } ? .real : .swift
  }

  private static func isClosure(_ tokens: [Token]) -> Bool {
    if [.symbol("{"), .symbol("^")].contains(tokens[0].kind) { return true }
    return tokens.contains {
      if case .name(let name) = $0.kind { statements.contains(name) } else { false }
    } || definesByType(tokens)
  }

  private static func isOfConditions(_ token: Token, _ text: [Character]) -> Bool {
    switch token.kind {
    case .number(let literal): literal.dimension != .plain
    case .name(let name): ["and", "or", "not"].contains(name)
    case .symbol: !text[token.range.lowerBound].isASCII
    case .end: false
    }
  }

  static func isOfC(_ tokens: [Token]) -> Bool {
    if definesByType(tokens) { return true }
    return tokens.indices.contains { index in
      switch tokens[index].kind {
      case .symbol(let symbol): symbol == "^"
      case .number(let literal): !literal.suffix.isEmpty
      case .name(let name):
        ["YES", "NO", "BOOL", "MIN", "MAX", "ABS"].contains(name)
          || (NumberType.isOfC(name) && index > 0 && tokens[index - 1].kind == .symbol("("))
      case .end: false
      }
    }
  }

  /// Whether there is `NSUInteger name =`.
  private static func definesByType(_ tokens: [Token]) -> Bool {
    tokens.indices.dropLast(2).contains { index in
      guard case .name(let type) = tokens[index].kind, case .name = tokens[index + 1].kind
      else { return false }
      return (NumberType.named(type) != nil || ["BOOL", "bool"].contains(type))
        && tokens[index + 2].kind == .symbol("=")
    }
  }
}
