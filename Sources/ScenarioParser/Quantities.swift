// Numbers as people write them in a scenario: 40_000, 256 B, 85 %, 8 h, 100 per s. Pure functions from text to value;
// nil is text that is no such quantity.

enum QuantityText {
  /// Returns an integer such as `40_000` or `-3`: digits with underscores between them.
  static func integer(_ text: String) -> Int? {
    unsigned(text.hasPrefix("-") ? text.dropFirst() : text[...]).flatMap { magnitude in
      guard let value = Int(exactly: magnitude) else { return nil }
      return text.hasPrefix("-") ? -value : value
    }
  }

  /// Returns an integer without sign, of up to 64 bits, such as a seed.
  static func unsigned(_ text: Substring) -> UInt64? {
    guard isGrouped(text) else { return nil }
    return UInt64(text.filter { $0 != "_" })
  }

  /// Returns a number such as `0.85`, `1_000.5` or `3`, without sign or exponent.
  static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy(isGrouped) else { return nil }
    return Double(text.filter { $0 != "_" })
  }

  /// Returns a whole number of bytes, such as `256 B`, `1 MiB`, `1.5 kB` or `300`.
  static func size(_ text: String) -> Int? {
    guard let (number, unit) = split(text) else { return nil }
    guard let factor = unit.isEmpty ? 1 : sizeUnits[String(unit)] else { return nil }
    let bytes = number * factor
    return bytes == bytes.rounded() && bytes < 1e15 ? Int(bytes) : nil
  }

  /// Returns a share such as `85 %` or `0.85`. Shares above 1 are returned too.
  static func share(_ text: String) -> Double? {
    guard let (number, unit) = split(text) else { return nil }
    switch unit {
    case "": return number
    case "%": return number / 100
    default: return nil
    }
  }

  /// Returns a time in microseconds, such as `8 h`, `10 ms` or `1.5 s`. The unit is required.
  static func duration(_ text: String) -> Int? {
    guard let (number, unit) = split(text), let factor = timeUnits[String(unit)] else {
      return nil
    }
    let microseconds = (number * factor).rounded()
    return microseconds < 1e15 ? Int(microseconds) : nil
  }

  /// Returns a rate in times per second: `100 per s`, `5 per 10 ms`, `30/min`.
  static func rate(_ text: String) -> Double? {
    let parts = text.contains("/") ? text.split(separator: "/") : text.split(separator: " per ")
    guard parts.count == 2, let count = decimal(trimmed(parts[0])) else { return nil }
    let period = trimmed(parts[1])
    let span = period.first?.isASCIIDigit == true ? String(period) : "1 \(period)"
    guard let microseconds = duration(span), microseconds > 0 else { return nil }
    return count * 1_000_000 / Double(microseconds)
  }

  /// Returns a number of commits, such as `50 commits`, `1 commit` or `50`.
  static func commits(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard let first = words.first, words.count <= 2 else { return nil }
    guard words.count == 1 || words[1] == "commits" || words[1] == "commit" else { return nil }
    return integer(String(first))
  }

  /// Returns the number of commits that follows `lead`, as in `after 50 commits`.
  static func commits(after lead: String, _ text: String) -> Int? {
    guard text.hasPrefix(lead), text.hasSuffix("commits") || text.hasSuffix("commit") else {
      return nil
    }
    return commits(String(text.dropFirst(lead.count)))
  }

  /// Returns true for `true`, `yes` and `on`, false for `false`, `no` and `off`.
  static func bool(_ text: String) -> Bool? {
    switch text {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// Returns the number with underscores between groups of three digits: `40_000`.
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

  /// Returns the text without white space at its ends.
  static func trimmed(_ text: some StringProtocol) -> Substring {
    let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
    let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? start
    return Substring(text[start..<end])
  }

  /// Returns the number at the start and the text after it, trimmed.
  private static func split(_ text: String) -> (Double, Substring)? {
    let digits = text.prefix { $0.isASCIIDigit || $0 == "_" || $0 == "." }
    return decimal(digits).map { ($0, trimmed(text[digits.endIndex...])) }
  }

  /// Whether the text consists of digits, with single underscores between digits only.
  private static func isGrouped(_ text: Substring) -> Bool {
    let groups = text.split(separator: "_", omittingEmptySubsequences: false)
    return groups.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
  }

  /// Bytes of each unit: kB, MB, GB are powers of ten, KiB, MiB, GiB powers of two.
  private static let sizeUnits: [String: Double] = [
    "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 1_048_576,
    "GiB": 1_073_741_824,
  ]

  /// Microseconds of each unit.
  private static let timeUnits: [String: Double] = [
    "us": 1, "ms": 1e3, "s": 1e6, "min": 60e6, "h": 3600e6, "d": 86_400e6,
  ]
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
