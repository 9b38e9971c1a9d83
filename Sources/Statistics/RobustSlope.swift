// The trend of a curve that steps: the Theil–Sen slope, which one jump of the file's length does not sway as it would a
// least-squares line.

package enum RobustSlope {
  /// Above this many points every k-th is taken, evenly over the curve: the number of pairs grows with the square.
  package static let mostPoints = 400

  /// The median slope over all pairs of points with different x; nil where there is no such pair.
  package static func theilSen(x: [Double], y: [Double]) -> Double? {
    precondition(x.count == y.count, "a point has two coordinates")
    let stride = max(1, (x.count + mostPoints - 1) / mostPoints)
    let points = Swift.stride(from: 0, to: x.count, by: stride).map { (x: x[$0], y: y[$0]) }
    var slopes: [Double] = []
    slopes.reserveCapacity(points.count * (points.count - 1) / 2)
    for (index, a) in points.enumerated() {
      for b in points[(index + 1)...] where b.x != a.x {
        slopes.append((b.y - a.y) / (b.x - a.x))
      }
    }
    return Quantiles.median(slopes)
  }
}
