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
    let problem = WeightedProblem(rows: rows, measured: measured)
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

/// Least squares with the weight 1 ÷ y² over a choice of terms.
private struct WeightedProblem {
  let rows: [[Double]]
  let measured: [Double]

  struct Solution {
    var terms: [Int]
    var coefficients: [Double]
    /// (XᵀWX)⁻¹
    var inverse: [[Double]]
    /// Σ ((yᵢ − ŷᵢ) ÷ yᵢ)²
    var squares: Double
  }

  /// Of the fits over all choices of terms that are nowhere below zero, the one with the least squares. It is the constrained
  /// minimum, which is the unconstrained one over the terms that it does not set to zero; there are few terms.
  func bestNonnegative(of terms: [Int]) -> Solution? {
    (1..<(1 << terms.count)).compactMap { choice -> Solution? in
      let solution = solution(terms.filter { choice >> $0 & 1 == 1 })
      return solution.flatMap { $0.coefficients.allSatisfy { $0 >= 0 } ? $0 : nil }
    }.min { $0.squares < $1.squares }
  }

  /// Returns nil where the terms are not told apart.
  func solution(_ terms: [Int]) -> Solution? {
    GSL.prepare()
    let (n, p) = (measured.count, terms.count)
    guard let x = gsl_matrix_alloc(n, p), let y = gsl_vector_alloc(n),
      let weights = gsl_vector_alloc(n), let c = gsl_vector_alloc(p),
      let covariance = gsl_matrix_alloc(p, p), let work = gsl_multifit_linear_alloc(n, p)
    else { preconditionFailure("a few rows of numbers can be allocated") }
    defer {
      gsl_multifit_linear_free(work)
      for matrix in [x, covariance] { gsl_matrix_free(matrix) }
      for vector in [y, weights, c] { gsl_vector_free(vector) }
    }
    for i in 0..<n {
      for (j, term) in terms.enumerated() { gsl_matrix_set(x, i, j, rows[i][term]) }
      gsl_vector_set(y, i, measured[i])
      gsl_vector_set(weights, i, 1 / (measured[i] * measured[i]))
    }
    var squares = 0.0
    var rank = 0
    let code = gsl_multifit_wlinear_tsvd(
      x, weights, y, 1e-12, c, covariance, &squares, &rank, work)
    guard code == 0, rank == p else { return nil }
    return Solution(
      terms: terms, coefficients: (0..<p).map { gsl_vector_get(c, $0) },
      inverse: (0..<p).map { i in (0..<p).map { gsl_matrix_get(covariance, i, $0) } },
      squares: squares)
  }

  /// The interval of a term's coefficient: of one at zero, from the fit with it beside those that are not.
  func interval(of term: Int, _ best: Solution, _ confidence: Double) -> Interval {
    let terms = Set(best.terms + [term]).sorted()
    let none = Interval(low: 0, high: 0, coverage: confidence)
    guard let solution = solution(terms), let index = terms.firstIndex(of: term) else {
      return none
    }
    let freedom = measured.count - terms.count
    let variance = solution.squares / Double(freedom) * solution.inverse[index][index]
    let reach = StudentQuantile.twoSided(confidence, freedom) * variance.squareRoot()
    let center = solution.coefficients[index]
    return Interval(
      low: max(0, center - reach), high: max(0, center + reach), coverage: confidence)
  }
}
