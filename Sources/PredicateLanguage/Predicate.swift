// A condition over named values, stored with its text. The language defines no variable: the caller that parses a text
// passes the vocabulary. Docs/Predicates.md is its manual.

/// A condition over named values. Encoded as its text.
package struct Predicate: Hashable, Sendable {
  /// The text as the user wrote it.
  package let source: String
  /// The rules by which it computes: a closure by those of its language.
  package let typing: Typing
  let condition: Condition

  /// Reads a condition in which `variables` (aliases included) may be named.
  package init(_ source: String, variables: Vocabulary) throws(PredicateError) {
    self.source = source
    (condition, typing) = try Parser.condition(in: source, vocabulary: variables)
  }

  /// Parses a condition whose names were checked before. A text that was read when closures had real numbers has them still,
  /// where its language would refuse it.
  private init(unchecked source: String) throws(PredicateError) {
    self.source = source
    do throws(PredicateError) {
      (condition, typing) = try Parser.condition(in: source, vocabulary: nil)
    } catch {
      (condition, typing) = try Parser.condition(in: source, vocabulary: nil, typing: .real)
    }
  }

  /// The names that it asks for, in alphabetical order.
  package var variables: [String] { condition.variables.sorted() }

  /// The condition on one line: as written where that is one line, otherwise without comments and with the
  /// definitions put in their places. Reads as the same condition again. A closure keeps its braces, unless it decides as
  /// a condition of real numbers does.
  package var oneLine: String {
    let lines = source.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    guard lines.count == 1, !lines[0].contains("//"), !lines[0].contains("{") else {
      guard typing != .real, !condition.isSameInRealNumbers else { return condition.description }
      let opening =
        switch typing {
        case .real, .swift: "{ "
        case .c: "^{ return "
        case .kotlin: "{ -> "
        }
      return opening + condition.text(within: 0, typing: typing) + " }"
    }
    return lines[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether the condition holds for these values; nil is an unknown value.
  package func evaluate(_ value: (String) -> Double?) -> Evaluation {
    condition.evaluate(typing, value).evaluation
  }

  /// The values of the constants that its variables are computed and compared with.
  package var constants: Set<Double> { condition.constants }

  /// Whether whole numbers divide without a fraction.
  package var dividesWholeNumbers: Bool { typing != .real && condition.hasWholeDivision }

  /// What it would come to if whole numbers divided without loss; nil where that is the same, nothing is divided so, or the
  /// closure would end the app, so that there is no decision to compare with.
  package func evaluationByRealDivision(_ value: (String) -> Double?) -> Evaluation? {
    guard dividesWholeNumbers else { return nil }
    let typed = evaluate(value)
    if case .refused = typed { return nil }
    let real = condition.evaluate(.real, value).evaluation
    return real == typed ? nil : real
  }
}

extension Condition.Outcome {
  fileprivate var evaluation: Evaluation {
    switch self {
    case .yes: .yes
    case .no, .undefined: .no
    case .unknown(let name): .unknown(name)
    case .refused(let reason): .refused(reason)
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
  /// A closure would end the app here, for this reason.
  case refused(String)
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
