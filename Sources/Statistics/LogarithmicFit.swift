// A sum of terms fitted to times whose ratios to it, and not their differences, are scattered evenly.

/// A model y = Σ cⱼ·xⱼ with cⱼ ≥ 0, fitted by least squares of logarithms: the minimum of Σ ln(yᵢ ÷ ŷᵢ)².
///
/// Twice the time and half of it are errors of the same size, so that the fit is the median of skewed times. Least squares of
/// relative errors are lower by the square of the deviation, which at 30 % is 9 %: see ``NonnegativeFit``.
package struct LogarithmicFit: Sendable, Equatable {
  package var coefficients: [Double]
  /// The standard deviation of ln(y ÷ ŷ).
  package var deviation: Double
  package var degreesOfFreedom: Int

  private static let maxSteps = 500
  private static let tolerance = 1e-12

  /// - Parameters:
  ///   - rows: the values xⱼ of each measurement.
  ///   - measured: the values y, above zero.
  /// - Returns: nil where ``NonnegativeFit`` has no fit, or the model is zero at a measurement.
  package init?(rows: [[Double]], measured: [Double]) {
    guard let relative = NonnegativeFit(rows: rows, measured: measured) else { return nil }
    let terms = Array(relative.coefficients.indices)
    var current = relative.coefficients
    for _ in 0..<Self.maxSteps {
      let values = Self.values(rows, current)
      guard values.allSatisfy({ $0 > 0 }) else { return nil }
      let problem = WeightedProblem(
        rows: rows, measured: measured, weights: zip(measured, values).map(Self.weight))
      guard let best = problem.bestNonnegative(of: terms) else { return nil }
      var next = Array(repeating: 0.0, count: terms.count)
      for (term, coefficient) in zip(best.terms, best.coefficients) { next[term] = coefficient }
      let hasConverged = zip(Self.values(rows, next), values).allSatisfy {
        abs($0 - $1) <= Self.tolerance * $1
      }
      current = next
      if hasConverged { break }
    }
    let errors = zip(measured, Self.values(rows, current)).map { LogRatio.of($0 / $1) }
    coefficients = current
    degreesOfFreedom = rows.count - current.count { $0 > 0 }
    deviation =
      (errors.reduce(0) { $0 + $1 * $1 } / Double(degreesOfFreedom)).squareRoot()
  }

  /// The weight with which the derivative of weighted squares, w·(ŷ − y), is that of squared logarithms, ln(ŷ ÷ y) ÷ ŷ.
  private static func weight(_ measured: Double, _ value: Double) -> Double {
    let difference = value - measured
    guard abs(difference) > 1e-9 * measured else { return 1 / (measured * measured) }
    return LogRatio.of(value / measured) / (value * difference)
  }

  private static func values(_ rows: [[Double]], _ coefficients: [Double]) -> [Double] {
    rows.map { row in zip(row, coefficients).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}
