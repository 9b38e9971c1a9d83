// Numbers with units, as the ends of a swept range: read in any unit of a kind, written in the kind's smallest one, so that
// every value of the range can be written exactly.

/// A number of a kind: bytes, microseconds, percent, or a plain number.
struct SweepQuantity: Equatable {
  enum Kind: Equatable {
    case bytes, microseconds, percent, commits
    /// A plain number, or one with a unit that is only repeated: `per s`.
    case plain(unit: String)
  }

  var value: Double
  var kind: Kind
  /// Whether it was written without a unit.
  var isBare = false
  /// The value of one of its unit.
  private var factor = 1.0

  private static let units: [String: (factor: Double, kind: Kind)] = [
    "B": (1, .bytes), "kB": (1e3, .bytes), "MB": (1e6, .bytes), "GB": (1e9, .bytes),
    "KiB": (1024, .bytes), "MiB": (1_048_576, .bytes), "GiB": (1_073_741_824, .bytes),
    "us": (1, .microseconds), "ms": (1e3, .microseconds), "s": (1e6, .microseconds),
    "min": (60e6, .microseconds), "h": (3600e6, .microseconds), "d": (86_400e6, .microseconds),
    "%": (1, .percent), "commits": (1, .commits), "commit": (1, .commits),
  ]

  /// Reads `5 MB`, `1e3`, `40_000`, `0.5` or `30 %`; nil for anything else.
  init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || "._".contains($0)) }
    var rest = text[number.endIndex...]
    var digits = number.filter { $0 != "_" }
    // An exponent: `e` and digits, which no unit is.
    if rest.first == "e" || rest.first == "E" {
      let exponent = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard !exponent.isEmpty else { return nil }
      digits += "e" + exponent
      rest = rest.dropFirst(1 + exponent.count)
    }
    guard let value = Double(digits), value.isFinite else { return nil }
    let unit = String(rest.drop(while: \.isWhitespace))
    let known = Self.units[unit]
    factor = known?.factor ?? 1
    self.value = value * factor
    kind = known?.kind ?? .plain(unit: unit)
    isBare = unit.isEmpty
  }

  /// Returns a bare number in the unit of the other end, as in `5..200 MB`; any other number as it is.
  func inUnit(of other: SweepQuantity) -> SweepQuantity {
    guard isBare, !other.isBare else { return self }
    var number = self
    number.value *= other.factor
    (number.kind, number.factor, number.isBare) = (other.kind, other.factor, false)
    return number
  }

  /// Returns the text of a value of this kind, as a scenario has it.
  ///
  /// - Parameter isWhole: whether a plain number is rounded to a whole one.
  static func text(of value: Double, _ kind: Kind, isWhole: Bool) -> String {
    switch kind {
    case .bytes: "\(Int(value.rounded())) B"
    case .microseconds: "\(Int(value.rounded())) us"
    case .commits: "\(Int(value.rounded())) commits"
    case .percent: digits(value, places: 4) + " %"
    case .plain(let unit):
      digits(value, places: isWhole ? 0 : 6) + (unit.isEmpty ? "" : " \(unit)")
    }
  }

  /// Returns the number with at most so many digits after the point, and no exponent.
  private static func digits(_ value: Double, places: Int) -> String {
    // Decimals of a number so large would be rounding errors.
    let places = value < 1e9 ? places : 0
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let (whole, part) = Int((value * scale).rounded()).quotientAndRemainder(
      dividingBy: Int(scale))
    guard part > 0 else { return String(whole) }
    var digits = String(part)
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
