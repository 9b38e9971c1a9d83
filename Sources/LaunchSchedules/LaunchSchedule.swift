// A schedule: the launches at which a database is compacted.

package struct LaunchSchedule: Hashable, Comparable, Sendable {
  /// Ascending, from 1.
  package let launches: [Int]

  package init(_ launches: some Sequence<Int>) { self.launches = Set(launches).sorted() }

  /// The launch of the last compaction at or before this one; 0 if there is none.
  package func lastCompaction(atOrBefore launch: Int) -> Int {
    launches.last { $0 <= launch } ?? 0
  }

  package static func < (a: Self, b: Self) -> Bool {
    a.launches.lexicographicallyPrecedes(b.launches)
  }

  /// Neighbors as ranges: 2, 4 to 6.
  private var ranges: [ClosedRange<Int>] {
    launches.reduce(into: []) { ranges, launch in
      if let last = ranges.last, last.upperBound == launch - 1 {
        ranges[ranges.count - 1] = last.lowerBound...launch
      } else {
        ranges.append(launch...launch)
      }
    }
  }

  /// `no launch`, `launch 5`, `launches 2, 4 to 6`.
  package var words: String {
    if launches.isEmpty { return "no launch" }
    return (launches.count == 1 ? "launch " : "launches ") + numbers
  }

  /// `2, 4 to 6`; `none` for no launch.
  package var numbers: String {
    if launches.isEmpty { return "none" }
    return ranges.map { range in
      switch range.count {
      case 1: "\(range.lowerBound)"
      case 2: "\(range.lowerBound), \(range.upperBound)"
      default: "\(range.lowerBound) to \(range.upperBound)"
      }
    }.joined(separator: ", ")
  }

  /// The condition that holds at these launches, as a policy has it. Of no launch it never holds, and is evaluated all the
  /// same: Realm Core makes an empty commit where it has a condition to evaluate.
  package var condition: String { condition(on: "launch") }

  /// - Parameter number: the variable with the number of an opening.
  package func condition(on number: String) -> String {
    if launches.isEmpty { return "\(number) == 0" }
    return ranges.map { range in
      range.count == 1
        ? "\(number) == \(range.lowerBound)"
        : "\(number) >= \(range.lowerBound) && \(number) <= \(range.upperBound)"
    }.joined(separator: " || ")
  }

  /// Whether the predicate language takes the condition: it has a limit on the parts of a text.
  package var hasCondition: Bool { ranges.count <= Self.maxRanges }

  private static let maxRanges = 50
}
