// The names that a Swift file declares and uses, read from its text: no compiler, so heuristics where grammar is needed.

/// The declared and used names of a file.
struct SourceNames {
  /// Types, functions, properties and enum cases that other files can see.
  private(set) var declared: Set<String> = []
  /// Names after a dot, and names without one that are neither labels nor declared locally; without those that the file
  /// itself declares.
  private(set) var used: Set<String> = []

  init(_ text: String) {
    let tokens = Token.all(in: text)
    let own = Self.declared(in: tokens)
    declared = own.visible
    let locals = Self.locals(in: tokens)
    for (index, token) in tokens.enumerated() where token.isName && !own.all.contains(token.text) {
      if index > 0, tokens[index - 1].text == "." {
        used.insert(token.text)
      } else if !locals.contains(token.text), !token.isLabel, !Self.introduces(tokens, index) {
        used.insert(token.text)
      }
    }
  }

  // MARK: Declarations

  private enum Scope { case visible, hidden, code }
  private static let typeKeywords: Set = [
    "struct", "class", "enum", "protocol", "actor", "extension",
  ]
  private static let memberKeywords: Set = ["func", "var", "let", "typealias", "associatedtype"]

  private static func declared(in tokens: [Token]) -> (visible: Set<String>, all: Set<String>) {
    var visible: Set<String> = []
    var all: Set<String> = []
    var scopes = [Scope.visible]
    var next = Scope.code
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{":
        scopes.append(next)
        next = .code
      case "}": if scopes.count > 1 { scopes.removeLast() }
      case let keyword where typeKeywords.contains(keyword):
        guard index + 1 < tokens.count, tokens[index + 1].isTypeName, scopes.last != .code,
          index == 0 || tokens[index - 1].text != "."
        else { continue }
        let isVisible = scopes.last == .visible && !isPrivate(tokens, index)
        next = isVisible ? .visible : .hidden
        guard keyword != "extension" else { continue }
        all.insert(tokens[index + 1].text)
        if isVisible { visible.insert(tokens[index + 1].text) }
      case let keyword where memberKeywords.contains(keyword):
        guard scopes.last != .code, index + 1 < tokens.count, tokens[index + 1].isName else {
          continue
        }
        all.insert(tokens[index + 1].text)
        if scopes.last == .visible, !isPrivate(tokens, index) {
          visible.insert(tokens[index + 1].text)
        }
      case "case" where scopes.last != .code:
        let names = cases(tokens, after: index)
        all.formUnion(names)
        if scopes.last == .visible { visible.formUnion(names) }
      default: break
      }
    }
    return (visible, all)
  }

  /// Whether a modifier on the declaration's line hides it from other files.
  private static func isPrivate(_ tokens: [Token], _ index: Int) -> Bool {
    var at = index - 1
    while at >= 0, tokens[at].line == tokens[index].line {
      if tokens[at].text == "private" || tokens[at].text == "fileprivate" {
        return tokens[at + 1].text != "("
      }
      at -= 1
    }
    return false
  }

  /// `case a, b(Int), c = 1`
  private static func cases(_ tokens: [Token], after index: Int) -> [String] {
    var names: [String] = []
    var depth = 0
    var isExpected = true
    for token in tokens[(index + 1)...] {
      switch token.text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "," where depth == 0: isExpected = true
      case "case", "}", "{", "func", "var", "let", "static", "init", "struct", "enum": return names
      default:
        guard depth == 0 else { continue }
        if isExpected, token.isName { names.append(token.text) }
        isExpected = false
      }
    }
    return names
  }

  // MARK: Uses

  /// Parameters, local variables and constants, and the parameters of closures.
  private static func locals(in tokens: [Token]) -> Set<String> {
    var names: Set<String> = []
    var scopes = [false]
    var isType = false
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{":
        scopes.append(!isType)
        isType = false
        // `{ a, b in`
        let line = tokens[(index + 1)...].prefix { $0.line == token.line }
        if let end = line.firstIndex(where: { $0.text == "in" }) {
          names.formUnion(tokens[index..<end].filter(\.isName).map(\.text))
        }
      case "}": if scopes.count > 1 { scopes.removeLast() }
      case let keyword where typeKeywords.contains(keyword):
        isType = index + 1 < tokens.count && tokens[index + 1].isTypeName && scopes.last == false
      case "let", "var", "for":
        guard scopes.last == true || token.text == "for" else { continue }
        // `let a`, `let (a, b)`
        for name in tokens[(index + 1)...].prefix(while: { "(),".contains($0.text) || $0.isName }) {
          names.insert(name.text)
        }
      default:
        // A parameter: `name: Type`, `_ name: Type`.
        if token.isName, token.isLabel { names.insert(token.text) }
      }
    }
    return names
  }

  /// Whether the token is the name of a declaration.
  private static func introduces(_ tokens: [Token], _ index: Int) -> Bool {
    index > 0
      && (memberKeywords.contains(tokens[index - 1].text) || tokens[index - 1].text == "case"
        || typeKeywords.subtracting(["extension"]).contains(tokens[index - 1].text))
  }
}

