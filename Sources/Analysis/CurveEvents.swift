// What happens along a curve, found once for expectations, reports and CSV: how soon it is back after snapshots ended,
// and how far it rises again.

/// What a curve does after clients let go of the last snapshot.
package struct Reclaim: Sendable, Equatable {
  /// The commit of the release.
  package let release: Int
  /// Before clients held a snapshot; zero where the launch began with one held.
  package let before: Double
  package let atRelease: Double
  /// Commits from the release until it is at `before` or below; nil where it does not come there.
  package let back: Int?
  /// The last that was looked at: commits after the release, and the value.
  package let lastAfter: Int
  package let last: Double

  /// - Parameters:
  ///   - points: value over commits of one launch, in order.
  ///   - release: index of the first point without snapshots.
  ///   - calm: index of the last point before without snapshots; nil where there is none.
  ///   - limit: commits after the release to look at; nil for the whole launch.
  init(_ points: [(commits: Int, value: Double)], release: Int, calm: Int?, within limit: Int?) {
    let begin = points[release].commits
    let before = calm.map { points[$0].value } ?? 0
    let seen = points[release...].prefix { limit == nil || $0.commits <= begin + limit! }
    let end = seen.last ?? points[release]
    self.release = begin
    self.before = before
    atRelease = points[release].value
    back = seen.first { $0.value <= before }.map { $0.commits - begin }
    lastAfter = end.commits - begin
    last = end.value
  }
}

/// How far a curve rises after its least value, the last of equals.
package struct Rebound: Sendable, Equatable {
  package let minimumCommit: Int
  package let least: Double
  package let peakCommit: Int
  package let peak: Double

  /// The peak after the least value ÷ that; nil where that is zero.
  package var ratio: Double? { least > 0 ? peak / least : nil }

  /// - Parameter points: value over commits, in order; at least one.
  init(_ points: [(commits: Int, value: Double)]) {
    let least = points.reduce(points[0]) { $1.value <= $0.value ? $1 : $0 }
    let after = points.drop { $0.commits < least.commits }
    let peak = after.reduce(least) { $1.value > $0.value ? $1 : $0 }
    (minimumCommit, self.least, peakCommit, self.peak) = (
      least.commits, least.value, peak.commits, peak.value
    )
  }
}
