// One run of expectation maximization, from random centers to convergence.
import CGSL

struct MixtureRun {
  private let points: [[Double]]
  private let minVariances: [Double]
  /// The probability with which each point is of each component.
  private var shares: [[Double]]

  /// Begins with centers chosen as k-means++ does (Arthur and Vassilvitskii, 2007), and each point at its nearest one.
  ///
  /// - Returns: nil where a coordinate is the same in all points.
  init?(_ points: [[Double]], components: Int, source: RandomSource) {
    self.points = points
    let d = points[0].count
    let n = Double(points.count)
    var variances: [Double] = []
    for j in 0..<d {
      let mean: Double = points.reduce(0.0) { $0 + $1[j] } / n
      let squares: Double = points.reduce(0.0) { sum, point in
        let difference = point[j] - mean
        return sum + difference * difference
      }
      variances.append(squares / n)
    }
    guard variances.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    minVariances = variances.map { $0 * GaussianMixture.minVarianceShare }
    func distance(_ a: [Double], _ b: [Double]) -> Double {
      var sum = 0.0
      for j in 0..<d {
        let difference = a[j] - b[j]
        sum += difference * difference / variances[j]
      }
      return sum
    }
    var centers = [points[source.nextIndex(below: points.count)]]
    var nearest = points.map { distance($0, centers[0]) }
    while centers.count < components {
      let center = points[source.nextIndex(weights: nearest)]
      centers.append(center)
      nearest = zip(points, nearest).map { min($1, distance($0, center)) }
    }
    shares = points.map { point in
      let distances = centers.map { distance(point, $0) }
      let best = distances.firstIndex(of: distances.min() ?? 0) ?? 0
      return (0..<components).map { $0 == best ? 1 : 0 }
    }
  }

  /// Repeats both steps until the mean logarithm of a point changes by less than 10⁻⁸.
  mutating func converged() -> GaussianMixture {
    var components = maximized()
    var last = -Double.infinity
    for _ in 0..<GaussianMixture.maxIterations {
      let likelihood = expect(components)
      components = maximized()
      if abs(likelihood - last) < 1e-8 * Double(points.count) { break }
      last = likelihood
    }
    let likelihood = expect(components)
    return GaussianMixture(
      components: components.sorted { $0.weight > $1.weight }, logLikelihood: likelihood,
      pointCount: points.count)
  }

  /// The step of expectation; returns the logarithm of the likelihood.
  private mutating func expect(_ components: [GaussianMixture.Component]) -> Double {
    let densities = components.map { component in
      (weight: GaussianDensity.logarithm(component.weight), density: GaussianDensity(component))
    }
    var sum = 0.0
    var scratch = points[0]
    for (index, point) in points.enumerated() {
      let logarithms = densities.map { weight, density in
        density.map { weight + $0.logDensity(at: point, scratch: &scratch) } ?? -.infinity
      }
      let (logSum, shares) = GaussianDensity.normalized(logarithms)
      sum += logSum
      self.shares[index] = shares
    }
    return sum
  }

  /// The step of maximization.
  private func maximized() -> [GaussianMixture.Component] {
    let d = minVariances.count
    return shares[0].indices.map { index in
      var weight = 0.0
      var mean = [Double](repeating: 0, count: d)
      for (point, share) in zip(points, shares) where share[index] > 0 {
        weight += share[index]
        for j in 0..<d { mean[j] += share[index] * point[j] }
      }
      let divisor = max(weight, .leastNormalMagnitude)
      for j in 0..<d { mean[j] /= divisor }
      var covariance = [[Double]](repeating: [Double](repeating: 0, count: d), count: d)
      for (point, share) in zip(points, shares) where share[index] > 0 {
        for j in 0..<d {
          let scaled = share[index] * (point[j] - mean[j])
          for k in 0...j { covariance[j][k] += scaled * (point[k] - mean[k]) }
        }
      }
      for j in 0..<d {
        for k in 0...j {
          covariance[j][k] /= divisor
          covariance[k][j] = covariance[j][k]
        }
        covariance[j][j] += minVariances[j]
      }
      return GaussianMixture.Component(
        weight: weight / Double(points.count), mean: mean, covariance: covariance)
    }
  }
}

extension RandomSource {
  /// Returns a number from 0 to below `bound`.
  func nextIndex(below bound: Int) -> Int {
    min(bound - 1, Int(nextUniform() * Double(bound)))
  }

  /// Returns an index with a probability in proportion to its weight.
  func nextIndex(weights: [Double]) -> Int {
    var rest = nextUniform() * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      rest -= weight
      if rest < 0 { return index }
    }
    return weights.count - 1
  }
}
