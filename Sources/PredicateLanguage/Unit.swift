// The units that a number may carry. They say what kind of quantity a number is, so that explanations can print it.

/// What a number measures, as far as its text or its variable tells.
package enum Quantity: String, Hashable, Sendable, Codable {
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
  var quantity: Quantity

  /// Case matters: `kB`, `MB` are powers of ten; `KiB`, `MiB` are powers of two.
  static let all: [Unit] = [
    Unit(text: "B", factor: 1, quantity: .bytes),
    Unit(text: "kB", factor: 1e3, quantity: .bytes),
    Unit(text: "MB", factor: 1e6, quantity: .bytes),
    Unit(text: "GB", factor: 1e9, quantity: .bytes),
    Unit(text: "TB", factor: 1e12, quantity: .bytes),
    Unit(text: "KiB", factor: 1024, quantity: .bytes),
    Unit(text: "MiB", factor: 1_048_576, quantity: .bytes),
    Unit(text: "GiB", factor: 1_073_741_824, quantity: .bytes),
    Unit(text: "TiB", factor: 1_099_511_627_776, quantity: .bytes),
    Unit(text: "%", factor: 0.01, quantity: .share),
    Unit(text: "ms", factor: 0.001, quantity: .seconds),
    Unit(text: "s", factor: 1, quantity: .seconds),
    Unit(text: "min", factor: 60, quantity: .seconds),
    Unit(text: "h", factor: 3600, quantity: .seconds),
    Unit(text: "d", factor: 86_400, quantity: .seconds),
  ]

  static func named(_ text: some StringProtocol) -> Unit? { all.first { $0.text == text } }

  /// What the writer of a unit that does not exist may have meant; nil where the text is like no unit.
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
