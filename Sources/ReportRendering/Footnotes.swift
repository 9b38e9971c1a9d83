// Numbered reasons under a table, each once.
import Analysis

struct Footnotes {
  private var reasons: [String] = []

  /// `n/a (2)`
  mutating func mark(_ reason: String) -> String {
    if let index = reasons.firstIndex(of: reason) { return "n/a (\(index + 1))" }
    reasons.append(reason)
    return "n/a (\(reasons.count))"
  }

  var text: String {
    guard !reasons.isEmpty else { return "" }
    return "n/a: "
      + reasons.enumerated().map { "(\($0 + 1)) \($1.asMarkdown)" }.joined(separator: "; ") + "."
  }
}
