// The code around the expression in an app: definitions before it, `return`, the closure or block that contains it. All of
// it may be pasted unchanged.

extension Parser {
  /// The whole text: the value that it comes to.
  mutating func program() throws(PredicateError) -> Operand {
    guard tokens.count > 1 else {
      throw error(
        .empty, "the text is empty", hint: "write a condition, as in totalBytes > 100 MB",
        at: 0..<0)
    }
    let brace = try closureHeader()
    let body = try statements()
    if let brace { try closureEnd(of: brace) }
    guard token.kind == .end else { throw leftOver() }
    guard let result = try value(of: body[...], or: nil) else {
      throw error(
        .syntax, "a value is missing at the end",
        hint: "each way through the closure must return one", at: token.range)
    }
    return result
  }

  // MARK: Closures

  /// Steps over `{ totalBytes, usedBytes in` or `^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {`, with all that
  /// stands before it where the text assigns it to `shouldCompactOnLaunch`. The brace, or nil where there is none.
  private mutating func closureHeader() throws(PredicateError) -> Token? {
    if let named = tokens.firstIndex(where: { $0.kind == .name("shouldCompactOnLaunch") }) {
      let begins: [Token.Kind] = [.symbol("{"), .symbol("^")]
      guard let begin = tokens[named...].firstIndex(where: { begins.contains($0.kind) }) else {
        throw error(
          .syntax, "expected the closure of shouldCompactOnLaunch",
          hint: "write { totalBytes, usedBytes in … }", at: tokens[named].range)
      }
      index = begin
    }
    if take("^") { try blockParameters() }
    let brace = token
    guard take("{") else { return nil }
    try swiftParameters()
    return brace
  }

  /// `BOOL(NSUInteger totalBytes, NSUInteger usedBytes)`, either part of which may be missing.
  private mutating func blockParameters() throws(PredicateError) {
    let begin = index
    while token.kind != .end, !isSymbol("{") { index += 1 }
    guard token.kind != .end else {
      throw error(.syntax, "the block has no {", at: tokens[begin - 1].range)
    }
    try checkParameters(tokens[begin..<index])
  }

  /// `totalBytes, usedBytes in`, `(totalBytes: Int, usedBytes: Int) -> Bool in`, or nothing.
  private mutating func swiftParameters() throws(PredicateError) {
    var end = index
    while Self.isPartOfParameters(tokens[end].kind) { end += 1 }
    guard tokens[end].kind == .name("in") else { return }
    try checkParameters(tokens[index..<end])
    index = end + 1
  }

  private static func isPartOfParameters(_ kind: Token.Kind) -> Bool {
    switch kind {
    case .name(let name): !["in", "let", "var", "return"].contains(name)
    case .symbol(let symbol): [",", "(", ")", ":", "->"].contains(symbol)
    case .number, .end: false
    }
  }

  /// Throws if a parameter does not have the name of a variable, because another name could stand for any of them.
  private func checkParameters(_ header: ArraySlice<Token>) throws(PredicateError) {
    guard let variables else { return }
    for token in header {
      guard case .name(let name) = token.kind, NumberType.named(name) == nil,
        !["Bool", "BOOL", "bool", "_", "const"].contains(name), !variables.contains(name)
      else { continue }
      let near = nearest(to: name, in: variables).map { "did you mean \"\($0)\"?" }
      throw error(
        .unknownName, "the closure's parameter \"\(abbreviated(name))\" is no variable",
        hint: near ?? "name the parameters totalBytes, usedBytes", at: token.range)
    }
  }

  private mutating func closureEnd(of brace: Token) throws(PredicateError) {
    guard take("}") else {
      if token.kind != .end { throw leftOver() }
      throw error(.syntax, "the { is never closed", hint: "end with }", at: brace.range)
    }
    while take(")") || take(";") {}
  }

  // MARK: Definitions

  /// Reads `let name = …`, `let name: Int = …` or `NSUInteger name = …` and returns the value; nil where there is none.
  mutating func definition() throws(PredicateError) -> Operand.Value? {
    let begin = index
    guard try definitionKeyword() else { return nil }
    var type = NumberType.joined(
      tokens[begin..<index].compactMap { token in
        if case .name(let name) = token.kind { NumberType.named(name) } else { nil }
      })
    let range = token.range
    guard case .name(let name) = token.kind, !reservedWords.contains(name) else {
      throw error(.syntax, "expected a name to define but found \(shown(token))", at: range)
    }
    if definitions[name] != nil || variables?.contains(name) == true {
      let what = definitions[name] == nil ? "a variable" : "defined"
      throw error(
        .syntax, "\"\(abbreviated(name))\" is already \(what)", hint: "choose another name",
        at: range)
    }
    index += 1
    if take(":"), token.kind != .end {
      if case .name(let name) = token.kind { type = typing.type(named: name) }
      index += 1
    }
    guard take("=") else {
      throw error(
        .syntax, "expected = after \"\(abbreviated(name))\" but found \(shown(token))",
        at: token.range)
    }
    (expressionStart, definedType) = (index, type)
    defer { definedType = nil }
    let operand = try expression()
    var defined = operand.value
    if case .number(let value) = defined {
      let value = try self.defined(value, as: type, at: operand.range)
      try checkTyped(value, at: operand.range)
      defined = .number(value)
    }
    definitions[name] = defined
    guard token.startsLine || token.kind == .end || isSymbol(";") else { throw leftOver() }
    return defined
  }

  /// Steps over `let`, `const double`, `NSUInteger` before the name that is defined.
  private mutating func definitionKeyword() throws(PredicateError) -> Bool {
    var at = index
    while case .name(let name) = tokens[at].kind, Self.beginsDefinition(name) { at += 1 }
    if at > index {
      // `Double(x) > 1` begins with a type and defines nothing.
      if tokens[at].kind == .symbol("("), !isName("let"), !isName("var") { return false }
      index = at
      return true
    }
    if case .name(let name) = token.kind, next.kind == .symbol("=") {
      let isKnown = variables?.contains(name) == true || definitions[name] != nil
      throw error(
        .syntax, isKnown ? "= compares nothing" : "a definition begins with let",
        hint: isKnown ? "compare with ==" : "write let \(abbreviated(name)) = …", at: next.range)
    }
    return false
  }

  private static func beginsDefinition(_ name: String) -> Bool {
    ["let", "var", "val", "const", "BOOL", "bool", "Bool"].contains(name)
      || NumberType.named(name) != nil
  }

  // MARK: What should not be there

  func leftOver() -> PredicateError {
    let hint: String? =
      switch token.kind {
      case .symbol("="): "compare with =="
      case .symbol("&"): "and is &&"
      case .symbol("|"): "or is ||"
      case .symbol("."): "members such as .count are not known here"
      case .symbol("%"): "% follows a number, as in 50 %; there is no remainder"
      case .symbol(")"): "no ( is open here"
      case .symbol("}"): "no { is open here"
      case .symbol("!"): "unequal is !="
      case .name("else"): "else belongs to an if"
      case .symbol("?"): "write condition ? a : b"
      case .name("let"), .name("var"): "definitions come before the condition"
      case .name, .number: "an operator such as && or > is missing before it"
      default: nil
      }
    return error(.syntax, "unexpected \(shown(token))", hint: hint, at: token.range)
  }
}
