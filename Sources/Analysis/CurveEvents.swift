// Events of a curve, for expectations, reports and CSV: reclamation after snapshots are released, and rebound.

/// The course of a curve after the last snapshot was released.
package struct Reclaim: Sendable, Equatable {
  /// The commit of the release.
  package let release: Int
  /// The value before a snapshot was held; zero if the launch started with one held.
  package let before: Double
  package let atRelease: Double
  /// Commits from the release until the value is at `before` or below; nil if it never is.
  package let commitsToRecover: Int?
  /// The commits after the release that were examined, and the value at the last of them.
  package let commitsObserved: Int
  package let lastValue: Double

  /// - Parameters:
  ///   - points: value over commits of one launch, in order.
  ///   - release: index of the first point without snapshots.
  ///   - lastUnpinned: index of the last point before it without snapshots; nil if there is none.
  ///   - limit: commits after the release to examine; nil for the whole launch.
  init(
    _ points: [(commits: Int, value: Double)], release: Int, lastUnpinned: Int?, within limit: Int?
  ) {
    let begin = points[release].commits
    let before = lastUnpinned.map { points[$0].value } ?? 0
    let seen = points[release...].prefix { limit == nil || $0.commits <= begin + limit! }
    let end = seen.last ?? points[release]
    self.release = begin
    self.before = before
    atRelease = points[release].value
    commitsToRecover = seen.first { $0.value <= before }.map { $0.commits - begin }
    commitsObserved = end.commits - begin
    lastValue = end.value
  }
}

/// The rise of a curve after its minimum, the last of equal ones.
package struct Rebound: Sendable, Equatable {
  package let minimumCommit: Int
  package let minimum: Double
  package let peakCommit: Int
  package let peak: Double

  /// The peak after the minimum ÷ the minimum; nil if that is zero.
  package var ratio: Double? { minimum > 0 ? peak / minimum : nil }

  /// - Parameter points: value over commits, in order; at least one.
  init(_ points: [(commits: Int, value: Double)]) {
    let minimum = points.reduce(points[0]) { $1.value <= $0.value ? $1 : $0 }
    let after = points.drop { $0.commits < minimum.commits }
    let peak = after.reduce(minimum) { $1.value > $0.value ? $1 : $0 }
    (minimumCommit, self.minimum, peakCommit, self.peak) = (
      minimum.commits, minimum.value, peak.commits, peak.value
    )
  }
}
