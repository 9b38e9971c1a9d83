// Groups in a cloud of points: a mixture of normal distributions with full covariances, fitted by expectation maximization
// (Dempster, Laird and Rubin, 1977), the number of components chosen by the Bayesian information criterion (Schwarz, 1978).
import CGSL

package struct GaussianMixture: Sendable, Equatable {
  package struct Component: Sendable, Equatable {
    /// The share of all points.
    package var weight: Double
    package var mean: [Double]
    package var covariance: [[Double]]
  }

  /// In order of weight, the largest first.
  package var components: [Component]
  /// The natural logarithm of the points' likelihood.
  package var logLikelihood: Double
  package var pointCount: Int

  /// Added to each variance, as a share of the coordinate's variance over all points: no component becomes a single point.
  static let minVarianceShare = 1e-6
  static let maxIterations = 300
  private static let restarts = 3

  /// Schwarz's criterion, −2 ln L + p ln n: the smaller, the better.
  package var bic: Double {
    let d = components.first?.mean.count ?? 0
    let parameters = components.count * (d + d * (d + 1) / 2 + 1) - 1
    return -2 * logLikelihood + Double(parameters) * GaussianDensity.logarithm(Double(pointCount))
  }

  /// Returns the mixture with the smallest criterion of 1 to `maxComponents` components; a component more is tried only
  /// where the one before it was better.
  ///
  /// - Returns: nil with fewer points than one component has parameters, or where a coordinate is the same in all points.
  package static func best(
    _ points: [[Double]], maxComponents: Int, minPointsEach: Int = 30, seed: UInt64
  ) -> GaussianMixture? {
    var best: GaussianMixture?
    for count in 1...max(1, maxComponents) {
      guard count == 1 || points.count >= count * minPointsEach,
        let next = fit(points, components: count, seed: seed)
      else { break }
      if let found = best, next.bic >= found.bic { break }
      best = next
    }
    return best
  }

  /// Returns the mixture with the largest likelihood of a few beginnings.
  package static func fit(
    _ points: [[Double]], components: Int, seed: UInt64
  ) -> GaussianMixture? {
    guard let first = points.first, points.count > first.count * (first.count + 3) / 2,
      points.count >= components
    else { return nil }
    precondition(points.allSatisfy { $0.count == first.count }, "points have the same coordinates")
    let source = RandomSource(seed: seed)
    var best: GaussianMixture?
    for _ in 0..<(components == 1 ? 1 : restarts) {
      guard var run = MixtureRun(points, components: components, source: source) else {
        return nil
      }
      let mixture = run.converged()
      if mixture.logLikelihood > best?.logLikelihood ?? -.infinity { best = mixture }
    }
    return best
  }

  /// Returns the probabilities with which the point is of each component.
  package func memberships(of point: [Double]) -> [Double] {
    let logarithms = components.map { component in
      GaussianDensity(component).map {
        var scratch = point
        return GaussianDensity.logarithm(component.weight)
          + $0.logDensity(at: point, scratch: &scratch)
      } ?? -.infinity
    }
    return GaussianDensity.normalized(logarithms).shares
  }
}

/// A normal density, its covariance factored.
struct GaussianDensity {
  private let mean: [Double]
  /// The lower triangle L with L·Lᵀ = covariance.
  private let factor: [[Double]]
  private let logScale: Double

  /// - Returns: nil where the covariance is not positive definite.
  init?(_ component: GaussianMixture.Component) {
    GSL.prepare()
    mean = component.mean
    let d = mean.count
    var lower = component.covariance
    var logDeterminant = 0.0
    for j in 0..<d {
      for i in j..<d {
        var sum = component.covariance[i][j]
        for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
        if i == j {
          guard sum > 0, sum.isFinite else { return nil }
          lower[j][j] = sum.squareRoot()
          logDeterminant += gsl_sf_log(sum)
        } else {
          lower[i][j] = sum / lower[j][j]
        }
      }
    }
    factor = lower
    logScale = -0.5 * (Double(d) * gsl_sf_log(2 * Double.pi) + logDeterminant)
  }

  /// `solution` has as many elements as the point; they are overwritten.
  func logDensity(at point: [Double], scratch solution: inout [Double]) -> Double {
    var squares = 0.0
    for i in 0..<mean.count {
      var sum = point[i] - mean[i]
      for k in 0..<i { sum -= factor[i][k] * solution[k] }
      solution[i] = sum / factor[i][i]
      squares += solution[i] * solution[i]
    }
    return logScale - squares / 2
  }

  static func logarithm(_ value: Double) -> Double {
    GSL.prepare()
    return value > 0 ? gsl_sf_log(value) : -.infinity
  }

  /// Returns ln Σ e^x, and the shares e^x ÷ Σ e^x.
  static func normalized(_ logarithms: [Double]) -> (logSum: Double, shares: [Double]) {
    GSL.prepare()
    let largest = logarithms.max() ?? 0
    let powers = logarithms.map { $0 - largest < -700 ? 0 : gsl_sf_exp($0 - largest) }
    let sum = powers.reduce(0, +)
    return (largest + gsl_sf_log(sum), powers.map { $0 / sum })
  }
}
