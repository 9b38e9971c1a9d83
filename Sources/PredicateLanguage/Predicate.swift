// A condition over named values, stored with its text. The language defines no variable: the caller that parses a text
// passes the vocabulary. Docs/Predicates.md is its manual.

/// A condition over named values. Encoded as its text.
package struct Predicate: Hashable, Sendable {
  /// The text as the user wrote it.
  package let source: String
  let condition: Condition

  /// Reads a condition in which `variables` (aliases included) may be named.
  package init(_ source: String, variables: Vocabulary) throws(PredicateError) {
    self.source = source
    condition = try Parser.condition(in: source, vocabulary: variables)
  }

  /// Parses a condition whose names were checked before.
  private init(unchecked source: String) throws(PredicateError) {
    self.source = source
    condition = try Parser.condition(in: source, vocabulary: nil)
  }

  /// The names that it asks for, in alphabetical order.
  package var variables: [String] { condition.variables.sorted() }

  /// The condition on one line: as written where that is one line, otherwise without comments and with the
  /// definitions put in their places. Reads as the same condition again.
  package var oneLine: String {
    let lines = source.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    guard lines.count == 1, !lines[0].contains("//"), !lines[0].contains("{") else {
      return condition.description
    }
    return lines[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether the condition holds for these values; nil is an unknown value.
  package func evaluate(_ value: (String) -> Double?) -> Evaluation {
    switch condition.evaluate(value) {
    case .yes: .yes
    case .no, .undefined: .no
    case .unknown(let name): .unknown(name)
    }
  }
}

/// The result of a predicate.
package enum Evaluation: Hashable, Sendable {
  case yes
  /// The condition does not hold, or a division by zero leaves it without a value.
  case no
  /// The result depends on this variable, which has no value.
  case unknown(String)
}

extension Predicate: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let source = try container.decode(String.self)
    do {
      self = try Predicate(unchecked: source)
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(error.position.column): \(error)")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(source)
  }
}
