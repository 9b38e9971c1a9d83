// The trend of a curve with steps: the Theil–Sen slope, which is robust against a jump of the file's length.
import CGSL

/// A median slope with the interval that inverts Kendall's test.
package struct SlopeEstimate: Sendable, Equatable, Codable {
  package var slope: Double
  /// Sen, Estimates of the Regression Coefficient Based on Kendall's Tau (1968), with the correction for ties and the
  /// normal approximation, as in SciPy's `theilslopes`. It treats samples as independent, which those of a curve are not: it
  /// describes the spread of slopes within the curve, not between runs.
  package var interval: Interval
}

package enum RobustSlope {
  /// Above this many points, every k-th is used: the number of pairs grows with the square.
  package static let maxPoints = 400

  /// The median slope over all pairs of points with different x; nil if there is no such pair.
  package static func theilSen(x: [Double], y: [Double]) -> Double? {
    let points = thinned(x, y)
    return Quantiles.median(slopes(points))
  }

  /// The same with its interval; nil if no two points differ in x.
  package static func estimate(
    x: [Double], y: [Double], confidence: Double = 0.95
  ) -> SlopeEstimate? {
    precondition((0..<1).contains(confidence), "a confidence is below 1")
    let points = thinned(x, y)
    let sorted = GSL.sorted(slopes(points))
    guard !sorted.isEmpty else { return nil }
    let n = Double(points.count)
    let ties = tieTerm(points.map(\.x)) + tieTerm(points.map(\.y))
    let variance = max(0, (n * (n - 1) * (2 * n + 5) - ties) / 18)
    let reach = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) * variance.squareRoot()
    let pairs = Double(sorted.count)
    let low = max(Int(((pairs - reach) / 2).rounded(.toNearestOrEven)) - 1, 0)
    let high = min(Int(((pairs + reach) / 2).rounded(.toNearestOrEven)), sorted.count - 1)
    return SlopeEstimate(
      slope: Quantiles.quantile(0.5, sorted: sorted),
      interval: Interval(
        low: sorted[min(low, sorted.count - 1)], high: sorted[max(high, 0)], coverage: confidence))
  }

  private static func thinned(_ x: [Double], _ y: [Double]) -> [(x: Double, y: Double)] {
    precondition(x.count == y.count, "a point has two coordinates")
    let stride = max(1, (x.count + maxPoints - 1) / maxPoints)
    return Swift.stride(from: 0, to: x.count, by: stride).map { (x: x[$0], y: y[$0]) }
  }

  private static func slopes(_ points: [(x: Double, y: Double)]) -> [Double] {
    var slopes: [Double] = []
    slopes.reserveCapacity(points.count * max(0, points.count - 1) / 2)
    for (index, a) in points.enumerated() {
      for b in points[(index + 1)...] where b.x != a.x {
        slopes.append((b.y - a.y) / (b.x - a.x))
      }
    }
    return slopes
  }

  /// Σ k(k − 1)(2k + 5) over groups of k equal values.
  private static func tieTerm(_ values: [Double]) -> Double {
    Dictionary(grouping: values, by: \.self).values.reduce(0) { sum, group in
      let k = Double(group.count)
      return sum + k * (k - 1) * (2 * k + 5)
    }
  }
}
