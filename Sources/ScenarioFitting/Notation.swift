// Numbers as a scenario file and its comments have them. The parser's own notation is not used: it reads.
import Generators
import MetricModel

enum Notation {
  /// A number in a comment: `48,112`.
  static func count(_ value: Int) -> String { grouped(value) }

  /// A number in the file: `48_112`.
  static func number(_ value: Int) -> String { grouped(value).replacing(",", with: "_") }

  /// Returns the value with at most so many decimals, without zeros at its end.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: scale)
    var decimals = String(String(scale + rest).dropFirst())
    while decimals.hasSuffix("0") { decimals.removeLast() }
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return sign + String(whole) + (decimals.isEmpty || digits == 0 ? "" : "." + decimals)
  }

  /// `99.2 %`.
  static func share(_ part: Int, of whole: Int) -> String {
    whole > 0 ? decimal(100 * Double(part) / Double(whole), 1) + " %" : "0 %"
  }

  static func bytes(_ value: Int) -> String {
    if value >= 10_000, value % 1000 == 0 { return "\(number(value / 1000)) kB" }
    return "\(number(value)) B"
  }

  /// Returns the size with three digits, as a fitted one is no more exact.
  static func roundedSize(_ value: Int) -> Int {
    var scale = 1
    while value / scale >= 1000 { scale *= 10 }
    return (value + scale / 2) / scale * scale
  }

  /// Returns a time in the largest unit in which three digits suffice.
  static func time(_ time: VirtualTime) -> String {
    let units = [
      ("d", 86_400e6), ("h", 3600e6), ("min", 60e6), ("s", 1e6), ("ms", 1e3), ("us", 1.0),
    ]
    let value = Double(time.microseconds)
    for (unit, length) in units where value >= length {
      return "\(decimal(value / length, value / length < 10 ? 2 : 1)) \(unit)"
    }
    return "0 s"
  }

  /// Returns the rate with three digits, as a fitted one is no more exact, in the shortest unit in which it is at least one:
  /// `100 per s`, `2.5 per min`.
  static func rate(_ perSecond: Double) -> String {
    let units = [("s", 1.0), ("min", 60), ("h", 3600), ("d", 86_400)]
    let (unit, seconds) = units.first { perSecond * $0.1 >= 0.999 } ?? units[3]
    return "\(threeDigits(perSecond * seconds)) per \(unit)"
  }

  private static func threeDigits(_ value: Double) -> String {
    if value >= 1000 { return number(roundedSize(Int(value.rounded()))) }
    return decimal(value, value >= 100 ? 0 : value >= 10 ? 1 : 2)
  }
}

extension KeyDistribution {
  /// The distribution as a scenario file has it.
  var written: String {
    func theta(_ permille: Int) -> String { Notation.decimal(Double(permille) / 1000, 3) }
    func share(_ permille: Int) -> String { Notation.decimal(Double(permille) / 10, 1) + " %" }
    return switch self {
    case .uniform: "uniform"
    case .zipfian(let permille): "zipfian \(theta(permille))"
    case .scrambledZipfian(let permille): "scrambled \(theta(permille))"
    case .latest(let permille): "latest \(theta(permille))"
    case .hotspot(let operations, let rows): "hotspot \(share(operations)) on \(share(rows))"
    case .sequential: "sequential"
    case .fifo: "fifo"
    case .histogram: preconditionFailure("no fit is a histogram of keys")
    }
  }
}

extension SizeDistribution {
  var written: String {
    switch self {
    case .fixed(let size): return Notation.bytes(size)
    case .uniform(let low, let high): return Self.range(low, high)
    case .logNormal(let median, let sigma, let greatest):
      let deviation = Notation.decimal(Double(sigma) / 1000, 3)
      return
        "log-normal \(Notation.bytes(median)) sigma \(deviation) up to \(Notation.bytes(greatest))"
    case .mixture(let parts):
      return parts.map {
        "\(Notation.decimal(Double($0.shareMillionths) / 10_000, 4)) % \(Self.range($0.low, $0.high))"
      }.joined(separator: " and ")
    case .histogram: preconditionFailure("no fit is a histogram of sizes")
    }
  }

  private static func range(_ low: Int, _ high: Int) -> String {
    low == high ? Notation.bytes(low) : "\(Notation.bytes(low)) to \(Notation.bytes(high))"
  }
}

extension LifetimeDistribution {
  var written: String {
    let commits = Notation.commits
    func decimal(_ permille: Int) -> String { Notation.decimal(Double(permille) / 1000, 3) }
    return switch self {
    case .fixed(let count): commits(count)
    case .uniform(let low, let high): "\(Notation.number(low)) to \(commits(high))"
    case .exponential(let mean): "exponential \(commits(mean))"
    case .logNormal(let median, let sigma): "log-normal \(commits(median)) \(decimal(sigma))"
    case .pareto(let least, let alpha): "pareto \(commits(least)) \(decimal(alpha))"
    case .never: "never"
    }
  }
}

extension Notation {
  /// `1 commit`, `3_000 commits`, in the file.
  static func commits(_ value: Int) -> String {
    "\(number(value)) commit\(value == 1 ? "" : "s")"
  }

  /// `1 update`, `48,112 updates`.
  static func counted(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? noun : plural ?? noun + "s")"
  }
}
