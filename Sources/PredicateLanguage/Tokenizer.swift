// Text into tokens. A number takes its unit with it, because `50 %` is a number while `a % b` is a mistake.

struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case number(Literal)
    case name(String)
    case symbol(String)
    case end
  }

  var kind: Kind
  /// The token's range, in characters of the text.
  var range: Range<Int>
  /// Whether only white space and comments precede the token in its line.
  var startsLine: Bool
  /// Whether white space follows the token.
  var spaceFollows: Bool
  /// Whether no language has such a token: text around a closure may have it.
  var isForeign = false
}

struct Tokenizer {
  private let text: [Character]
  private var at = 0
  private var startsLine = true
  private var tokens: [Token] = []

  /// The symbols, longest first. `&`, `|` and `%` are included only to be refused with a hint by the parser.
  private static let symbols = [
    "===", "!==", "=>", "&&", "||", "==", "!=", "<=", ">=", "->", "<", ">", "!", "+", "-", "*", "/",
    "(", ")", "{",
    "}", ",", ".", ";", ":", "=", "?", "&", "|", "%", "^",
  ].map(Array.init)

  private static let typographic: [Character: String] = [
    "≤": "<=", "≥": ">=", "≠": "!=", "×": "*", "·": "*", "÷": "/", "−": "-",
  ]

  private static let lineComment: [Character] = ["/", "/"]
  private static let blockComment: [Character] = ["/", "*"]
  private static let blockEnd: [Character] = ["*", "/"]

  init(_ text: [Character]) { self.text = text }

  /// Whether these characters stand here.
  private func isAt(_ symbol: [Character]) -> Bool {
    guard at < text.count, text[at] == symbol[0] else { return false }
    return symbol.count == 1 || text[at...].starts(with: symbol)
  }

  static func tokens(of text: [Character]) throws(PredicateError) -> [Token] {
    var tokenizer = Tokenizer(text)
    return try tokenizer.run()
  }

  private mutating func run() throws(PredicateError) -> [Token] {
    while true {
      try skipSpace()
      guard at < text.count else { break }
      let character = text[at]
      if character.isASCIIDigit {
        try number()
      } else if character.isLetter || character == "_" {
        let range = nameRange(from: at)
        add(.name(String(text[range])), range)
      } else if let symbol = Self.typographic[character] {
        add(.symbol(symbol), at..<(at + 1))
      } else if let symbol = Self.symbols.first(where: { isAt($0) }) {
        add(.symbol(String(symbol)), at..<(at + symbol.count))
      } else {
        add(.symbol(String(character)), at..<(at + 1))
        tokens[tokens.count - 1].isForeign = true
      }
    }
    // At the end of what is written, not of trailing blank lines: there the caret helps.
    let end = tokens.last?.range.upperBound ?? 0
    add(.end, end..<end)
    return tokens
  }

  private mutating func add(_ kind: Token.Kind, _ range: Range<Int>) {
    at = max(at, range.upperBound)
    let follows = range.upperBound < text.count && text[range.upperBound].isWhitespace
    tokens.append(
      Token(kind: kind, range: range, startsLine: startsLine, spaceFollows: follows))
    startsLine = false
  }

  /// Skips white space and comments.
  private mutating func skipSpace() throws(PredicateError) {
    while at < text.count {
      if text[at].isWhitespace {
        if text[at].isNewline { startsLine = true }
        at += 1
      } else if isAt(Self.lineComment) {
        while at < text.count, !text[at].isNewline { at += 1 }
      } else if isAt(Self.blockComment) {
        let begin = at
        while !isAt(Self.blockEnd) {
          at += 1
          guard at < text.count else {
            throw PredicateError(
              .syntax, "the comment never ends", hint: "close it with */", at: begin..<(begin + 2),
              in: text)
          }
          if text[at].isNewline { startsLine = true }
        }
        at += 2
      } else {
        return
      }
    }
  }

  private func nameRange(from start: Int) -> Range<Int> {
    var end = start
    while end < text.count, text[end].isLetter || text[end].isNumber || text[end] == "_" {
      end += 1
    }
    return start..<end
  }

  private func digitsEnd(from start: Int) -> Int {
    var end = start
    while end < text.count, text[end].isASCIIDigit || (end > start && text[end] == "_") {
      end += 1
    }
    return end
  }

  private mutating func number() throws(PredicateError) {
    let start = at
    var end = digitsEnd(from: start)
    if end + 1 < text.count, text[end] == ".", text[end + 1].isASCIIDigit {
      end = digitsEnd(from: end + 1)
    }
    if end < text.count, text[end] == "e" || text[end] == "E" {
      let signed = end + 1 < text.count && (text[end + 1] == "-" || text[end + 1] == "+")
      let digits = end + (signed ? 2 : 1)
      if digits < text.count, text[digits].isASCIIDigit { end = digitsEnd(from: digits) }
    }
    let plain = String(text[start..<end].filter { $0 != "_" })
    guard let value = Double(plain), value.isFinite else {
      throw PredicateError(.tooLarge, "the number is too large", at: start..<end, in: text)
    }
    let (unit, unitEnd, suffix) = try unit(after: end)
    let written = String(text[start..<end])
    let shown = unit.map { $0.text == "%" ? "\(written) %" : "\(written) \($0.text)" } ?? written
    let literal = Literal(
      value: unit.map { $0.applied(to: value) } ?? value, text: shown,
      dimension: unit?.dimension ?? .plain, suffix: suffix)
    add(.number(literal), start..<unitEnd)
  }

  /// Returns the unit of a number that ends at `end`, the unit's end, and in its place a suffix of C: `0.5f`, `1024UL`.
  private func unit(after end: Int) throws(PredicateError) -> (Unit?, Int, suffix: String) {
    var start = end
    while start < text.count, text[start].isWhitespace, !text[start].isNewline { start += 1 }
    guard start < text.count else { return (nil, end, "") }
    if text[start] == "%" { return (Unit.named("%"), start + 1, "") }
    guard text[start].isLetter || (start == end && text[start] == "_") else {
      return (nil, end, "")
    }
    let range = nameRange(from: start)
    let word = String(text[range])
    if let unit = Unit.named(word) { return (unit, range.upperBound, "") }
    let isAttached = start == end
    if isAttached, ["u", "l", "ul", "ull", "ll", "f"].contains(word.lowercased()) {
      return (nil, range.upperBound, word.lowercased())
    }
    let hint = Unit.hint(for: word)
    // A separate word that resembles no unit may be `and` or a definition's next part: the parser reports what is wrong.
    guard isAttached || hint != nil else { return (nil, end, "") }
    throw PredicateError(
      .unknownUnit, "unknown unit \"\(abbreviated(word))\"",
      hint: hint ?? "units are \(Unit.all.map(\.text).joined(separator: ", "))", at: range,
      in: text)
  }

  /// The error for a token that no language has.
  static func unexpected(_ token: Token, in text: [Character]) -> PredicateError {
    let character = text[token.range.lowerBound]
    let hint: String? =
      switch character {
      case "$": "name the values: totalBytes rather than $0"
      case "#": "comments begin with //"
      default: nil
      }
    return PredicateError(
      .syntax, "unexpected \"\(abbreviated(String(character)))\"", hint: hint, at: token.range,
      in: text)
  }
}

extension Unit {
  /// Returns the value in the base unit. For percent it divides, because 0.01 is no binary fraction and 7 % must be 0.07
  /// exactly as written.
  func applied(to value: Double) -> Double { text == "%" ? value / 100 : value * factor }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
