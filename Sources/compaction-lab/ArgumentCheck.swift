// What no argument of any command may be: empty, as an unset variable of a script leaves it, or a name with characters that
// are not shown as they are. Checked before arguments are parsed, so that it holds for every option that there will be.
import ArgumentParser
import PredicateLanguage

enum ArgumentCheck {
  /// Options whose values are texts of several lines: shell commands, and conditions as they are pasted.
  private static let texts: Set<String> = ["--base", "--head", "--policy", "--predicate"]

  static func check(_ arguments: [String]) throws {
    var option: String?
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isOption = argument.hasPrefix("--") && parts[0].count > 2
      let name = isOption ? String(parts[0]) : option
      // Of `--base` alone, the value is the next argument.
      if !isOption || parts.count == 2 {
        try check(value: isOption ? String(parts[1]) : argument, of: name)
      }
      option = isOption && parts.count == 1 ? name : nil
    }
  }

  private static func check(value: String, of option: String?) throws {
    let place = option.map { "the argument after \($0)" } ?? "an argument"
    guard value.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError(
        "\(place) is \(value.isEmpty ? "empty" : "blank"); is a variable unset? Give it a value, or "
          + "leave it out")
    }
    let isText = option.map(texts.contains) ?? false
    let found = value.unicodeScalars.first {
      $0.isUnprintable || !isText && ($0.isLineEnd || $0 == "\t")
    }
    guard let found else { return }
    throw ValidationError("\(place) has \(found.nameOfUnprintable) in it: \(abbreviated(value))")
  }
}
