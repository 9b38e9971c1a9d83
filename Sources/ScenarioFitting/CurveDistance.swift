// How far the growth of a fitted scenario is from that of its trace.

/// The mean distance of two curves of the file's size, as a share of the trace's.
package struct CurveDistance: Sendable, Equatable {
  /// A point of a curve.
  package struct Point: Sendable, Equatable {
    package var launch: Int
    /// Commits since the curve began.
    package var commits: Int
    package var bytes: Int

    package init(launch: Int, commits: Int, bytes: Int) {
      (self.launch, self.commits, self.bytes) = (launch, commits, bytes)
    }
  }

  /// The mean over the trace's points of the absolute difference, as a share of the trace's size there.
  package private(set) var mean = 0.0
  /// The greatest difference, as a share, and the point of the trace at which it is.
  package private(set) var greatest = 0.0
  package private(set) var greatestAt = Point(launch: 0, commits: 0, bytes: 0)
  package private(set) var points = 0

  /// Compares the curves at each point of the trace with the fitted one after the same share of the launch's commits, which
  /// is the same commit where both have as many. Points before the first commit of the first launch are the load's, which
  /// both have.
  package init(of trace: [Point], _ fitted: [Point]) {
    let launches = Dictionary(grouping: fitted, by: \.launch).mapValues(Launch.init)
    for (number, points) in Dictionary(grouping: trace, by: \.launch).sorted(by: { $0.key < $1.key }
    ) {
      guard let other = launches[number] else { continue }
      let own = Launch(points)
      for point in points where point.bytes > 0 {
        let bytes = other.bytes(at: own.share(of: point))
        let difference = abs(bytes - Double(point.bytes)) / Double(point.bytes)
        mean += difference
        self.points += 1
        if difference > greatest { (greatest, greatestAt) = (difference, point) }
      }
    }
    if points > 0 { mean /= Double(points) }
  }

  /// The curve of a launch.
  private struct Launch {
    let points: [Point]
    let first: Int
    let length: Int

    init(_ points: [Point]) {
      self.points = points
      first = points.map(\.commits).min() ?? 0
      length = (points.map(\.commits).max() ?? 0) - first
    }

    func share(of point: Point) -> Double {
      length > 0 ? Double(point.commits - first) / Double(length) : 1
    }

    /// Returns the size after a share of the launch's commits, between two points on a straight line.
    func bytes(at share: Double) -> Double {
      let commit = Double(first) + share * Double(length)
      // The last of several points at one commit: a phase's end and the next one's beginning.
      guard let after = points.firstIndex(where: { Double($0.commits) >= commit - 1e-9 }) else {
        return Double(points.last?.bytes ?? 0)
      }
      let next = points[after]
      guard after > 0, Double(next.commits) > commit + 1e-9 else { return Double(next.bytes) }
      let previous = points[after - 1]
      let width = Double(next.commits - previous.commits)
      guard width > 0 else { return Double(next.bytes) }
      let weight = (commit - Double(previous.commits)) / width
      return Double(previous.bytes) * (1 - weight) + Double(next.bytes) * weight
    }
  }
}
