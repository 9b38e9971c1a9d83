// What a number of commits did on average, by which phases of a trace that names none are told apart.

import Statistics

/// Sums over commits.
struct CommitMix: Sendable, Equatable {
  private(set) var commits = 0
  private var sums = [Double](repeating: 0, count: Feature.allCases.count)

  enum Feature: Int, CaseIterable {
    /// Puts on keys above all before in their table.
    case appends
    case puts, deletes, reads, bytes
    /// Snapshots that are open.
    case snapshots
  }

  mutating func add(_ feature: Feature, _ value: Double = 1) { sums[feature.rawValue] += value }
  mutating func endCommit() { commits += 1 }

  mutating func merge(_ other: Self) {
    commits += other.commits
    for index in sums.indices { sums[index] += other.sums[index] }
  }

  func mean(_ feature: Feature) -> Double { sums[feature.rawValue] / Double(max(1, commits)) }

  /// Whether both may be of the same phase: each mean is within a quarter of the other one.
  func isClose(to other: Self) -> Bool {
    Feature.allCases.allSatisfy { feature in
      let (own, others) = (mean(feature), other.mean(feature))
      return abs(own - others) <= max(0.25 * max(own, others), 0.1)
    }
  }
}

/// The mixes of a launch's commits in windows of equal length, of which there are never more than `maxWindows`: when there
/// would be, each two become one.
struct MixWindows: Sendable {
  static let maxWindows = 128
  private static let firstLength = 4
  /// The probability that a boundary is found in a launch without any.
  private static let alpha = 0.01

  private(set) var windows: [CommitMix] = []
  private(set) var length = firstLength
  private var current = CommitMix()

  /// Adds a commit with what came before it.
  mutating func add(_ commit: CommitMix) {
    current.merge(commit)
    guard current.commits >= length else { return }
    windows.append(current)
    current = CommitMix()
    guard windows.count == Self.maxWindows else { return }
    windows = stride(from: 0, to: windows.count, by: 2).map { first in
      var both = windows[first]
      both.merge(windows[first + 1])
      return both
    }
    length *= 2
  }

  /// Returns the commits at which the mix of operations changes.
  func bounds(seed: UInt64) -> [Int] {
    let operations = CommitMix.Feature.allCases.filter { $0 != .snapshots }
    var bounds: Set<Int> = []
    for feature in operations {
      let series = windows.map { $0.mean(feature) }
      guard Set(series).count > 1 else { continue }
      let found = ChangePoints.detect(
        series, alpha: Self.alpha / Double(operations.count), permutations: 999, seed: seed)
      bounds.formUnion(found.map(\.index))
    }
    // Two features seldom change in the very same window.
    var found: [Int] = []
    for bound in bounds.sorted()
    where bound - (found.last ?? 0) >= ChangePoints.minSegmentLength { found.append(bound) }
    return found.map { $0 * length }
  }

  /// Returns the mix of the windows between two commits; of one that has both, where they are near.
  func mix(from first: Int, to last: Int) -> CommitMix {
    var whole = windows
    if current.commits > 0 || whole.isEmpty { whole.append(current) }
    // A window that only begins or ends in there also has other commits.
    let begin = min((first + length - 1) / length, whole.count - 1)
    let end = max(begin + 1, min(last / length, whole.count))
    var mix = CommitMix()
    for window in whole[begin..<end] { mix.merge(window) }
    return mix
  }
}
