// A policy that is a program: what it is asked, and how its reply is read. Runs start it; nothing here does.
package import MetricModel
package import PredicateLanguage

/// A program that decides at launches. It gets the observation as one line of JSON and replies with one line.
package struct ProgramRule: Hashable, Sendable, Codable {
  /// The program and its arguments. No shell sees them.
  package let words: [String]

  package init(words: [String]) {
    precondition(!words.isEmpty, "A program has a name.")
    self.words = words
  }

  /// Reads words that are separated by spaces; quotes hold one with spaces together.
  package init(parsing text: String) throws(PredicateError) {
    var words: [String] = []
    var word: String?
    var quote: (character: Character, offset: Int)?
    for (offset, character) in text.enumerated() {
      if character != "\t", escaped(String(character)) != String(character) {
        throw PredicateError(
          .syntax, "a program's name and arguments are one line of visible characters",
          offset: offset, length: 1, in: text)
      }
      if let open = quote {
        if character == open.character { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = (character, offset)
        word = word ?? ""
      } else if character.isWhitespace {
        if let found = word { words.append(found) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let quote {
      throw PredicateError(
        .syntax, "the quote is never closed", hint: "close it with \(quote.character)",
        offset: quote.offset, length: 1, in: text)
    }
    if let word { words.append(word) }
    guard let name = words.first, !name.isEmpty else {
      throw PredicateError(
        .unknownPolicy, "exec needs a program", hint: "write exec: ./decide.py --limit 20",
        offset: 0, length: max(1, text.count), in: text)
    }
    self.words = words
  }

  /// The words as `init(parsing:)` reads them.
  package var text: String {
    words.map { word in
      guard word.isEmpty || word.contains(where: { $0.isWhitespace || "\"'".contains($0) }) else {
        return word
      }
      guard word.contains("\"") else { return "\"\(word)\"" }
      return word.split(separator: "\"", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "\"\($0)\"" }.joined(separator: "'\"'")
    }.joined(separator: " ")
  }

  /// The line that the program gets: every variable by its name, null where it is not known.
  package static func request(_ observation: Observation) -> String {
    let members = ObservedVariable.all.map { variable in
      "\"\(variable.name)\":\(variable.value(observation).map(number) ?? "null")"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : "\(value)"
  }

  /// Reads a reply: `yes` or `no`, and a reason behind it or none. Nil for anything else.
  package static func decision(from reply: String) -> LaunchDecision? {
    var text = Substring(reply)
    if text.last?.isNewline == true { text.removeLast() }
    guard !text.contains(where: \.isNewline) else { return nil }
    let word = text.prefix { $0.isLetter }
    guard word == "yes" || word == "no" else { return nil }
    var reason = text.dropFirst(word.count)
    guard reason.isEmpty || reason.first == " " || reason.first == ":" else { return nil }
    reason = reason.drop { $0 == ":" || $0.isWhitespace }
    return LaunchDecision(
      compact: word == "yes",
      reason: reason.isEmpty ? "the program decided \(word)" : escaped(reason.prefix(200)))
  }
}
