// Functions of Kotlin and of JavaScript, as they stand in an app: they become what the parser reads of Swift, statements in
// braces, without what stands around them.
//
//     compactOnLaunch { totalBytes, usedBytes -> … }               shouldCompact: (totalBytes, usedBytes) => …,
//     fun f(totalBytes: Long, usedBytes: Long): Boolean = …        function (totalSize, usedSize) { … }

struct PastedClosure {
  private(set) var tokens: [Token]
  /// The rules of its language; nil for a text of another.
  private(set) var typing: Typing?
  private let text: [Character]

  /// The names under which databases call the function: any text may stand around it then.
  private static let callbacks: Set<String> = [
    "shouldCompact", "shouldCompactOnLaunch", "compactOnLaunch", "ShouldCompactOnLaunch",
    "shouldCompactCallback",
  ]
  /// What languages other than Swift call the two sizes.
  private static let otherNames = ["totalSize": "totalBytes", "usedSize": "usedBytes"]
  private static let functions = ["minOf": "min", "maxOf": "max"]
  private static let typeNames: Set<String> = [
    "Long", "Int", "Double", "Boolean", "number", "boolean", "bigint",
  ]

  init(_ tokens: [Token], _ text: [Character]) throws(PredicateError) {
    (self.tokens, self.text) = (tokens, text)
    if let found = arrowFunction ?? functionStatement {
      self.tokens = try body(of: found)
      // Where numbers have types and suffixes it is C#'s, and computes as C does.
      typing = Typing.isOfC(self.tokens) ? .c : .real
    } else if let found = kotlinFunction ?? lambda {
      self.tokens = try body(of: found)
      typing = .kotlin
    } else if tokens.contains(where: { [.symbol("==="), .symbol("!==")].contains($0.kind) }) {
      typing = .real
    } else if isKotlin {
      typing = .kotlin
    }
    rewrite(isPasted: typing != nil)
  }

  /// A function in the text: its parameters, and where its statements or its expression begin.
  private struct Found {
    var start: Int
    var parameters: Range<Int>
    /// The index of the brace, or of the expression's first token.
    var body: Int
    /// Whether a lambda's body begins behind its parameters and ends with the brace before them.
    var brace: Int?
  }

  private func kind(_ index: Int) -> Token.Kind {
    tokens.indices.contains(index) ? tokens[index].kind : .end
  }

  // MARK: JavaScript

  /// `(totalBytes, usedBytes) =>`, perhaps with TypeScript's types.
  private var arrowFunction: Found? {
    guard let arrow = tokens.firstIndex(where: { $0.kind == .symbol("=>") }) else { return nil }
    var close = arrow - 1
    if kind(close - 1) == .symbol(":") { close -= 2 }
    guard kind(close) == .symbol(")"),
      let open = tokens[..<close].lastIndex(where: { $0.kind == .symbol("(") })
    else { return nil }
    return checked(Found(start: open, parameters: open + 1..<close, body: arrow + 1))
  }

  /// `function name(totalBytes, usedBytes) {`, or a method `shouldCompact(totalBytes, usedBytes) {`.
  private var functionStatement: Found? {
    for index in tokens.indices {
      guard case .name(let name) = tokens[index].kind else { continue }
      var open = index + 1
      if name == "function" {
        if case .name = kind(open) { open += 1 }
      } else if !Self.callbacks.contains(name) || kind(index - 1) == .name("fun") {
        continue
      }
      guard let found = parameterList(from: index, open: open), kind(found.body) == .symbol("{")
      else { continue }
      return checked(found)
    }
    return nil
  }

  // MARK: Kotlin

  /// `fun name(totalBytes: Long, usedBytes: Long): Boolean`, behind which `=` or `{` stands.
  private var kotlinFunction: Found? {
    guard let index = tokens.firstIndex(where: { $0.kind == .name("fun") }),
      var found = parameterList(from: index, open: index + 2)
    else { return nil }
    if kind(found.body) == .symbol("=") { found.body += 1 }
    return found
  }

  /// `{ totalBytes, usedBytes ->`; a closure of Swift has `in` behind its arrow.
  private var lambda: Found? {
    guard let arrow = tokens.firstIndex(where: { $0.kind == .symbol("->") }) else { return nil }
    var brace = arrow - 1
    while brace >= 0, kind(brace) != .symbol("{") {
      switch tokens[brace].kind {
      case .name, .symbol(","), .symbol(":"): brace -= 1
      case .number, .symbol, .end: return nil
      }
    }
    guard brace >= 0, !tokens[arrow...].contains(where: { $0.kind == .name("in") }) else {
      return nil
    }
    return checked(
      Found(start: brace, parameters: brace + 1..<arrow, body: arrow + 1, brace: brace))
  }

  /// Whether statements without a function around them are Kotlin's.
  private var isKotlin: Bool {
    tokens.indices.contains { index in
      guard case .name(let name) = tokens[index].kind else { return false }
      if name == "val" { return true }
      return ["toDouble", "toFloat", "toLong", "toInt"].contains(name)
        && kind(index - 1) == .symbol(".") && kind(index + 1) == .symbol("(")
    }
  }

  // MARK: Parts

