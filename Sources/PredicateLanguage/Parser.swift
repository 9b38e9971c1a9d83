// Tokens into a type-checked expression by recursive descent, loosest binding first: or, and, not, comparison, sum,
// product, sign, value. Statements around the expression (definitions, closures) are in Parser+Statements.swift.
import TextEscaping

struct Parser {
  /// A parsed expression and its range in the text, parentheses included.
  struct Operand {
    enum Value {
      case number(Arithmetic)
      case truth(Condition)
    }

    var value: Value
    var range: Range<Int>
  }

  /// More than people write, and little enough for the stack and for the time of an evaluation.
  static let depthLimit = 60
  static let sizeLimit = 500

  let text: [Character]
  let tokens: [Token]
  /// The names that may be used; nil where the text was checked before.
  let vocabulary: Vocabulary?
  /// The rules by which the text computes.
  let typing: Typing
  var index = 0
  var definitions: [String: Operand.Value] = [:]
  /// Open blocks of statements at this point.
  var blockDepth = 0
  /// The type of the definition whose value is being read.
  var definedType: NumberType?
  /// The index at which an expression begins that Swift lets be an `if`.
  var expressionStart = 0
  /// Open parentheses and signs at this point.
  var depth = 0

  /// Nil as typing stands for the rules that the text itself asks for.
  init(
    _ source: String, vocabulary: Vocabulary?, typing: Typing?
  ) throws(PredicateError) {
    text = Array(source)
    if vocabulary != nil { try Self.checkCharacters(of: text) }
    let pasted = try PastedClosure(try Tokenizer.tokens(of: text), text)
    tokens = pasted.tokens
    self.vocabulary = vocabulary
    self.typing = typing ?? pasted.typing ?? Typing.of(tokens, text)
    if let foreign = tokens.first(where: \.isForeign) {
      throw Tokenizer.unexpected(foreign, in: text)
    }
  }

  private static func checkCharacters(of text: [Character]) throws(PredicateError) {
    for (index, character) in text.enumerated() {
      guard let found = character.unicodeScalars.first(where: \.isUnprintable) else { continue }
      throw PredicateError(
        .syntax, "\(found.nameOfUnprintable) is not allowed here", hint: "remove it",
        at: index..<(index + 1), in: text)
    }
  }

  static func condition(
    in source: String, vocabulary: Vocabulary?, typing: Typing? = nil
  ) throws(PredicateError) -> (Condition, Typing) {
    var parser = try Parser(source, vocabulary: vocabulary, typing: typing)
    let program = try parser.program()
    return (
      try parser.truth(program, "a condition is needed, and this is a number"), parser.typing
    )
  }

  static func arithmetic(
    in source: String, vocabulary: Vocabulary?
  ) throws(PredicateError) -> Arithmetic {
    var parser = try Parser(source, vocabulary: vocabulary, typing: .real)
    return try parser.number(parser.program(), "a number is needed, and this is a truth value")
  }

  var variables: [String]? { vocabulary?.names }

  // MARK: Tokens

  var token: Token { tokens[index] }
  var next: Token { tokens[min(index + 1, tokens.count - 1)] }

