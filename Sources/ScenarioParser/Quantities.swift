// Numbers as people write them in a scenario: 40_000, 256 B, 85 %, 8 h, 100 per s. Pure functions from text to value;
// nil is text that is no such quantity.

enum QuantityText {
  /// `40_000`, `-3`: digits with underscores between them.
  static func integer(_ text: String) -> Int? {
    unsigned(text.hasPrefix("-") ? text.dropFirst() : text[...]).flatMap { magnitude in
      guard let value = Int(exactly: magnitude) else { return nil }
      return text.hasPrefix("-") ? -value : value
    }
  }

  /// As `integer`, over the whole range of a seed.
  static func unsigned(_ text: Substring) -> UInt64? {
    guard isGrouped(text) else { return nil }
    return UInt64(text.filter { $0 != "_" })
  }

  /// `0.85`, `1_000.5`, `3`. No exponents, no signs, no infinities.
  static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy(isGrouped) else { return nil }
    return Double(text.filter { $0 != "_" })
  }

  /// A whole number of bytes: `256 B`, `1 MiB`, `1.5 kB`, `300`.
  static func size(_ text: String) -> Int? {
    guard let (number, unit) = split(text) else { return nil }
    guard let factor = unit.isEmpty ? 1 : sizeUnits[String(unit)] else { return nil }
    let bytes = number * factor
    return bytes == bytes.rounded() && bytes < 1e15 ? Int(bytes) : nil
  }

  /// `85 %`, `0.85`. The range is the caller's to check.
  static func share(_ text: String) -> Double? {
    guard let (number, unit) = split(text) else { return nil }
    switch unit {
    case "": return number
    case "%": return number / 100
    default: return nil
    }
  }

  /// Microseconds: `8 h`, `10 ms`, `1.5 s`. The unit is a must.
  static func duration(_ text: String) -> Int? {
    guard let (number, unit) = split(text), let factor = timeUnits[String(unit)] else {
      return nil
    }
    let microseconds = (number * factor).rounded()
    return microseconds < 1e15 ? Int(microseconds) : nil
  }

  /// Times per second: `100 per s`, `5 per 10 ms`, `30/min`.
  static func rate(_ text: String) -> Double? {
    let parts = text.contains("/") ? text.split(separator: "/") : text.split(separator: " per ")
    guard parts.count == 2, let count = decimal(trimmed(parts[0])) else { return nil }
    let period = trimmed(parts[1])
    let span = period.first?.isASCIIDigit == true ? String(period) : "1 \(period)"
    guard let microseconds = duration(span), microseconds > 0 else { return nil }
    return count * 1_000_000 / Double(microseconds)
  }

  /// `50 commits`, `1 commit`, `50`.
  static func commits(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard let first = words.first, words.count <= 2 else { return nil }
    guard words.count == 1 || words[1] == "commits" || words[1] == "commit" else { return nil }
    return integer(String(first))
  }

  /// The number in `after 50 commits`, where the text before it is `lead`.
  static func commits(after lead: String, _ text: String) -> Int? {
    guard text.hasPrefix(lead), text.hasSuffix("commits") || text.hasSuffix("commit") else {
      return nil
    }
    return commits(String(text.dropFirst(lead.count)))
  }

  static func bool(_ text: String) -> Bool? {
    switch text {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// `40000` as a person writes it here: `40_000`.
  static func written(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.append(digits.suffix(3))
      digits = String(digits.dropLast(3))
    }
    let grouped = ([digits[...]] + groups.reversed()).joined(separator: "_")
    return (value < 0 ? "-" : "") + grouped
  }

  static func trimmed(_ text: some StringProtocol) -> Substring {
    let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? start
    return Substring(text[start..<end])
  }

  /// The number at the start and what follows it.
  private static func split(_ text: String) -> (Double, Substring)? {
    let digits = text.prefix { $0.isASCIIDigit || $0 == "_" || $0 == "." }
    return decimal(digits).map { ($0, trimmed(text[digits.endIndex...])) }
  }

  /// Digits, with single underscores between digits only.
  private static func isGrouped(_ text: Substring) -> Bool {
    let groups = text.split(separator: "_", omittingEmptySubsequences: false)
    return groups.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
  }

  /// kB, MB, GB are powers of ten; KiB, MiB, GiB powers of two.
  private static let sizeUnits: [String: Double] = [
    "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 1_048_576,
    "GiB": 1_073_741_824,
  ]

  /// In microseconds.
  private static let timeUnits: [String: Double] = [
    "us": 1, "ms": 1e3, "s": 1e6, "min": 60e6, "h": 3600e6, "d": 86_400e6,
  ]
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
