// Texts as messages show them: on one line, with nothing in them that a terminal would obey.
import TextEscaping

extension Unicode.Scalar {
  /// The name of a character that cannot be printed: `a line end`, `the control character U+0007`.
  package var nameOfUnprintable: String {
    if isLineEnd { return "a line end" }
    if self == "\t" { return "a tab" }
    return value < 0xA0
      ? "the control character U+\(hexadecimal)"
      : "U+\(hexadecimal), which changes the direction of text,"
  }
}

/// The text with hidden characters, line ends and tabs written as `\u{202E}`.
package func escaped(_ text: some StringProtocol) -> String {
  text.escaping { $0.isHidden || $0.isLineEnd || $0 == "\t" }
}

/// Returns the text for a message: on one line, of at most 40 characters, line ends as spaces.
package func abbreviated(_ text: some StringProtocol) -> String {
  // A character may have thousands of accents.
  var scalars = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(200) { scalars.append(scalar.isLineEnd ? " " : scalar) }
  let isCut = text.unicodeScalars.count > 200
  let line = escaped(String(scalars))
  return line.count <= 40 && !isCut ? line : "\(line.prefix(39))…"
}
