// Text within JSON.

extension StringProtocol {
  /// The text as a JSON string with its quotes; hidden characters and line ends are escaped.
  package var jsonQuoted: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      default:
        if scalar.isHidden || scalar.isLineEnd {
          quoted += scalar.utf16Escapes
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }
}

extension Unicode.Scalar {
  /// `\u202e`; of a character beyond U+FFFF, its surrogates.
  fileprivate var utf16Escapes: String {
    UTF16.encode(self)?.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined() ?? ""
  }
}
