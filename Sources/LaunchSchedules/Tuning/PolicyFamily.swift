// The forms of predicates that a search fills in.

/// A form of predicate, of which thresholds make a rule.
package enum PolicyFamily: String, CaseIterable, Hashable, Sendable, Codable {
  case sizeAndShare = "size-and-share"
  case freeBytes = "free-bytes"
  case multiple
  case squareRoot = "square-root"
  case capped
  case boundedCopy = "bounded-copy"
  case everyLaunches = "every-launches"
  case everyHours = "every-hours"
  case rentOrBuy = "rent-or-buy"

  /// Whether an app has to store something between launches to follow the rule.
  package var hasMemory: Bool {
    switch self {
    case .sizeAndShare, .freeBytes, .multiple, .squareRoot, .capped, .boundedCopy: false
    case .everyLaunches, .everyHours, .rentOrBuy: true
    }
  }

  /// The predicate, with thresholds in capitals.
  package var form: String {
    switch self {
    case .sizeAndShare: "totalBytes > SIZE && usedBytes / totalBytes < SHARE"
    case .freeBytes: "totalBytes - usedBytes > SIZE"
    case .multiple: "totalBytes > FACTOR * usedBytes"
    case .squareRoot: "totalBytes - usedBytes >= sqrt(SIZE * usedBytes)"
    case .capped: "totalBytes - usedBytes > min(SIZE, FACTOR * usedBytes)"
    case .boundedCopy: "totalBytes - usedBytes > FREE && usedBytes < SIZE"
    case .everyLaunches: "launchesSinceCompaction >= COUNT"
    case .everyHours: "timeSinceCompaction >= TIME"
    case .rentOrBuy: "wasteSinceCompaction >= TIME * usedBytes"
    }
  }

  package var meaning: String {
    switch self {
    case .sizeAndShare: "a file above a size, of which less than a share is used"
    case .freeBytes: "more free bytes than a threshold"
    case .multiple: "a file longer than a multiple of the used bytes"
    case .squareRoot: "more free bytes than the root of a size times the used bytes"
    case .capped: "more free bytes than a multiple of the used bytes, or than a size"
    case .boundedCopy: "more free bytes than a threshold, while there is little to copy"
    case .everyLaunches: "every n launches"
    case .everyHours: "the first launch n hours after a compaction"
    case .rentOrBuy: "wasted bytes over time have reached the price of compacting"
    }
  }
}
