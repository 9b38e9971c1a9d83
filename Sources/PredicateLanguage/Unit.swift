// The units that a number may carry. They give it its dimension.

/// The form in which a value is printed, from its dimension as far as the text and its variables declare it.
package enum Quantity: Hashable, Sendable {
  case number
  case bytes
  /// A number without dimension for which 1 is the whole: `50 %`, bytes over bytes.
  case share
  case seconds
}

/// `MB` in `100 MB`.
struct Unit: Hashable, Sendable {
  var text: String
  var factor: Double
  var dimension: Dimension

  /// Case matters: `kB`, `MB` are powers of ten; `KiB`, `MiB` are powers of two.
  static let all: [Unit] = [
    Unit(text: "B", factor: 1, dimension: .bytes),
    Unit(text: "kB", factor: 1e3, dimension: .bytes),
    Unit(text: "MB", factor: 1e6, dimension: .bytes),
    Unit(text: "GB", factor: 1e9, dimension: .bytes),
    Unit(text: "TB", factor: 1e12, dimension: .bytes),
    Unit(text: "KiB", factor: 1024, dimension: .bytes),
    Unit(text: "MiB", factor: 1_048_576, dimension: .bytes),
    Unit(text: "GiB", factor: 1_073_741_824, dimension: .bytes),
    Unit(text: "TiB", factor: 1_099_511_627_776, dimension: .bytes),
    Unit(text: "%", factor: 0.01, dimension: .share),
    Unit(text: "ms", factor: 0.001, dimension: .seconds),
    Unit(text: "s", factor: 1, dimension: .seconds),
    Unit(text: "min", factor: 60, dimension: .seconds),
    Unit(text: "h", factor: 3600, dimension: .seconds),
    Unit(text: "d", factor: 86_400, dimension: .seconds),
  ]

  static func named(_ text: some StringProtocol) -> Unit? { all.first { $0.text == text } }

  /// Returns the unit that a misspelled one may mean; nil if the text is like no unit.
  static func hint(for text: String) -> String? {
    switch text.lowercased() {
    case "b", "byte", "bytes": "write B for bytes"
    case "k", "kb", "ki", "kib": "write kB for 1000 bytes or KiB for 1024 bytes"
    case "m", "mb", "mi", "mib": "write MB for 10^6 bytes or MiB for 2^20 bytes"
    case "g", "gb", "gi", "gib": "write GB for 10^9 bytes or GiB for 2^30 bytes"
    case "t", "tb", "ti", "tib": "write TB for 10^12 bytes or TiB for 2^40 bytes"
    case "percent": "write %"
    case "sec", "secs", "second", "seconds": "write s for seconds"
    case "mins", "minute", "minutes": "write min for minutes"
    case "hr", "hour", "hours": "write h for hours"
    case "day", "days": "write d for days"
    default: nil
    }
  }
}
