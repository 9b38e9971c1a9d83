// A sum of terms, each with a coefficient that is not below zero, fitted to measured times or other amounts above zero.
import CGSL

/// A model y = Σ cⱼ·xⱼ with cⱼ ≥ 0, fitted by least squares of relative errors: the minimum of Σ ((yᵢ − ŷᵢ) ÷ yᵢ)².
///
/// Errors of a time grow with the time. Unweighted squares would be those of the largest amounts alone, and the smallest
/// could be wrong by a multiple. A logarithmic scale would treat them alike, too, but a sum is no longer linear there. The
/// weight 1 ÷ yᵢ² keeps it linear, bounds what a single stall can do (its error is at most 1, however long it took), and
/// minimizes the error by which predictions are judged. Its price is a bias: the fit is low by about the square of the
/// relative deviation, 1 % where that is 10 %.
package struct NonnegativeFit: Sendable, Equatable, Codable {
  package var coefficients: [Double]
  /// Of each coefficient, by Student's distribution, cut off at zero. That of a coefficient at zero is from the fit in which
  /// it may be below.
  package var intervals: [Interval]
  /// Of the coefficients; zero in rows and columns of those that are at zero.
  package var covariance: [[Double]]
  /// The standard deviation of relative errors.
  package var relativeDeviation: Double
  package var degreesOfFreedom: Int

  /// - Parameters:
  ///   - rows: the values xⱼ of each measurement.
  ///   - measured: the values y, above zero.
  /// - Returns: nil with fewer than two measurements more than terms, or where the rows do not tell the terms apart.
  package init?(rows: [[Double]], measured: [Double], confidence: Double = 0.95) {
    precondition(rows.count == measured.count, "a measurement has a row of terms")
    guard let count = rows.first?.count, rows.count >= count + 2 else { return nil }
    precondition(rows.allSatisfy { $0.count == count }, "every row has the same terms")
    guard measured.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    let all = Array(0..<count)
    let problem = WeightedProblem(
      rows: rows, measured: measured, weights: measured.map { 1 / ($0 * $0) })
    guard problem.solution(all) != nil, let best = problem.bestNonnegative(of: all) else {
      return nil
    }
    let freedom = rows.count - best.terms.count
    let variance = best.squares / Double(freedom)
    coefficients = Array(repeating: 0, count: count)
    covariance = Array(repeating: Array(repeating: 0, count: count), count: count)
    relativeDeviation = variance.squareRoot()
    degreesOfFreedom = freedom
    for (i, term) in best.terms.enumerated() {
      coefficients[term] = best.coefficients[i]
      for (j, other) in best.terms.enumerated() {
        covariance[term][other] = variance * best.inverse[i][j]
      }
    }
    intervals = all.map { problem.interval(of: $0, best, confidence) }
  }

  /// The value of the model.
  package func value(at row: [Double]) -> Double {
    precondition(row.count == coefficients.count, "a row has a value for every coefficient")
    return zip(row, coefficients).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The interval of one further measurement: the model's uncertainty, and the deviation of a measurement from it.
  package func interval(at row: [Double], confidence: Double = 0.95) -> Interval {
    let value = value(at: row)
    var variance = value * relativeDeviation * value * relativeDeviation
    for i in row.indices {
      for j in row.indices { variance += row[i] * covariance[i][j] * row[j] }
    }
    let reach = StudentQuantile.twoSided(confidence, degreesOfFreedom) * variance.squareRoot()
    return Interval(low: max(0, value - reach), high: value + reach, coverage: confidence)
  }
}

enum StudentQuantile {
  /// Returns how many standard errors an interval reaches to each side.
  static func twoSided(_ confidence: Double, _ degreesOfFreedom: Int) -> Double {
    precondition((0..<1).contains(confidence), "a confidence is below 1")
    GSL.prepare()
    return gsl_cdf_tdist_Pinv((1 + confidence) / 2, Double(degreesOfFreedom))
  }
}
