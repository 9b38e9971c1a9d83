// One value of the document with its position. Each reading function returns a value, or reports a mistake and returns nil,
// so that callers continue with a default and the file's other mistakes are reported too.
import PredicateLanguage
import ScenarioModel
import TextEscaping
import Yams

struct Field {
  let node: Node
  /// The keys that lead to the value in the document: `phases.pinned.commits`.
  let path: String
  let collector: ProblemCollector

  func report(_ message: String, hint: String? = nil) {
    collector.report(at: node, path: path, message, hint: hint)
  }

  /// The kind of the value, for messages.
  var kind: String {
    switch node {
    case .scalar: isAbsent ? "nothing" : "\"\(shortened(node.scalar?.string ?? ""))\""
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .alias: "an alias"
    }
  }

  /// Whether the key has no value.
  var isAbsent: Bool {
    guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .any else {
      return false
    }
    return scalar.string.isEmpty || scalar.string == "~" || scalar.string == "null"
  }

  // MARK: - Scalars

  /// Returns text that is not empty, without the space around it.
  ///
  /// `allowsNull` is for names, of which one is `null`.
  func text(_ expected: String = "text", allowsNull: Bool = false) -> String? {
    guard let scalar = node.scalar, !isAbsent || (allowsNull && scalar.string == "null") else {
      report("expected \(expected), found \(kind)")
      return nil
    }
    let trimmed = String(QuantityText.trimmed(scalar.string))
    if trimmed.isEmpty { report("expected \(expected), found empty text") }
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Returns a quantity, or reports how one is written.
  func quantity<Value>(_ expected: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = text(expected) else { return nil }
    guard let value = parse(text) else {
      report("expected \(expected), found \"\(shortened(text))\"")
      return nil
    }
    return value
  }

  /// Returns the value of one of a few words.
  func choice<Value>(_ choices: [(String, Value)]) -> Value? {
    let names = choices.map(\.0)
    guard let text = text(names.joined(separator: " or ")) else { return nil }
    if let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
    report("expected \(listed(names)), found \"\(shortened(text))\"", hint: suggestion(text, names))
    return nil
  }

  /// Returns one of `names`. `what` is the word for it in messages: `client`. If `names` is nil because these could not be
  /// read, any name is accepted.
  func name(_ what: String, among names: [String]?) -> String? {
    let isNullKnown = names?.contains("null") ?? false
    guard let text = text("the name of \(what.withArticle)", allowsNull: isNullKnown) else {
      return nil
    }
    guard let names, !names.contains(text) else { return text }
    let known = names.count == 1 ? "there is only" : "there are"
    report(
      "unknown \(what) \"\(shortened(text))\"",
      hint: suggestion(text, names)
        ?? (names.isEmpty ? "there is none" : "\(known) \(listed(names, "and"))"))
    return nil
  }

  func within(_ range: ClosedRange<Int>, _ value: Int) -> Int? {
    if range.contains(value) { return value }
    let low = QuantityText.written(range.lowerBound)
    let high = QuantityText.written(range.upperBound)
    report("\(QuantityText.written(value)) is out of range", hint: "from \(low) to \(high)")
    return nil
  }

  // MARK: - Collections

  /// Returns the elements of a list that is not empty.
  func list(_ expected: String, maxCount: Int = Limits.elements) -> [Field]? {
    guard let sequence = node.sequence else {
      report("expected \(expected), found \(kind)")
      return nil
    }
    if sequence.isEmpty {
      report("the list is empty", hint: "leave the key out, or give it an element")
      return nil
    }
    guard isWithin(maxCount, sequence.count) else { return nil }
    return sequence.enumerated().map {
      Field(node: $1, path: "\(path)[\($0)]", collector: collector)
    }
  }

  /// Returns the elements of a list, or a single value as a list of one.
  func oneOrMore(_ expected: String) -> [Field]? {
    node.sequence == nil ? [self] : list(expected)
  }

  /// Returns a list of `name: value`, in which order counts and every name occurs once.
  func namedList(_ what: String) -> [(name: Field, value: Field)]? {
    guard let elements = list("a list of \(what)s, each - name: …", maxCount: Limits.named) else {
      return nil
    }
    var pairs: [(name: Field, value: Field)] = []
    for element in elements {
      guard let mapping = element.node.mapping, mapping.count == 1, let pair = mapping.first,
        let name = pair.key.scalar?.string
      else {
        element.report("expected - name: …, one \(what), found \(element.kind)")
        continue
      }
      let path = "\(path).\(name)"
      pairs.append(
        (
          Field(node: pair.key, path: path, collector: collector),
          Field(node: pair.value, path: path, collector: collector)
        ))
    }
    reportRepeated(pairs.map(\.name), what)
    return pairs
  }

  /// Returns a mapping from names that the user chose to values.
  func namedMapping(_ what: String) -> [(name: Field, value: Field)]? {
    guard let mapping = node.mapping else {
      report("expected a mapping from \(what)s' names, found \(kind)")
      return nil
    }
    if mapping.isEmpty { report("there is no \(what)", hint: "name at least one") }
    guard isWithin(Limits.named, mapping.count) else { return nil }
    let pairs = mapping.map { pair in
      let key = collector.restored(pair.key)
      let path = "\(path).\(key.scalar?.string ?? "?")"
      return (
        name: Field(node: key, path: path, collector: collector),
        value: Field(node: pair.value, path: path, collector: collector)
      )
    }
    reportRepeated(pairs.map(\.name), what)
    return pairs
  }

  /// Returns whether a list has no more than `maxCount` elements, and reports it otherwise. Longer lists are mistakes of a
  /// program, and combining them would take too long.
  private func isWithin(_ maxCount: Int, _ count: Int) -> Bool {
    if count > maxCount {
      report(
        "there are \(QuantityText.written(count)) elements",
        hint: "up to \(QuantityText.written(maxCount)) are allowed")
    }
    return count <= maxCount
  }

  private func reportRepeated(_ names: [Field], _ what: String) {
    var lines: [String: Int] = [:]
    for name in names {
      let text = name.node.scalar?.string ?? ""
      // Control characters have been reported as such, wherever they are.
      let isReported = text.unicodeScalars.contains(where: \.isUnprintable)
      if name.node.scalar != nil, !isReported, !Label.isValid(text) {
        // Not with the name's own path, which would contain the line end.
        collector.report(
          at: name.node, path: path,
          "\(text.debugDescription) is no name of \(what.withArticle)", hint: Label.rule)
      }
      if let line = lines[text] {
        name.report("\(what) \"\(shortened(text))\" is there already, in line \(line)")
      } else {
        lines[text] = name.node.mark?.line ?? 0
      }
    }
  }
}

extension ProblemCollector {
  /// Returns the key as it is in the file. One that occurs twice is marked when the file is read.
  func restored(_ key: Node) -> Node {
    guard var scalar = key.scalar, let first = scalar.string.unicodeScalars.first,
      let original = restoredKeys[first]
    else { return key }
    scalar.string = String(Character(original)) + String(scalar.string.unicodeScalars.dropFirst())
    return .scalar(scalar)
  }
}

extension String {
  /// The word with its article: `a client`, `an engine`.
  var withArticle: String {
    let isVowel = first.map { "aeiou".contains($0) } ?? false
    return "\(isVowel ? "an" : "a") \(self)"
  }
}

/// Returns the text for a message: one line of at most 40 characters.
func shortened(_ text: String) -> String { abbreviated(text) }

/// Returns the names as a list in words: `a`, `a or b`, `a, b or c`.
func listed(_ names: [String], _ conjunction: String = "or") -> String {
  guard names.count > 1 else { return names.first ?? "" }
  let last = names[names.count - 1]
  return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}

func suggestion(_ text: String, _ candidates: [String]) -> String? {
  nearest(to: shortened(text), in: candidates).map { "did you mean \"\($0)\"?" }
}
