// What a number measures, as exponents of the base dimensions, so that a slip such as `usedBytes < 50 %` is refused and
// explanations print a value in its unit.

/// `bytes^a · seconds^b · count^c`, or a plain number, which fits any of them.
package struct Dimension: Hashable, Sendable {
  private(set) var bytes = 0
  private(set) var seconds = 0
  private(set) var count = 0
  /// A number without a unit: `20 * 1024 * 1024` may be bytes, `0.5` a share, `3` a count.
  private(set) var isPlain = false

  package static let plain = Dimension(isPlain: true)
  /// A ratio of two quantities that measure the same: `50 %`, bytes over bytes.
  package static let share = Dimension()
  package static let bytes = Dimension(bytes: 1)
  package static let seconds = Dimension(seconds: 1)
  package static let byteSeconds = Dimension(bytes: 1, seconds: 1)
  package static let count = Dimension(count: 1)

  static func * (a: Self, b: Self) -> Self {
    Dimension(
      bytes: a.bytes + b.bytes, seconds: a.seconds + b.seconds, count: a.count + b.count,
      isPlain: a.isPlain && b.isPlain)
  }

  static func / (a: Self, b: Self) -> Self {
    Dimension(
      bytes: a.bytes - b.bytes, seconds: a.seconds - b.seconds, count: a.count - b.count,
      isPlain: a.isPlain && b.isPlain)
  }

  /// The dimension whose square this one is; nil where there is none.
  var squareRoot: Self? {
    if isPlain { return self }
    let isCounted = bytes == 0 && seconds == 0
    guard bytes.isMultiple(of: 2), seconds.isMultiple(of: 2), !isCounted || count.isMultiple(of: 2)
    else { return nil }
    return Dimension(bytes: bytes / 2, seconds: seconds / 2, count: isCounted ? count / 2 : 0)
  }

  /// Whether values of the two may be compared and added. Bytes for each commit are bytes: no unit is written for them.
  package func fits(_ other: Self) -> Bool {
    if isPlain || other.isPlain { return true }
    guard bytes == other.bytes, seconds == other.seconds else { return false }
    return count == other.count || bytes != 0 || seconds != 0
  }

  /// The dimension of a sum with `other`, which fits.
  func added(to other: Self) -> Self { isPlain ? other : self }

  /// The form in which values of this dimension are printed.
  var quantity: Quantity {
    switch (bytes, seconds) {
    case (1, 0): .bytes
    case (0, 1): .seconds
    case (0, 0): count == 0 && !isPlain ? .share : .number
    default: .number
    }
  }
}

extension Dimension: CustomStringConvertible {
  /// The dimension in messages: `bytes`, `a time`, `a share`, `a quantity in B^2`.
  package var description: String {
    switch self {
    case _ where isPlain: return "a plain number"
    case .share: return "a share"
    case _ where quantity == .bytes: return "bytes"
    case _ where quantity == .seconds: return "a time"
    case .count: return "a count"
    default: break
    }
    let isCounted = bytes == 0 && seconds == 0
    let factors = [("B", bytes), ("s", seconds), ("count", isCounted ? count : 0)]
    let above = Self.product(factors.filter { $0.1 > 0 })
    let below = Self.product(factors.filter { $0.1 < 0 })
    return "a quantity in \(above.isEmpty ? "1" : above)\(below.isEmpty ? "" : "/\(below)")"
  }

  private static func product(_ factors: [(String, Int)]) -> String {
    factors.map { abs($0.1) == 1 ? $0.0 : "\($0.0)^\(abs($0.1))" }.joined(separator: "*")
  }
}
