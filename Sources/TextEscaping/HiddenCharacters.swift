// Characters that are not shown as they are: a terminal obeys them, or shows the text around them in another order, or does not
// show them at all. Texts that people write must not contain the first two kinds, and all are escaped where they are shown.

extension Unicode.Scalar {
  /// Whether it is a control character other than a tab or a line end, or changes the direction of text.
  package var isUnprintable: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether it ends a line; U+2028 and U+2029 do.
  package var isLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether it is unprintable, separates lines or paragraphs, or has no width; tabs and usual line ends are not hidden.
  package var isHidden: Bool {
    switch value {
    case _ where isUnprintable: true
    case 0x200B, 0x2028, 0x2029, 0x2060...0x206F, 0xFEFF: true
    case 0xFFFE, 0xFFFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }

  /// The code point in hexadecimal, of at least four digits: `202E`.
  package var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension StringProtocol {
  /// Returns the text with each character that fits the condition written as `\u{202E}`.
  package func escaping(where condition: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: condition) else { return String(self) }
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if condition(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
