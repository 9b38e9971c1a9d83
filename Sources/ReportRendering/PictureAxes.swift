// Axes in units that people read: steps of 1, 2 or 5 times a power of ten, and numbers without needless digits.
import MetricModel

/// Sizes from zero.
struct ByteAxis {
  let top: ByteCount
  let ticks: [ByteCount]

  /// - Parameter count: of ticks above zero, at most; with three or more there is at least one, since a step of 1, 2 or
  ///   5 is at most 2.5 times what was asked for.
  init(top greatest: ByteCount, ticks count: Int) {
    let step = NiceStep.at(least: Double(greatest.bytes) / Double(count))
    top = ByteCount(greatest.bytes + greatest.bytes / 16 + 1)
    ticks = (0...(top.bytes / step)).map { ByteCount($0 * step) }
  }

  /// `0`, `500 kB`, `2.5 MB`, `20 MB`
  func label(_ bytes: ByteCount) -> String {
    var (value, unit) = (bytes.bytes * 10, 0)
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while value >= 10_000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    guard bytes.bytes > 0 else { return "0" }
    let digits = value.isMultiple(of: 10) ? "\(value / 10)" : "\(value / 10).\(value % 10)"
    return "\(digits) \(units[unit])"
  }
}

enum CommitAxis {
  static func ticks(to last: Int, count: Int) -> [Int] {
    Array(stride(from: 0, through: last, by: NiceStep.at(least: Double(last) / Double(count))))
  }
}

enum NiceStep {
  /// 1, 2 or 5 times a power of ten, at least so much.
  static func at(least: Double) -> Int {
    var power = 1
    while true {
      for factor in [1, 2, 5] where Double(factor * power) >= least { return factor * power }
      power *= 10
    }
  }
}

extension Double {
  /// In a picture's units, with at most one decimal.
  var px: String {
    let tenths = Int((self * 10).rounded())
    let (whole, part) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? "-" : "")\(whole)" + (part == 0 ? "" : ".\(part)")
  }
}

extension String {
  /// As text in markup; what XML has no character for is shown as a replacement.
  var asMarkup: String {
    var text = ""
    for scalar in visible.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
