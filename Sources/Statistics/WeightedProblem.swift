// Weighted least squares over a choice of terms, with and without the bound that no coefficient is below zero.
import CGSL

struct WeightedProblem {
  let rows: [[Double]]
  let measured: [Double]
  let weights: [Double]

  struct Solution {
    var terms: [Int]
    var coefficients: [Double]
    /// (XᵀWX)⁻¹
    var inverse: [[Double]]
    /// Σ wᵢ·(yᵢ − ŷᵢ)²
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
      let weighting = gsl_vector_alloc(n), let c = gsl_vector_alloc(p),
      let covariance = gsl_matrix_alloc(p, p), let work = gsl_multifit_linear_alloc(n, p)
    else { preconditionFailure("a few rows of numbers can be allocated") }
    defer {
      gsl_multifit_linear_free(work)
      for matrix in [x, covariance] { gsl_matrix_free(matrix) }
      for vector in [y, weighting, c] { gsl_vector_free(vector) }
    }
    for i in 0..<n {
      for (j, term) in terms.enumerated() { gsl_matrix_set(x, i, j, rows[i][term]) }
      gsl_vector_set(y, i, measured[i])
      gsl_vector_set(weighting, i, weights[i])
    }
    var squares = 0.0
    var rank = 0
    let code = gsl_multifit_wlinear_tsvd(
      x, weighting, y, 1e-12, c, covariance, &squares, &rank, work)
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
