// A rule for launches with its thresholds filled in: what a search tries, and what an app ships.
package import MetricModel
package import RecordModel

/// A predicate of a family, with its thresholds.
package enum TunedRule: Hashable, Sendable {
  /// `totalBytes > size && usedBytes / totalBytes < percent`: the form of Realm's documents.
  case sizeAndShare(size: ByteCount, percent: Int)
  /// `totalBytes - usedBytes > bytes`.
  case freeBytes(ByteCount)
  /// `totalBytes > percent / 100 * usedBytes`.
  case multiple(percent: Int)
  /// `totalBytes - usedBytes >= sqrt(bytes * usedBytes)` (Kirisame et al., OOPSLA 2022).
  case squareRoot(ByteCount)
  /// `totalBytes - usedBytes > min(bytes, percent / 100 * usedBytes)`: a share of small files, no more than a fixed waste of
  /// large ones.
  case capped(bytes: ByteCount, percent: Int)
  /// `totalBytes - usedBytes > free && usedBytes < used`: while there is little to copy.
  case boundedCopy(free: ByteCount, used: ByteCount)
  /// At each n-th launch after a compaction.
  case everyLaunches(Int)
  /// At the first launch that is so many hours after a compaction.
  case everyHours(Int)
  /// When the wasted bytes × their time since a compaction reach the used bytes × so many hours (rent or buy: Karlin, Kenyon
  /// and Randall, STOC 2001).
  case rentOrBuy(hours: Int)

  /// - Parameters:
  ///   - first: the only or the first threshold, as in the order of the case.
  ///   - second: 0 where there is one.
  package init(_ family: PolicyFamily, _ first: Int, _ second: Int = 0) {
    self =
      switch family {
      case .sizeAndShare: .sizeAndShare(size: ByteCount(first), percent: second)
      case .freeBytes: .freeBytes(ByteCount(first))
      case .multiple: .multiple(percent: first)
      case .squareRoot: .squareRoot(ByteCount(first))
      case .capped: .capped(bytes: ByteCount(first), percent: second)
      case .boundedCopy: .boundedCopy(free: ByteCount(first), used: ByteCount(second))
      case .everyLaunches: .everyLaunches(first)
      case .everyHours: .everyHours(first)
      case .rentOrBuy: .rentOrBuy(hours: first)
      }
  }

  /// The rule that a record has; nil for a family that this program does not know.
  package init?(_ found: TunedFamily) {
    guard let family = PolicyFamily(rawValue: found.family), let first = found.thresholds.first
    else { return nil }
    self.init(family, first, found.thresholds.count > 1 ? found.thresholds[1] : 0)
  }

  /// The thresholds in the order of the case.
  package var thresholds: [Int] {
    switch self {
    case .sizeAndShare(let size, let percent): [size.bytes, percent]
    case .capped(let bytes, let percent): [bytes.bytes, percent]
    case .boundedCopy(let free, let used): [free.bytes, used.bytes]
    case .freeBytes(let bytes), .squareRoot(let bytes): [bytes.bytes]
    case .multiple(let number), .everyLaunches(let number), .everyHours(let number),
      .rentOrBuy(let number):
      [number]
    }
  }

  package var family: PolicyFamily {
    switch self {
    case .sizeAndShare: .sizeAndShare
    case .freeBytes: .freeBytes
    case .multiple: .multiple
    case .squareRoot: .squareRoot
    case .capped: .capped
    case .boundedCopy: .boundedCopy
    case .everyLaunches: .everyLaunches
    case .everyHours: .everyHours
    case .rentOrBuy: .rentOrBuy
    }
  }

  /// The rule as a policy of a scenario file.
  package var policy: String {
    switch self {
    case .sizeAndShare(let size, let percent):
      "on-launch: totalBytes > \(Self.text(size)) && usedBytes / totalBytes < \(percent) %"
    case .freeBytes(let bytes): "on-launch: totalBytes - usedBytes > \(Self.text(bytes))"
    case .multiple(let percent):
      "on-launch: totalBytes > \(Self.factor(percent)) * usedBytes"
    case .squareRoot(let bytes):
      "on-launch: totalBytes - usedBytes >= sqrt(\(Self.text(bytes)) * usedBytes)"
    case .capped(let bytes, let percent):
      "on-launch: totalBytes - usedBytes > min(\(Self.text(bytes)), \(Self.factor(percent)) * usedBytes)"
    case .boundedCopy(let free, let used):
      "on-launch: totalBytes - usedBytes > \(Self.text(free)) && usedBytes < \(Self.text(used))"
    case .everyLaunches(let count): "on-launch: launchesSinceCompaction >= \(count)"
    case .everyHours(let hours): "on-launch: timeSinceCompaction >= \(hours) h"
    case .rentOrBuy(let hours): "on-launch: wasteSinceCompaction >= \(hours) h * usedBytes"
    }
  }

  /// `48.2 MB`: exact, since thresholds have three significant digits.
  private static func text(_ bytes: ByteCount) -> String {
    for (unit, scale) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]
    where bytes.bytes >= scale {
      let (whole, rest) = bytes.bytes.quotientAndRemainder(dividingBy: scale)
      guard rest > 0 else { return "\(whole) \(unit)" }
      var digits = String(scale + rest).dropFirst()
      while digits.last == "0" { digits.removeLast() }
      return "\(whole).\(digits) \(unit)"
    }
    return "\(bytes.bytes) B"
  }

  /// `2.5` for 250 %.
  package static func factor(_ percent: Int) -> String {
    let (whole, rest) = percent.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
