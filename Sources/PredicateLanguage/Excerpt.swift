// The line of a mistake with carets below it. Of a long line only what stands around the mistake is shown.

package enum Excerpt {
  /// Lines of up to so many columns are shown whole.
  private static let longest = 120
  /// Columns of a longer line that are shown, and how many of them before the mistake.
  private static let window = 80
  private static let before = 30

  /// Two lines without a newline at the end; nothing of the line is obeyed by a terminal but its tabs.
  /// - Parameters:
  ///   - units: the line, by what columns are counted in: characters, or Unicode scalars.
  ///   - column: where the mistake begins, from 1.
  ///   - length: how many units are meant.
  package static func text(
    of units: some RandomAccessCollection<String>, column: Int, length: Int, indent: String = ""
  ) -> String {
    let count = units.count
    let start = min(column - 1, count)
    var shown = 0..<count
    if count > longest {
      let low = max(0, min(start - before, count - window))
      shown = low..<min(count, low + window)
    }
    let part = units.dropFirst(shown.lowerBound).prefix(shown.count).map(Self.shown)
    let lead = part.prefix(start - shown.lowerBound)
    let isCut = (before: shown.lowerBound > 0, after: shown.upperBound < count)
    // Tabs stay tabs, so that the carets stand where the terminal puts the text.
    let blank = lead.map { $0 == "\t" ? "\t" : String(repeating: " ", count: width($0)) }
    let marked = part.dropFirst(lead.count).prefix(length).reduce(0) { $0 + width($1) }
    let line = (isCut.before ? "…" : "") + part.joined() + (isCut.after ? "…" : "")
    let carets = String(repeating: "^", count: max(1, marked))
    return "\(indent)\(line)\n\(indent)\(isCut.before ? " " : "")\(blank.joined())\(carets)"
  }

  private static func shown(_ unit: String) -> String {
    if unit == "\t" { return unit }
    return unit.unicodeScalars.count > 20 ? abbreviated(unit) : escaped(unit)
  }

  /// Columns: one for each unit, but more where it is written as an escape.
  private static func width(_ unit: String) -> Int {
    unit.hasPrefix("\\u{") ? unit.count : 1
  }
}
