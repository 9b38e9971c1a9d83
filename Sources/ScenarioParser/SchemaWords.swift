// The words that say what a key may hold, taken apart: "`never` or `after n commits`", "1 to 64, or `unlimited`".

struct SchemaWords {
  /// What stands between backquotes: to be written so, with numbers for the letters.
  private(set) var choices: [String] = []
  /// What may follow each of them.
  private(set) var suffix: String?
  /// Everything else: names of quantities, and their bounds.
  private(set) var others: [String] = []

  init(_ words: String) {
    var rest = Substring(words)
    var isSuffix = false
    while let first = rest.first {
      if first == "`" {
        let choice = rest.dropFirst().prefix { $0 != "`" }
        rest = rest.dropFirst(choice.count + 2)
        if isSuffix { suffix = String(choice) } else { choices.append(String(choice)) }
        continue
      }
      let plain = rest.prefix { $0 != "`" }
      rest = rest.dropFirst(plain.count)
      isSuffix = plain.contains("also with")
      if !isSuffix { others += Self.parts(plain) }
    }
  }

  private static func parts(_ words: Substring) -> [String] {
    var parts: [String] = []
    var part: [Substring] = []
    func end() {
      if !part.isEmpty { parts.append(part.joined(separator: " ")) }
      part = []
    }
    for word in words.split(separator: " ") {
      if word == "or" {
        end()
      } else if word.hasSuffix(",") {
        if word.count > 1 { part.append(word.dropLast()) }
        end()
      } else {
        part.append(word)
      }
    }
    end()
    return parts
  }

  /// Whether it is `a to b`, with the unit behind it.
  static func isCount(_ words: String, of unit: String = "") -> Bool {
    guard words.hasSuffix(unit) else { return false }
    let bounds = words.dropLast(unit.count).split(separator: " ")
    return bounds.count == 3 && bounds[1] == "to"
      && [bounds[0], bounds[2]].allSatisfy { $0.allSatisfy { $0.isNumber || $0 == "_" } }
  }

  /// A regular expression for a choice.
  static func pattern(_ choice: String) -> String {
    choice.split(separator: " ").map { word in
      switch word {
      case "n", "m": "[0-9]+(_[0-9]+)*"
      case "θ": "0\\.[0-9]+"
      case "share": "[0-9][0-9_.]* *%?"
      case "time": "[0-9][0-9_.]* *(us|ms|s|min|h|d)"
      case "commits": "commits?"
      default: String(word)
      }
    }.joined(separator: " ")
  }
}
