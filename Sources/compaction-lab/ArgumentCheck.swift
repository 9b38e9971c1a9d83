// Rejects arguments that are empty, as an unset variable of a script leaves them, and names with unprintable characters.
// Checked before arguments are parsed, so that it holds for every option, future ones included.
import ArgumentParser
import PredicateLanguage
import TextEscaping

enum ArgumentCheck {
  /// Options whose values may have several lines: shell commands, and pasted conditions.
  private static let texts: Set<String> = ["--base", "--head", "--policy", "--predicate"]

  static func check(_ arguments: [String]) throws {
    var option: String?
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isOption = argument.hasPrefix("--") && parts[0].count > 2
      let name = isOption ? String(parts[0]) : option
      // The value of an option without `=` is the next argument.
      if !isOption || parts.count == 2 {
        try check(value: isOption ? String(parts[1]) : argument, of: name)
      }
      option = isOption && parts.count == 1 ? name : nil
    }
  }

  private static func check(value: String, of option: String?) throws {
    let subject = option.map { "the argument after \($0)" } ?? "an argument"
    guard value.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError(
        "\(subject) is \(value.isEmpty ? "empty" : "blank"); is a variable unset? Give it a value, or "
          + "leave it out")
    }
    let isText = option.map(texts.contains) ?? false
    let found = value.unicodeScalars.first {
      $0.isUnprintable || !isText && ($0.isLineEnd || $0 == "\t")
    }
    guard let found else { return }
    throw ValidationError("\(subject) has \(found.nameOfUnprintable) in it: \(abbreviated(value))")
  }
}
