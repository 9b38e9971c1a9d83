// Downsampling of curves that preserves peaks: of each bucket of points the first, minimum, maximum and last remain (M4:
// Jugel et al., VLDB 2014). Points are added one by one in bounded memory, so that millions of samples cost as little as
// thousands.
package import MetricModel

/// A curve of bytes over commits, with as many points as a picture can show.
package struct Curve: Sendable {
  package static let maxPoints = 1200

  package struct Point: Equatable, Sendable {
    package var commit: Int
    package var bytes: ByteCount

    package init(commit: Int, bytes: ByteCount) {
      self.commit = commit
      self.bytes = bytes
    }
  }

  package let points: [Point]

  package init(_ all: some Sequence<Point>, maxPoints: Int = Self.maxPoints) {
    var sampler = CurveDownsampler(maxPoints: maxPoints)
    for point in all { sampler.add(point) }
    points = sampler.points
  }
}

/// A curve that is given point by point, in the order of commits.
package struct CurveDownsampler: Sendable {
  private struct Bucket {
    var first: Curve.Point
    var minimum: Curve.Point
    var maximum: Curve.Point
    var last: Curve.Point

    init(_ point: Curve.Point) { (first, minimum, maximum, last) = (point, point, point, point) }

    mutating func add(_ point: Curve.Point) {
      if point.bytes < minimum.bytes { minimum = point }
      if point.bytes > maximum.bytes { maximum = point }
      last = point
    }

    mutating func add(_ other: Self) {
      if other.minimum.bytes < minimum.bytes { minimum = other.minimum }
      if other.maximum.bytes > maximum.bytes { maximum = other.maximum }
      last = other.last
    }

    /// In order, each once.
    var points: [Curve.Point] {
      let inner = minimum.commit <= maximum.commit ? [minimum, maximum] : [maximum, minimum]
      return ([first] + inner + [last]).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
  }

  private let maxPoints: Int
  /// All points, as long as there are no more than `maxPoints`.
  private var unbucketed: [Curve.Point] = []
  private var buckets: [Bucket] = []
  /// Points that each bucket but the last holds, and that the last holds.
  private var width = 0
  private var filled = 0
  private var pending: Curve.Point?
  private var level: ByteCount?

  /// - Parameter maxPoints: the maximum number of points that remain; at least eight.
  package init(maxPoints: Int = Curve.maxPoints) {
    precondition(maxPoints >= 8, "a picture of a curve has at least two buckets")
    self.maxPoints = maxPoints
  }

  /// Adds a point. Of a flat part of the curve only the ends are stored.
  package mutating func add(_ point: Curve.Point) {
    if let pending, pending.bytes != point.bytes || level != point.bytes { take(pending) }
    pending = point
  }

  package var points: [Curve.Point] {
    var whole = self
    if let pending { whole.take(pending) }
    return whole.width == 0 ? whole.unbucketed : whole.buckets.flatMap(\.points)
  }

  private mutating func take(_ point: Curve.Point) {
    level = point.bytes
    guard width == 0 else { return put(point) }
    unbucketed.append(point)
    guard unbucketed.count > maxPoints else { return }
    let all = unbucketed
    unbucketed = []
    width = 8
    for point in all { put(point) }
  }

  private mutating func put(_ point: Curve.Point) {
    if filled < width, !buckets.isEmpty {
      buckets[buckets.count - 1].add(point)
      filled += 1
      return
    }
    if buckets.count == maxPoints / 4 { merge() }
    if filled < width, !buckets.isEmpty { return put(point) }
    buckets.append(Bucket(point))
    filled = 1
  }

  /// Makes of each two buckets one of twice the width.
  private mutating func merge() {
    let isOdd = !buckets.count.isMultiple(of: 2)
    var merged: [Bucket] = []
    merged.reserveCapacity(maxPoints / 4)
    for index in stride(from: 0, to: buckets.count, by: 2) {
      var bucket = buckets[index]
      if index + 1 < buckets.count { bucket.add(buckets[index + 1]) }
      merged.append(bucket)
    }
    buckets = merged
    filled = isOdd ? width : 2 * width
    width *= 2
  }
}
