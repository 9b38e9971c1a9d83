// Texts of scenarios, databases and systems as a page or a terminal may show them: nothing in them moves a cursor, turns
// the direction of writing, or is there unseen.

extension String {
  /// With every control character and every mark of the direction of writing as `\u{202E}`; line ends and tabs stay.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isHidden {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Without line breaks and double spaces, for names that stand within a sentence or a table.
  package var onOneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").visible
  }
}

extension Unicode.Scalar {
  fileprivate var isHidden: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks of direction, embeddings and isolates; separators of lines and paragraphs; spaces without a width.
    case 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xFFFE, 0xFFFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }
}
