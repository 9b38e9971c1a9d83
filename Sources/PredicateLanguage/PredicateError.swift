// What is wrong with a text, and where: enough to draw a caret under it in whatever file the text came from.

/// A mistake in the text of a predicate or formula.
package struct PredicateError: Error, Hashable, Sendable {
  /// The kinds of mistakes that a caller handles differently.
  package enum Code: String, Sendable {
    case empty
    case syntax
    case unknownName
    case unknownUnit
    /// A number where a truth value belongs, or the reverse, or bytes where a share belongs.
    case type
    /// A constant that divides by zero.
    case noValue
    case tooLarge
    /// The text names no policy.
    case unknownPolicy
  }

  /// A stretch of the text, in characters as a person counts them.
  package struct Position: Hashable, Sendable {
    /// The offset from the start of the whole text, from 0.
    package var offset: Int
    /// The line, from 1.
    package var line: Int
    /// The column in the line, from 1.
    package var column: Int
    /// The length of the range, at least 1.
    package var length: Int

    package init(offset: Int, line: Int, column: Int, length: Int) {
      self.offset = offset
      self.line = line
      self.column = column
      self.length = length
    }

    init(of range: Range<Int>, in text: [Character]) {
      let start = min(range.lowerBound, text.count)
      let before = text[..<start]
      let lineStart = before.lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
      self.init(
        offset: start, line: 1 + before.count(where: \.isNewline), column: start - lineStart + 1,
        length: max(1, range.count))
    }
  }

  package let code: Code
  package let position: Position
  /// The mistake: `unknown variable "usedByte"`.
  package let message: String
  /// The way to correct it: `did you mean "usedBytes"?`.
  package let hint: String?
  /// The line in which the mistake is.
  package let sourceLine: String

  init(
    _ code: Code, _ message: String, hint: String? = nil, at range: Range<Int>,
    in text: [Character]
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    position = Position(of: range, in: text)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    sourceLine = lines.indices.contains(position.line - 1) ? String(lines[position.line - 1]) : ""
  }

  /// An error in a text that holds predicates, for readers of such texts; `offset` and `length` in characters.
  package init(
    _ code: Code, _ message: String, hint: String? = nil, offset: Int, length: Int,
    in text: String
  ) {
    self.init(
      code, message, hint: hint, at: offset..<(offset + length), in: Array(text))
  }

  /// The same error where the text that it was found in begins `offset` characters into `text`.
  package func moved(by offset: Int, into text: String) -> PredicateError {
    PredicateError(
      code, message, hint: hint, offset: position.offset + offset, length: position.length,
      in: text)
  }
}

extension PredicateError: CustomStringConvertible {
  /// The error on one line: `unknown variable "usedByte"; did you mean "usedBytes"?`
  package var description: String { hint.map { "\(message); \($0)" } ?? message }

  /// The line of the text with carets below the mistake, two lines without a newline at the end.
  package var excerpt: String {
    Excerpt.text(
      of: sourceLine.map(String.init), column: position.column, length: position.length)
  }

  /// The error for a terminal: `1:20: message; hint` and the excerpt.
  package var report: String {
    "\(position.line):\(position.column): \(description)\n\(excerpt)"
  }
}
