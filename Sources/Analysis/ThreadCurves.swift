// The curves of a cell's runs on real threads beside the exact one: the range that they cover, and where they leave the
// exact curve by more than a band. Then the stepped model does not describe what happens there on real threads.
package import MetricModel
package import RecordModel

package struct ThreadCurves: Sendable, Equatable {
  /// A run may be ahead or behind by this share of the launch's commits: its size is compared with all exact sizes so far
  /// before and after.
  package static let maxShift = 0.05
  /// Beyond the smallest and the largest of them, this share of it or `minTolerance`, whichever is more, is allowed.
  package static let tolerance = 0.10
  package static let minTolerance = ByteCount(1 << 20)
  /// The band in words, for reports.
  package static let bandText =
    "10 % or 1 MiB beyond the exact sizes within 5 % of the launch's commits before and after"

  /// The smallest and the largest size of all runs, from one commit to another.
  package struct Spread: Sendable, Equatable {
    package let firstCommit: Int
    package let lastCommit: Int
    package let low: ByteCount
    package let high: ByteCount
  }

  /// Where a run is farthest from the exact curve, of the runs that leave the band.
  package struct Departure: Sendable, Equatable {
    package let launch: Int
    package let phase: String
    package let commit: Int
    package let size: ByteCount
    /// The exact sizes that it was compared with.
    package let exact: ClosedRange<ByteCount>
    /// By how much the size is beyond the band.
    package let excess: ByteCount
  }

  /// The number of runs.
  package let runs: Int
  package let spread: [Spread]
  /// One for each run that leaves the band.
  package let departures: [Departure]

  package var widest: Departure? { departures.max { $0.excess < $1.excess } }

  /// The number of pieces that the range is computed for.
  private static let spreadCount = 160

  /// - Returns: nil without an exact curve or without runs that have samples.
  package init?(exact: [Sample], runs: [[Sample]]) {
    let runs = runs.filter { !$0.isEmpty }
    guard !exact.isEmpty, !runs.isEmpty else { return nil }
    self.runs = runs.count
    spread = Self.spread(runs)
    let band = ExactBand(exact)
    departures = runs.compactMap { run in
      run.compactMap { band.departure(of: $0) }.max { $0.excess < $1.excess }
    }
  }

  private static func spread(_ runs: [[Sample]]) -> [Spread] {
    let last = runs.compactMap { $0.last?.observation.commits }.max() ?? 0
    let bounds = (0...spreadCount).map { $0 * last / spreadCount }
    let all = runs.map { extremes(of: $0, within: bounds) }
    return (0..<spreadCount).compactMap { index in
      guard bounds[index] < bounds[index + 1],
        let low = all.map({ $0[index].lowerBound }).min(),
        let high = all.map({ $0[index].upperBound }).max()
      else { return nil }
      return Spread(
        firstCommit: bounds[index], lastCommit: bounds[index + 1], low: low, high: high)
    }
  }

  /// Returns the smallest and the largest size between each two bounds; each sample counts until the next.
  private static func extremes(
    of run: [Sample], within bounds: [Int]
  ) -> [ClosedRange<ByteCount>] {
    var next = 0
    var size = run[0].observation.space.total
    return (0..<bounds.count - 1).map { index in
      var (low, high) = (size, size)
      while next < run.count, run[next].observation.commits <= bounds[index + 1] {
        size = run[next].observation.space.total
        (low, high) = (min(low, size), max(high, size))
        next += 1
      }
      return low...high
    }
  }
}

/// The exact sizes by commit, for comparison with sizes that may be shifted.
private struct ExactBand {
  private let commits: [Int]
  private let lows: RangeExtremes
  private let highs: RangeExtremes
  private let shifts: [Int: Int]

  init(_ exact: [Sample]) {
    commits = exact.map(\.observation.commits)
    let sizes = exact.map(\.observation.space.total.bytes)
    lows = RangeExtremes(sizes, isMaximum: false)
    highs = RangeExtremes(sizes, isMaximum: true)
    shifts = Dictionary(grouping: exact, by: \.observation.launch).mapValues { launch in
      let span = launch[launch.count - 1].observation.commits - launch[0].observation.commits
      return max(1, Int((ThreadCurves.maxShift * Double(span)).rounded()))
    }
  }

  /// Returns how the sample is outside of the band; nil if it is within.
  func departure(of sample: Sample) -> ThreadCurves.Departure? {
    let observation = sample.observation
    let size = observation.space.total
    let shift = shifts[observation.launch] ?? 1
    // The sample before the window counts until the next one.
    let begin = max(0, firstIndex(above: observation.commits - shift) - 1)
    let end = max(begin + 1, firstIndex(above: observation.commits + shift))
    let low = ByteCount(lows.of(begin..<end))
    let high = ByteCount(highs.of(begin..<end))
    let excess = max(size - (high + Self.tolerance(high)), (low - Self.tolerance(low)) - size)
    guard excess > .zero else { return nil }
    return ThreadCurves.Departure(
      launch: observation.launch, phase: sample.phase, commit: observation.commits, size: size,
      exact: low...high, excess: excess)
  }

  private static func tolerance(_ size: ByteCount) -> ByteCount {
    max(
      ThreadCurves.minTolerance,
      ByteCount(Int((ThreadCurves.tolerance * Double(size.bytes)).rounded())))
  }

  private func firstIndex(above commit: Int) -> Int {
    var (low, high) = (0, commits.count)
    while low < high {
      let middle = (low + high) / 2
      if commits[middle] <= commit { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The minimum or maximum of any range of a list, from those of all ranges whose length is a power of two.
private struct RangeExtremes {
  private let levels: [[Int]]
  private let isMaximum: Bool

  init(_ values: [Int], isMaximum: Bool) {
    self.isMaximum = isMaximum
    var levels = [values]
    var length = 1
    while 2 * length <= values.count {
      let below = levels[levels.count - 1]
      levels.append(
        (0...(values.count - 2 * length)).map { index in
          let pair = (below[index], below[index + length])
          return isMaximum ? max(pair.0, pair.1) : min(pair.0, pair.1)
        })
      length *= 2
    }
    self.levels = levels
  }

  /// Returns the extreme value in a range that is not empty.
  func of(_ range: Range<Int>) -> Int {
    let level = Int.bitWidth - 1 - range.count.leadingZeroBitCount
    let pair = (levels[level][range.lowerBound], levels[level][range.upperBound - (1 << level)])
    return isMaximum ? max(pair.0, pair.1) : min(pair.0, pair.1)
  }
}
