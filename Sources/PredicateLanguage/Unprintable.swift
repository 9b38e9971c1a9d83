// Characters that are not shown as they are: a terminal obeys them, or shows the text around them in another order. They are
// refused in what people write, and escaped in what they are shown.

extension Unicode.Scalar {
  /// Control characters, but for the tab and line ends, and those that change the direction of text.
  package var isUnprintable: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// U+2028 and U+2029 among them.
  package var isLineEnd: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// For messages: `a line end`, `the control character U+0007`.
  package var nameOfUnprintable: String {
    if isLineEnd { return "a line end" }
    if self == "\t" { return "a tab" }
    return value < 0xA0
      ? "the control character U+\(hexadecimal)"
      : "U+\(hexadecimal), which changes the direction of text,"
  }

  private var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// The text with what is not shown as it is, line ends and tabs among it, written as `\u{202E}`.
package func escaped(_ text: some StringProtocol) -> String {
  guard text.unicodeScalars.contains(where: { $0.isUnprintable || $0.isLineEnd || $0 == "\t" })
  else { return String(text) }
  var out = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if scalar.isUnprintable || scalar.isLineEnd || scalar == "\t" {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      out.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
    } else {
      out.append(scalar)
    }
  }
  return String(out)
}

/// Text for a message: on one line, of at most 40 characters, line ends as spaces.
package func abbreviated(_ text: some StringProtocol) -> String {
  // A character may have thousands of accents.
  var scalars = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(200) { scalars.append(scalar.isLineEnd ? " " : scalar) }
  let isCut = text.unicodeScalars.count > 200
  let line = escaped(String(scalars))
  return line.count <= 40 && !isCut ? line : "\(line.prefix(39))…"
}
