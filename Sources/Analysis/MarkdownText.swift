// Texts of users within reports: they appear as written, and nothing in them is markup.
import MetricModel

extension String {
  /// The text as running text on one line. Only characters that would be markup in their position are escaped, so that a
  /// page stays readable as text: `a < b * c` as it is, `<b>` as `\<b>`.
  package var asMarkdown: String {
    let text = Array(onOneLine)
    var escaped = ""
    for (index, character) in text.enumerated() {
      let before = index > 0 ? text[index - 1] : " "
      let after = index + 1 < text.count ? text[index + 1] : " "
      if character.needsEscape(before: before, after: after) { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }

  /// The text as running text that begins a line: no heading, no list, no quotation.
  package var asMarkdownLine: String {
    let text = asMarkdown
    let number = text.prefix { $0.isNumber }
    let rest = text.dropFirst(number.count)
    if !number.isEmpty, let mark = rest.first, ".)".contains(mark) { return number + "\\" + rest }
    return text.first.map { "#>-+=|!".contains($0) } == true ? "\\" + text : text
  }

  /// The text as a block of code, between fences longer than any in it.
  package var asCodeBlock: String {
    let longest = split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\n\(visible)\n\(fence)"
  }

  /// The text as inline code, between more backticks than any in it.
  package var asCode: String {
    let text = onOneLine
    let longest = text.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    guard longest > 0 else { return "`\(text)`" }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence) \(text) \(fence)"
  }
}

extension Character {
  fileprivate func needsEscape(before: Character, after: Character) -> Bool {
    switch self {
    case "`", "[", "]": true
    case "\\": after.isPunctuation || after.isSymbol
    case "<": after.isLetter || "/!?".contains(after)
    case "&": after.isLetter || after == "#"
    case "*": !(before.isWhitespace && after.isWhitespace)
    case "_": !(before.isLetter || before.isNumber) || !(after.isLetter || after.isNumber)
    case "~": before == "~" || after == "~"
    default: false
    }
  }
}