/// A name or a punctuation mark of Swift code outside of comments and literals.
struct Token {
  var text: String
  var line: Int
  /// Whether a colon follows without a space: an argument label, a parameter or a declaration.
  var isLabel = false

  var isName: Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }
  var isTypeName: Bool { text.first?.isUppercase ?? false }

  static func all(in text: String) -> [Token] {
    var scanner = TokenScanner(text)
    scanner.scan(untilClosed: false)
    return scanner.tokens
  }
}

/// Splits code into tokens; enters the interpolations of string literals, and skips the rest of them.
private struct TokenScanner {
  private let characters: [Character]
  private var index = 0
  private var line = 1
  private(set) var tokens: [Token] = []

  init(_ text: String) { characters = Array(text) }

  private func starts(_ mark: String) -> Bool {
    index + mark.count <= characters.count && zip(characters[index...], mark).allSatisfy(==)
  }

  private mutating func step(_ count: Int = 1) {
    for _ in 0..<count where index < characters.count {
      if characters[index] == "\n" { line += 1 }
      index += 1
    }
  }

  private mutating func skip(to mark: String) {
    while index < characters.count, !starts(mark) { step() }
    step(mark.count)
  }

  /// Scans to the end, or to the parenthesis that closes an interpolation.
  mutating func scan(untilClosed: Bool) {
    var depth = 0
    while index < characters.count {
      let character = characters[index]
      if starts("//") {
        while index < characters.count, characters[index] != "\n" { step() }
      } else if starts("/*") {
        skip(to: "*/")
      } else if starts("#/") {
        step(2)
        skip(to: "/#")
      } else if starts("#\"") {
        step(2)
        skip(to: "\"#")
      } else if starts("@inline(") || starts("@available(") || starts("@exclusivity(") {
        skip(to: ")")
      } else if starts("\"\"\"") {
        step(3)
        scanLiteral(to: "\"\"\"")
      } else if character == "\"" {
        step()
        scanLiteral(to: "\"")
      } else if character.isLetter || character == "_" {
        let start = index
        while index < characters.count,
          characters[index].isLetter || characters[index].isNumber || characters[index] == "_"
        { step() }
        let isLabel = index < characters.count && characters[index] == ":"
        tokens.append(
          Token(text: String(characters[start..<index]), line: line, isLabel: isLabel))
      } else {
        if !character.isWhitespace, !character.isNumber, character != "`" {
          tokens.append(Token(text: String(character), line: line))
        }
        if character == "(" { depth += 1 }
        if character == ")" {
          depth -= 1
          if untilClosed, depth == 0 { return step() }
        }
        step()
      }
    }
  }

  private mutating func scanLiteral(to end: String) {
    while index < characters.count, !starts(end) {
      if starts("\\(") {
        step()
        scan(untilClosed: true)
      } else {
        step(characters[index] == "\\" ? 2 : 1)
      }
    }
    step(end.count)
  }
}
