// Correlations between quantities of devices by one shared factor, as a population has them: the correlation of two
// quantities is the product of their loadings. The loadings are those with the least squares of errors of correlations, and of
// those that explain few correlations alike, the ones nearest to each other.

enum ActivityFactor {
  private static let rounds = 200
  /// Added for each squared loading: two correlated quantities get the same loadings, not 1 and their correlation.
  private static let penalty = 0.003

  /// Returns a loading from −1 to 1 for each row of the correlation matrix.
  static func loadings(_ correlations: [[Double]]) -> [Double] {
    let count = correlations.count
    guard count > 1 else { return [Double](repeating: 0, count: count) }
    var best = [Double](repeating: 0, count: count)
    var smallest = error(best, correlations)
    for start in 0..<count {
      var loadings = (0..<count).map { i in
        i == start ? 0.7 : correlations[i][start] < 0 ? -0.7 : 0.7
      }
      for _ in 0..<rounds {
        for i in 0..<count {
          var product = 0.0
          var squares = 0.0
          for j in 0..<count where j != i {
            product += correlations[i][j] * loadings[j]
            squares += loadings[j] * loadings[j]
          }
          loadings[i] = max(-1, min(1, product / (squares + penalty)))
        }
      }
      let found = error(loadings, correlations)
      if found < smallest { (best, smallest) = (loadings, found) }
    }
    // Activity is higher for a device that does more.
    return best.reduce(0, +) < 0 ? best.map { -$0 } : best
  }

  /// The largest difference between a correlation and the product of its loadings.
  static func largestError(_ loadings: [Double], _ correlations: [[Double]]) -> Double {
    var largest = 0.0
    for i in loadings.indices {
      for j in 0..<i {
        largest = max(largest, abs(correlations[i][j] - loadings[i] * loadings[j]))
      }
    }
    return largest
  }

  private static func error(_ loadings: [Double], _ correlations: [[Double]]) -> Double {
    var sum = 0.0
    for i in loadings.indices {
      sum += penalty * loadings[i] * loadings[i]
      for j in 0..<i {
        let error = correlations[i][j] - loadings[i] * loadings[j]
        sum += error * error
      }
    }
    return sum
  }
}
