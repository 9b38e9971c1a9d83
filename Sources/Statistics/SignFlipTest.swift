// The randomization test, whose only assumption the harness fulfills: the order within each pair was drawn at random, so
// under the null hypothesis both signs of a difference were equally likely. It is valid under autocorrelated noise.
// Edgington and Onghena, Randomization Tests (2007).

/// The test that the mean of paired differences is zero, by flipping signs at random.
package enum SignFlipTest {
  package static let defaultFlips = 10_000

  /// Two-sided; at least 1 / (flips + 1), because the observed arrangement is one of the possible ones. 1 without
  /// differences.
  package static func pValue(
    _ differences: [Double], flips: Int = defaultFlips, seed: UInt64
  ) -> Double {
    precondition(flips > 0, "a test needs an arrangement to compare with")
    guard !differences.isEmpty else { return 1 }
    let observed = abs(differences.reduce(0, +))
    // Sums of the same numbers in another order differ in their last digits and are still as extreme.
    let threshold = observed * (1 - 1e-12)
    let source = RandomSource(seed: seed)
    var extremeCount = 1
    for _ in 0..<flips {
      let sum = differences.reduce(0.0) { source.nextCoin() ? $0 + $1 : $0 - $1 }
      if abs(sum) >= threshold { extremeCount += 1 }
    }
    return Double(extremeCount) / Double(flips + 1)
  }
}
