// Values that are written as one of a few phrases, some with a number in them: `after 200 commits`, `bursts of 50`, `never`.

struct Phrase<Value: Sendable>: Sendable {
  fileprivate enum Meaning: Sendable {
    case value(Value)
    case number(ClosedRange<Int>, @Sendable (Int) -> Value)
  }

  /// The phrase with `n` in place of the number: `after n commits`.
  let words: String
  fileprivate let meaning: Meaning

  static func words(_ words: String, _ value: Value) -> Self {
    Self(words: words, meaning: .value(value))
  }

  /// A phrase with a number as its last word, or before `commits` or `transactions`.
  static func number(
    _ words: String, _ range: ClosedRange<Int>, _ value: @escaping @Sendable (Int) -> Value
  ) -> Self {
    precondition(
      [" n commits", " n transactions", " n"].contains(where: words.hasSuffix), "\(words) has no n."
    )
    return Self(words: words, meaning: .number(range, value))
  }

  /// The number in the text, where it is this phrase.
  fileprivate func number(in text: String) -> Int? {
    let isOfTransactions = words.hasSuffix(" transactions")
    if isOfTransactions {
      let lead = String(words.dropLast("n transactions".count))
      guard text.hasPrefix(lead), text.hasSuffix(" transactions") else { return nil }
      return QuantityText.integer(
        String(text.dropFirst(lead.count).dropLast(" transactions".count)))
    }
    let isOfCommits = words.hasSuffix(" commits")
    let lead = String(words.dropLast(isOfCommits ? "n commits".count : "n".count))
    if isOfCommits { return QuantityText.commits(after: lead, text) }
    return text.hasPrefix(lead) ? QuantityText.integer(String(text.dropFirst(lead.count))) : nil
  }
}

extension ValueType where Value: Equatable & Sendable {
  static func phrases(_ phrases: [Phrase<Value>]) -> Self {
    let words = phrases.map(\.words)
    return Self(
      listed(words.map { "`\($0)`" }), schema: .choice(words),
      expected: listed(words.map(PhraseTemplate.example)),
      written: { value in
        phrases.first { phrase in
          if case .value(let own) = phrase.meaning { own == value } else { false }
        }.map { "`\($0.words)`" }
      },
      read: { field, expected in
        guard let text = field.text(expected) else { return nil }
        for phrase in phrases {
          switch phrase.meaning {
          case .value(let value) where text == phrase.words: return value
          case .value: continue
          case .number(let range, let value):
            guard let number = phrase.number(in: text) else { continue }
            return field.within(range, number).map(value)
          }
        }
        field.report("expected \(expected), found \"\(shortened(text))\"")
        return nil
      })
  }
}

/// A phrase with letters for its numbers: `after n commits`.
enum PhraseTemplate {
  /// A regular expression for what may be written.
  static func pattern(_ words: String) -> String {
    words.split(separator: " ").map { word in
      switch word {
      case "n", "m": "[0-9]+(_[0-9]+)*"
      case "share": "[0-9][0-9_.]* *%?"
      case "time": "[0-9][0-9_.]* *(us|ms|s|min|h|d)"
      case "commits": "commits?"
      default: String(word)
      }
    }.joined(separator: " ")
  }

  /// Returns an example of the phrase.
  static func example(_ words: String) -> String {
    words.split(separator: " ").map { $0 == "n" ? "50" : $0 }.joined(separator: " ")
  }
}
