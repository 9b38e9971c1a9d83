// Statements that choose what a closure returns: `if`, `else`, `guard`. They become values that a condition chooses, since no
// definition changes.

/// A statement behind the definitions of a block.
enum Statement {
  case result(Parser.Operand)
  case branch(Condition, [Statement], [Statement], Range<Int>)
  /// A definition that may end the app before what follows it is computed.
  case definition(Condition)
}

extension Parser.Operand.Value {
  /// A condition that computes the value.
  fileprivate var condition: Condition {
    switch self {
    case .truth(let condition): condition
    case .number(let number): .comparison(Comparison(left: number, op: .equal, right: number))
    }
  }
}

extension Parser {
  /// More than people write, and little enough for the stack.
  private static let blockLimit = 20

  /// Reads statements up to the end of the block or text.
  mutating func statements() throws(PredicateError) -> [Statement] {
    var statements: [Statement] = []
    while true {
      while take(";") {}
      if case .result = statements.last {
        guard token.kind == .end || isSymbol("}") else { throw leftOver() }
        return statements
      }
      while let defined = try definition() {
        if typing != .real, defined.condition.mayEndApp {
          statements.append(.definition(defined.condition))
        }
        while take(";") {}
      }
      guard token.kind != .end || statements.isEmpty, !isSymbol("}") else { return statements }
      statements.append(try statement())
    }
  }

  private mutating func statement() throws(PredicateError) -> Statement {
    if isName("if"), beginsBranches { return try branches() }
    if isName("guard") { return try guardStatement() }
    if isName("return") { index += 1 }
    expressionStart = index
    return .result(try expression())
  }

  /// Whether the `if` at this point leads to statements and not to a value.
  private var beginsBranches: Bool {
    guard let open = tokens[index...].firstIndex(where: { $0.kind == .symbol("{") }) else {
      return true
    }
    if tokens[index..<open].contains(where: { $0.kind == .name("return") }) { return true }
    var depth = 0
    for at in tokens[open...].indices {
      switch tokens[at].kind {
      case .symbol("{"): depth += 1
      case .symbol("}"): depth -= 1
      case .name(let name) where ["return", "let", "var", "guard"].contains(name): return true
      default: break
      }
      let follows = tokens[min(at + 1, tokens.count - 1)].kind
      if depth == 0, follows != .name("else"), tokens[at].kind == .symbol("}") { return false }
    }
    return false
  }

  private mutating func branches() throws(PredicateError) -> Statement {
    let start = token.range.lowerBound
    index += 1
    let condition = try expression()
    let test = try truth(condition, "if needs a truth value, and this is a number")
    let yes = try block()
    var no: [Statement] = []
    if isName("else") {
      index += 1
      no =
        try isName("if")
        ? nested { parser throws(PredicateError) in [try parser.branches()] } : block()
    }
    return .branch(test, yes, no, start..<condition.range.upperBound)
  }

  /// `guard condition else { … }`.
  private mutating func guardStatement() throws(PredicateError) -> Statement {
    let start = token.range
    index += 1
    let condition = try expression()
    let test = try truth(condition, "guard needs a truth value, and this is a number")
    guard isName("else") else {
      throw error(.syntax, "expected else but found \(shown(token))", at: token.range)
    }
    index += 1
    let otherwise = try block()
    guard Self.returns(otherwise) else {
      throw error(.syntax, "guard must return in its else", hint: "write return", at: start)
    }
    return .branch(.not(test), otherwise, [], start.lowerBound..<condition.range.upperBound)
  }

  private static func returns(_ statements: [Statement]) -> Bool {
    switch statements.last {
    case .result: true
    case .branch(_, let yes, let no, _): returns(yes) && returns(no)
    case .definition, nil: false
    }
  }

  /// `{ … }`, or one statement as C has it. What is defined inside ends with it.
  private mutating func block() throws(PredicateError) -> [Statement] {
    let outer = definitions
    defer { definitions = outer }
    return try nested { parser throws(PredicateError) in
      let brace = parser.token
      guard parser.take("{") else {
        guard parser.typing != .swift else {
          throw parser.error(
            .syntax, "expected { but found \(parser.shown(parser.token))", at: parser.token.range)
        }
        let statement = try parser.statement()
        while parser.take(";") {}
        return [statement]
      }
      let statements = try parser.statements()
      guard parser.take("}") else {
        throw parser.error(
          .syntax, "the { is never closed", hint: "end with }", at: brace.range)
      }
      return statements
    }
  }

  private mutating func nested<T>(
    _ body: (inout Parser) throws(PredicateError) -> T
  ) throws(PredicateError) -> T {
    guard blockDepth < Self.blockLimit else {
      throw error(
        .tooLarge, "blocks are nested more than \(Self.blockLimit) deep", at: token.range)
    }
    blockDepth += 1
    defer { blockDepth -= 1 }
    return try body(&self)
  }

  /// The value that the statements return, and `rest` where they end without; nil where there is none.
  func value(
    of statements: ArraySlice<Statement>, or rest: Operand?
  ) throws(PredicateError) -> Operand? {
    guard let first = statements.first else { return rest }
    let rest = try value(of: statements.dropFirst(), or: rest)
    switch first {
    case .result(let operand): return operand
    case .definition(let definition):
      guard var result = rest, case .truth(let truth) = result.value else { return rest }
      result.value = .truth(.computing(definition, truth))
      return try checked(result.value, result.range)
    case .branch(let condition, let yes, let no, let range):
      guard let a = try value(of: yes[...], or: rest), let b = try value(of: no[...], or: rest)
      else {
        throw error(
          .syntax, "a value is missing where this does not return",
          hint: "each way through the closure must return one", at: range)
      }
      return try chosen(condition, a, b, range, unifies: true)
    }
  }
}
