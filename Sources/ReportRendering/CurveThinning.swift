// Any number of points in, as many out as a picture can show, and no peak lost: what no eye could tell apart goes, each
// bucket's first, least, greatest and last stay (M4: Jugel et al., VLDB 2014). Points are taken one by one and the memory
// stays the same, so that a run of millions of samples is drawn as cheaply as one of thousands.
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

  package init(_ all: some Sequence<Point>, most: Int = Self.maxPoints) {
    var thinning = CurveThinning(most: most)
    for point in all { thinning.add(point) }
    points = thinning.points
  }
}

/// A curve that is given point by point, in the order of commits.
package struct CurveThinning: Sendable {
  private struct Bucket {
    var first: Curve.Point
    var least: Curve.Point
    var greatest: Curve.Point
    var last: Curve.Point

    init(_ point: Curve.Point) { (first, least, greatest, last) = (point, point, point, point) }

    mutating func add(_ point: Curve.Point) {
      if point.bytes < least.bytes { least = point }
      if point.bytes > greatest.bytes { greatest = point }
      last = point
    }

    mutating func add(_ other: Self) {
      if other.least.bytes < least.bytes { least = other.least }
      if other.greatest.bytes > greatest.bytes { greatest = other.greatest }
      last = other.last
    }

    /// In order, each once.
    var points: [Curve.Point] {
      let inner = least.commit <= greatest.commit ? [least, greatest] : [greatest, least]
      return ([first] + inner + [last]).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
  }

  private let most: Int
  /// All points, while they are few.
  private var few: [Curve.Point] = []
  private var buckets: [Bucket] = []
  /// Points that each bucket but the last holds, and that the last holds.
  private var width = 0
  private var filled = 0
  private var pending: Curve.Point?
  private var level: ByteCount?

  /// - Parameter most: the most points that come out; at least eight.
  package init(most: Int = Curve.maxPoints) {
    precondition(most >= 8, "a picture of a curve has at least two buckets")
    self.most = most
  }

  /// On a flat stretch only its ends are taken: what lies between changes nothing.
  package mutating func add(_ point: Curve.Point) {
    if let pending, pending.bytes != point.bytes || level != point.bytes { take(pending) }
    pending = point
  }

  package var points: [Curve.Point] {
    var whole = self
    if let pending { whole.take(pending) }
    return whole.width == 0 ? whole.few : whole.buckets.flatMap(\.points)
  }

  private mutating func take(_ point: Curve.Point) {
    level = point.bytes
    guard width == 0 else { return put(point) }
    few.append(point)
    guard few.count > most else { return }
    let all = few
    few = []
    width = 8
    for point in all { put(point) }
  }

  private mutating func put(_ point: Curve.Point) {
    if filled < width, !buckets.isEmpty {
      buckets[buckets.count - 1].add(point)
      filled += 1
      return
    }
    if buckets.count == most / 4 { merge() }
    if filled < width, !buckets.isEmpty { return put(point) }
    buckets.append(Bucket(point))
    filled = 1
  }

  /// Makes of each two buckets one of twice the width.
  private mutating func merge() {
    let isOdd = !buckets.count.isMultiple(of: 2)
    var merged: [Bucket] = []
    merged.reserveCapacity(most / 4)
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
