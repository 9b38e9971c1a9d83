// The exponent of a Zipfian distribution: by likelihood, where the popular rows are known to be the oldest or the newest, and
// by how often rows come again, where any rows may be popular.

enum ZipfianFit {
  /// The exponents that a scenario may have.
  static let exponents = 0.001...0.999

  /// Returns the sum of rank^−exponent over the ranks 1 to `rows`: the first 1,000 exactly, the others by Euler and
  /// Maclaurin.
  static func harmonic(_ rows: Double, _ exponent: Double) -> Double {
    let exact = min(Int(rows.rounded()), 1000)
    guard exact >= 1 else { return 1 }
    var sum = 0.0
    for rank in 1...exact { sum += power(Double(rank), -exponent) }
    guard rows > Double(exact) + 0.5 else { return sum }
    let (from, to) = (Double(exact) + 0.5, rows + 0.5)
    return sum + integral(to, exponent) - integral(from, exponent)
  }

  private static func integral(_ end: Double, _ exponent: Double) -> Double {
    abs(exponent - 1) < 1e-9
      ? naturalLogarithm(end) : power(end, 1 - exponent) / (1 - exponent)
  }

  /// Returns the exponent under which ranks with this mean logarithm are most likely, and the mean gain of an operation's
  /// log-likelihood over the uniform distribution.
  static func maxLikelihood(
    meanLogarithm: Double, rows: Double
  ) -> (exponent: Double, gain: Double) {
    func gain(_ exponent: Double) -> Double {
      naturalLogarithm(rows) - exponent * meanLogarithm - naturalLogarithm(harmonic(rows, exponent))
    }
    // The log-likelihood is concave in the exponent.
    var (low, high) = (exponents.lowerBound, exponents.upperBound)
    for _ in 0..<40 {
      let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
      if gain(first) < gain(second) { low = first } else { high = second }
    }
    return ((low + high) / 2, gain((low + high) / 2))
  }

  /// Returns the exponent at which two operations fall on the same row with this probability, and the gain of the
  /// log-likelihood if the order of popularity were known.
  static func matching(
    coincidence: Double, rows: Double
  ) -> (exponent: Double, gain: Double) {
    var (low, high) = (exponents.lowerBound, exponents.upperBound)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let sum = harmonic(rows, middle)
      if harmonic(rows, 2 * middle) / (sum * sum) < coincidence {
        low = middle
      } else {
        high = middle
      }
    }
    let exponent = (low + high) / 2
    return (exponent, naturalLogarithm(rows) - entropy(rows, exponent))
  }

  /// Returns the entropy of the distribution: exponent × mean logarithm of the rank + logarithm of the sum.
  private static func entropy(_ rows: Double, _ exponent: Double) -> Double {
    let step = 1e-4
    let (before, after) = (harmonic(rows, exponent - step), harmonic(rows, exponent + step))
    // The derivative of the logarithm of the sum is minus the mean logarithm of the rank.
    let meanLogarithm = (naturalLogarithm(before) - naturalLogarithm(after)) / (2 * step)
    return exponent * meanLogarithm + naturalLogarithm(harmonic(rows, exponent))
  }
}
