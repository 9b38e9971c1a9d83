// Numbers and lists as text, the same in the terminal, in Markdown, in HTML and in pictures.

/// Returns the number with commas between thousands: `12,345`.
package func grouped(_ number: Int) -> String {
  var digits = String(number.magnitude)
  var groups: [Substring] = []
  while digits.count > 3 {
    groups.insert(digits.suffix(3), at: 0)
    digits.removeLast(3)
  }
  groups.insert(digits[...], at: 0)
  return (number < 0 ? "-" : "") + groups.joined(separator: ",")
}

/// `1 engine`, `2 engines`, `12,345 commits`, `1 launch`, `3 launches`.
/// - Parameter plural: if it is irregular.
package func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
  let needsVowel = ["s", "x", "ch", "sh"].contains { singular.hasSuffix($0) }
  return
    "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + (needsVowel ? "es" : "s"))"
}

/// Returns a share of one as a percentage: `96.9 %`.
package func percent(_ share: Double) -> String { "\((share * 100).threeDigits) %" }

extension Collection<String> {
  /// `a`, `a and b`, `a, b and c`.
  package var inWords: String {
    let texts = Array(self)
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " and " + last
  }
}
