// Texts of scenarios, databases and systems as a page or a terminal may show them: nothing in them moves a cursor, changes the
// direction of writing, or is present but not shown.
import TextEscaping

extension String {
  /// The text with every hidden character as `\u{202E}`; line ends and tabs stay.
  package var visible: String { escaping(where: \.isHidden) }

  /// The text without line breaks and double spaces, for names within a sentence or a table.
  package var onOneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").visible
  }
}
