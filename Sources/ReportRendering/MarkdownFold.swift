// Details that are folded away until the reader asks for them. GitHub's Markdown shows these elements as HTML does.

enum MarkdownFold {
  static let begin = "<details>"
  static let openBegin = "<details open>"
  static let end = "</details>"
  static let summaryBegin = "<summary>"
  static let summaryEnd = "</summary>"

  /// - Parameters:
  ///   - summary: Markdown in one line, which stays visible.
  ///   - isOpen: whether the parts are visible from the start.
  static func text(_ summary: String, _ parts: [String], isOpen: Bool = false) -> String {
    let parts = parts.filter { !$0.isEmpty }.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }
    guard !parts.isEmpty else { return "" }
    return """
      \(isOpen ? openBegin : begin)
      \(summaryBegin)\(summary)\(summaryEnd)

      \(parts.joined(separator: "\n"))
      \(end)
      """
  }

  /// Returns the HTML of a line of a fold; nil for any other line.
  static func html(_ line: Substring, inline: (String) -> String) -> String? {
    if [begin, openBegin, end].contains(String(line)) { return "\(line)\n" }
    guard line.hasPrefix(summaryBegin), line.hasSuffix(summaryEnd) else { return nil }
    let text = line.dropFirst(summaryBegin.count).dropLast(summaryEnd.count)
    return "\(summaryBegin)\(inline(String(text)))\(summaryEnd)\n"
  }
}