  /// `(…)` from `open` on, perhaps with the type of the result behind it.
  private func parameterList(from start: Int, open: Int) -> Found? {
    guard kind(open) == .symbol("("),
      let close = tokens[open...].firstIndex(where: { $0.kind == .symbol(")") })
    else { return nil }
    var body = close + 1
    if kind(body) == .symbol(":") { body += 2 }
    return Found(start: start, parameters: open + 1..<close, body: body)
  }

  /// Returns the function, unless what precedes it is part of a condition, which would be lost.
  private func checked(_ found: Found) -> Found? {
    guard found.start > 0, !isNamed(before: found.start) else { return found }
    let begins: [Token.Kind] = [
      .symbol("="), .symbol(":"), .symbol("("), .symbol(","), .name("default"), .name("export"),
      .name("async"), .name("return"),
    ]
    return begins.contains(kind(found.start - 1)) ? found : nil
  }

  private func isNamed(before end: Int) -> Bool {
    tokens[..<min(end + 1, tokens.count)].contains {
      if case .name(let name) = $0.kind { Self.callbacks.contains(name) } else { false }
    }
  }

  /// Returns the statements of the function in braces, and behind them what belongs to nothing around it.
  private func body(of found: Found) throws(PredicateError) -> [Token] {
    try checkParameters(tokens[found.parameters])
    let isBlock = found.brace == nil && kind(found.body) == .symbol("{")
    let begin = min(isBlock ? found.body + 1 : found.body, tokens.count - 1)
    let end = end(from: begin, isExpression: !isBlock && found.brace == nil)
    let opening = found.brace ?? found.body
    var result = [brace("{", at: opening)] + tokens[begin..<end]
    guard end < tokens.count - 1 || isExpression(found) else { return result + [tokens.last!] }
    result.append(brace("}", at: end))
    let rest = isExpression(found) ? end : end + 1
    if !isNamed(before: found.body) {
      let closers: [Token.Kind] = [
        .symbol(")"), .symbol("}"), .symbol(";"), .symbol(","), .symbol("]"),
      ]
      result += tokens[rest..<(tokens.count - 1)].drop { closers.contains($0.kind) }
    }
    return result + [tokens.last!]
  }

  private func isExpression(_ found: Found) -> Bool {
    found.brace == nil && kind(found.body) != .symbol("{")
  }

  /// A brace of the statements, at a token of the text, for messages.
  private func brace(_ symbol: String, at index: Int) -> Token {
    let token = tokens[min(index, tokens.count - 1)]
    return Token(
      kind: .symbol(symbol), range: token.range, startsLine: false, spaceFollows: true)
  }

  /// Returns the index behind the last token of the body: of the bracket that closes it, or of what ends an expression.
  private func end(from begin: Int, isExpression: Bool) -> Int {
    var depth = 0
    for index in begin..<(tokens.count - 1) {
      switch tokens[index].kind {
      case .symbol("("), .symbol("{"), .symbol("["): depth += 1
      case .symbol(")"), .symbol("}"), .symbol("]"):
        guard depth > 0 else { return index }
        depth -= 1
      case .symbol(","), .symbol(";"): if isExpression, depth == 0 { return index }
      default: break
      }
    }
    return tokens.count - 1
  }

  /// Throws if the sizes have names from which it does not follow which is which, or stand in the wrong order.
  private func checkParameters(_ list: ArraySlice<Token>) throws(PredicateError) {
    var names: [(name: String, token: Token)] = []
    for token in list {
      guard case .name(let name) = token.kind, !Self.typeNames.contains(name),
        NumberType.named(name) == nil
      else { continue }
      names.append((Self.otherNames[name] ?? name, token))
    }
    let known = ["totalBytes", "usedBytes"]
    if names.map(\.name) == known.reversed() {
      throw PredicateError(
        .type, "the size of the file comes first", hint: "write totalBytes, usedBytes",
        at: names[0].token.range, in: text)
    }
  }

  /// Gives the tokens the spelling of the language: `===` as `==`, `return@compactOnLaunch` as `return`, `Math.min` as `min`.
  /// An arrow that leads to no function is a mistyped `>=`.
  private mutating func rewrite(isPasted: Bool) {
    var result: [Token] = []
    var index = 0
    while index < tokens.count {
      var token = tokens[index]
      index += 1
      switch token.kind {
      case .symbol("=>"):
        let middle = token.range.lowerBound + 1
        var sign = token
        (sign.kind, sign.range) = (.symbol("="), token.range.lowerBound..<middle)
        (token.kind, token.range) = (.symbol(">"), middle..<token.range.upperBound)
        token.startsLine = false
        result.append(sign)
      case _ where !isPasted: break
      case .symbol("==="): token.kind = .symbol("==")
      case .symbol("!=="): token.kind = .symbol("!=")
      case .name("return") where kind(index) == .symbol("@"):
        index += 1
        if case .name = kind(index) { index += 1 }
      case .name("Math"), .name("kotlin"):
        let path = kind(index + 1) == .name("math") ? index + 2 : index
        if kind(path) == .symbol("."), case .name(let name) = kind(path + 1),
          Arithmetic.Function.named(name) != nil
        {
          token.kind = .name(name)
          index = path + 2
        }
      case .name(let name):
        token.kind = .name(Self.otherNames[name] ?? Self.functions[name] ?? name)
      default: break
      }
      result.append(token)
    }
    tokens = result
  }
}