  func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }
  func isName(_ name: String) -> Bool { token.kind == .name(name) }

  /// Steps over the current token if it is this symbol.
  mutating func take(_ symbol: String) -> Bool {
    guard isSymbol(symbol) else { return false }
    index += 1
    return true
  }

  func error(
    _ code: PredicateError.Code, _ message: String, hint: String? = nil, at range: Range<Int>
  ) -> PredicateError {
    PredicateError(code, message, hint: hint, at: range, in: text)
  }

  // MARK: Types

  func truth(_ operand: Operand, _ message: String) throws(PredicateError) -> Condition {
    switch operand.value {
    case .truth(let condition): return condition
    case .number(let arithmetic):
      if let condition = flag(arithmetic) { return condition }
      throw error(
        .type, message, hint: "compare it with something, as in totalBytes > 100 MB",
        at: operand.range)
    }
  }

  func number(_ operand: Operand, _ message: String) throws(PredicateError) -> Arithmetic {
    guard case .number(let arithmetic) = operand.value else {
      throw error(.type, message, at: operand.range)
    }
    return arithmetic
  }

  /// Returns the operand, unless it has too many parts: definitions of definitions double quickly.
  func checked(_ value: Operand.Value, _ range: Range<Int>) throws(PredicateError) -> Operand {
    let size =
      switch value {
      case .number(let arithmetic): arithmetic.size
      case .truth(let condition): condition.size
      }
    guard size <= Self.sizeLimit else {
      throw error(
        .tooLarge, "the expression is too large (more than \(Self.sizeLimit) parts)", at: range)
    }
    return Operand(value: value, range: range)
  }

  mutating func deeper<T>(
    _ body: (inout Parser) throws(PredicateError) -> T
  ) throws(PredicateError) -> T {
    guard depth < Self.depthLimit else {
      throw error(
        .tooLarge, "the expression is nested more than \(Self.depthLimit) deep", at: token.range)
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Truth values

  mutating func expression() throws(PredicateError) -> Operand {
    try deeper { parser throws(PredicateError) in
      let condition = try parser.disjunction()
      return try parser.take("?") ? parser.ternary(condition) : condition
    }
  }

  private mutating func disjunction() throws(PredicateError) -> Operand {
    var left = try conjunction()
    while isSymbol("||") || isName("or") {
      let word = try binaryWord()
      let right = try conjunction()
      let value = Condition.or(
        try truth(left, "\(word) joins truth values, and this is a number"),
        try truth(right, "\(word) joins truth values, and this is a number"))
      left = try checked(.truth(value), left.range.lowerBound..<right.range.upperBound)
    }
    return left
  }

  private mutating func conjunction() throws(PredicateError) -> Operand {
    var left = try negation()
    while isSymbol("&&") || isName("and") {
      let word = try binaryWord()
      let right = try negation()
      let value = Condition.and(
        try truth(left, "\(word) joins truth values, and this is a number"),
        try truth(right, "\(word) joins truth values, and this is a number"))
      left = try checked(.truth(value), left.range.lowerBound..<right.range.upperBound)
    }
    return left
  }

  /// The operator at this point, as written, stepping over it.
  private mutating func binaryWord() throws(PredicateError) -> String {
    let written = String(text[token.range])
    index += 1
    return written
  }

  /// `not` binds looser than a comparison, `!` tighter, each as in the languages that have it.
  private mutating func negation() throws(PredicateError) -> Operand {
    guard isName("not") else { return try comparison() }
    let start = token.range.lowerBound
    index += 1
    let operand = try deeper { parser throws(PredicateError) in try parser.negation() }
    let condition = try truth(operand, "not needs a truth value, and this is a number")
    return try checked(.truth(.not(condition)), start..<operand.range.upperBound)
  }

  private var comparisonOperator: Comparison.Operator? {
    guard case .symbol(let symbol) = token.kind else { return nil }
    return Comparison.Operator(rawValue: symbol)
  }

  private mutating func comparison() throws(PredicateError) -> Operand {
    let left = try sum()
    guard let op = comparisonOperator else { return left }
    index += 1
    let right = try sum()
    let message = "\(op.rawValue) compares numbers, and this is a truth value"
    let range = left.range.lowerBound..<right.range.upperBound
    let sides = try unified(
      [try number(left, message), try number(right, message)], at: range)
    let finished = finished(sides)
    let value = Comparison(left: finished[0], op: op, right: finished[1])
    try checkTyped(value.left, at: left.range)
    try checkTyped(value.right, at: right.range)
    if let second = comparisonOperator {
      throw error(
        .syntax, "comparisons do not chain",
        hint: "write a \(op.rawValue) b && b \(second.rawValue) c", at: token.range)
    }
    try checkDimensions(of: value, at: range)
    return try checked(.truth(.comparison(value)), range)
  }

  // MARK: Numbers

  private mutating func sum() throws(PredicateError) -> Operand {
    try chain(of: [.plus, .minus]) { parser throws(PredicateError) in try parser.product() }
  }

  private mutating func product() throws(PredicateError) -> Operand {
    try chain(of: [.times, .over]) { parser throws(PredicateError) in try parser.signed() }
  }

  private mutating func chain(
    of operators: [Arithmetic.Operator],
    _ part: (inout Parser) throws(PredicateError) -> Operand
  ) throws(PredicateError) -> Operand {
    var left = try part(&self)
    while case .symbol(let symbol) = token.kind, let op = Arithmetic.Operator(rawValue: symbol),
      operators.contains(op), !beginsStatement
    {
      index += 1
      let right = try part(&self)
      let message = "\(symbol) needs numbers, and this is a truth value"
      let (a, b) = (try number(left, message), try number(right, message))
      let range = left.range.lowerBound..<right.range.upperBound
      try check(op, a, b, at: range, divisorAt: right.range)
      let sides = try unified([a, b], at: range)
      let value = Arithmetic.binary(op, sides[0], sides[1])
      try checkTyped(value, at: range)
      left = try checked(.number(value), range)
    }
    return left
  }

  /// A sign at the start of a line with its operand right behind it begins something new, as in Swift.
  private var beginsStatement: Bool {
    depth == 1 && token.startsLine && !token.spaceFollows && (isSymbol("-") || isSymbol("+"))
  }

  private mutating func signed() throws(PredicateError) -> Operand {
    guard case .symbol(let symbol) = token.kind, ["-", "+", "!"].contains(symbol) else {
      return try castOrValue()
    }
    let start = token.range.lowerBound
    index += 1
    let operand = try deeper { parser throws(PredicateError) in try parser.signed() }
    let range = start..<operand.range.upperBound
    if symbol == "!" {
      let condition = try truth(operand, "! needs a truth value, and this is a number")
      return try checked(.truth(.not(condition)), range)
    }
    let value = try number(operand, "\(symbol) needs a number, and this is a truth value")
    return try checked(.number(symbol == "-" ? .negated(value) : value), range)
  }

  /// `(double)x`, as Objective-C writes it, or a value.
  private mutating func castOrValue() throws(PredicateError) -> Operand {
    guard isSymbol("("), let type = castType() else { return try value() }
    let start = token.range.lowerBound
    index = type.end
    let operand = try deeper { parser throws(PredicateError) in try parser.signed() }
    return try converted(operand, type.type, start..<operand.range.upperBound)
  }

  func converted(
    _ operand: Operand, _ type: NumberType, _ range: Range<Int>
  ) throws(PredicateError) -> Operand {
    let value = try number(operand, "only numbers are converted, and this is a truth value")
    guard typing == .real else {
      let result = typedConversion(value, type)
      try checkTyped(result, at: range)
      return try checked(.number(result), range)
    }
    return try checked(.number(type.isWhole ? .converted(.int, value) : value), range)
  }
}
