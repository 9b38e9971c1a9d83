// The condition of a rule over what a launch callback is given, in parts of which each has one threshold.

/// What a rule without memory decides by.
struct RuleCondition {
  typealias Part = (_ total: Double, _ used: Double) -> Bool

  /// The part with the first threshold. Of growing thresholds it changes once for the same values, as the second part does:
  /// a search tries one of those that decide alike.
  let first: Part
  /// nil where there is one threshold.
  let second: Part?
  /// Whether one part suffices.
  private let isEither: Bool

  private init(_ first: @escaping Part, and second: Part? = nil) {
    (self.first, self.second, isEither) = (first, second, false)
  }

  private init(_ first: @escaping Part, or second: @escaping Part) {
    (self.first, self.second, isEither) = (first, second, true)
  }

  /// nil for a rule with memory.
  init?(_ rule: TunedRule) {
    switch rule {
    case .sizeAndShare(let size, let percent):
      let (size, share) = (Double(size.bytes), Double(percent) / 100)
      self.init({ total, _ in total > size }, and: { total, used in used / total < share })
    case .freeBytes(let bytes):
      let bytes = Double(bytes.bytes)
      self.init { total, used in total - used > bytes }
    case .multiple(let percent):
      let factor = Double(percent) / 100
      self.init { total, used in total > factor * used }
    case .squareRoot(let bytes):
      let bytes = Double(bytes.bytes)
      self.init { total, used in total - used >= (bytes * used).squareRoot() }
    case .capped(let bytes, let percent):
      let (bytes, factor) = (Double(bytes.bytes), Double(percent) / 100)
      // More than the smaller of two is more than one of them.
      self.init(
        { total, used in total - used > bytes }, or: { total, used in total - used > factor * used }
      )
    case .boundedCopy(let free, let used):
      let (free, bound) = (Double(free.bytes), Double(used.bytes))
      self.init({ total, used in total - used > free }, and: { _, used in used < bound })
    case .everyLaunches, .everyHours, .rentOrBuy: return nil
    }
  }

  func holds(_ total: Double, _ used: Double) -> Bool {
    guard let second else { return first(total, used) }
    return isEither
      ? first(total, used) || second(total, used) : first(total, used) && second(total, used)
  }
}
