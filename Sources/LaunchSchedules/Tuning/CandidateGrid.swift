// The thresholds that a search tries: round numbers, from well below what launches saw to well above it.

/// A family's candidates: every pair of a first threshold and a second one.
package struct CandidateGrid: Sendable {
  package let family: PolicyFamily
  /// In the order of the axis; one element where the family has one threshold.
  package let first: [Int]
  package let second: [Int]

  package var count: Int { first.count * second.count }

  package func rule(_ row: Int, _ column: Int) -> TunedRule {
    TunedRule(family, first[row], second[column])
  }

  package init(_ family: PolicyFamily, first: [Int], second: [Int] = [0]) {
    self.family = family
    self.first = first
    self.second = second
  }

  /// The grid over what the launches of the matrices saw. It reaches from a rule that always compacts to one that never does,
  /// and further by `margin`: of thresholds that decide alike the one farthest from what launches saw must be found.
  package init(_ family: PolicyFamily, over matrices: [TuningMatrix]) {
    let seen = SeenValues(matrices)
    switch family {
    case .sizeAndShare:
      self.init(
        family, first: Self.round(Self.widened(seen.total)), second: Array(1...99) + [101])
    case .freeBytes: self.init(family, first: Self.round(Self.widened(seen.free)))
    case .multiple: self.init(family, first: Self.round(100...100_000))
    case .squareRoot:
      self.init(family, first: Self.round(Self.rootRange(seen)))
    case .capped:
      self.init(
        family, first: Self.round(Self.widened(seen.free)),
        second: Self.round(1...10_000, digits: 2))
    case .boundedCopy:
      self.init(
        family, first: Self.round(Self.widened(seen.free)),
        second: Self.round(Self.widened(seen.used), digits: 2))
    case .everyLaunches: self.init(family, first: Array(1...(seen.launches + 1)))
    case .everyHours, .rentOrBuy:
      self.init(family, first: Self.round(1...max(2, Int(seen.hours) + 1)))
    }
  }

  private static let margin = 4

  private static func widened(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
    max(1, range.lowerBound / margin)...(min(range.upperBound, Int.max / 1000) * margin)
  }

  /// The a of √(a · used) at which the most or the fewest free bytes reach it.
  private static func rootRange(_ seen: SeenValues) -> ClosedRange<Int> {
    let most = Double(seen.free.upperBound) * Double(seen.free.upperBound) * Double(margin)
    let limit = min(9e17, most / Double(seen.used.lowerBound))
    return 1000...max(2000, Int(limit.rounded(.up)))
  }

  /// Returns the numbers with so many significant digits from the last at or below the range to the first above it.
  static func round(_ range: ClosedRange<Int>, digits: Int = 3) -> [Int] {
    var base = 1
    for _ in 1..<digits { base *= 10 }
    var numbers: [Int] = []
    var scale = 1
    while scale * base <= range.upperBound, scale < Int.max / (100 * base) { scale *= 10 }
    var step = 1
    while step <= scale {
      let begin = step == 1 ? 1 : base
      numbers += (begin..<(10 * base)).map { $0 * step }
      step *= 10
    }
    let low = numbers.lastIndex { $0 <= range.lowerBound } ?? 0
    let high = numbers.firstIndex { $0 > range.upperBound } ?? numbers.count - 1
    return Array(numbers[low...high])
  }
}

/// The ranges of what launches saw.
private struct SeenValues {
  var total = 1...1
  var free = 1...1
  var used = 1...1
  var launches = 1
  var hours = 1.0

  init(_ matrices: [TuningMatrix]) {
    var totals: [Double] = []
    var frees: [Double] = []
    var useds: [Double] = []
    for matrix in matrices {
      for slot in matrix.slots where slot.total >= 0 {
        totals.append(slot.total)
        frees.append(slot.total - slot.used)
        useds.append(slot.used)
      }
      launches = max(launches, matrix.launches.count)
      hours = max(hours, (matrix.launches.last?.time ?? 0) / 3600)
    }
    total = Self.range(totals)
    free = Self.range(frees)
    used = Self.range(useds)
  }

  private static func range(_ values: [Double]) -> ClosedRange<Int> {
    let positive = values.filter { $0 >= 1 }
    guard let low = positive.min(), let high = positive.max() else { return 1...1 }
    return Int(low)...Int(high)
  }
}
