// A range that contains the true value with a stated probability.

/// A confidence interval with its actual coverage, which for few values is not the one asked for.
package struct Interval: Sendable, Equatable, Codable {
  package var low: Double
  package var high: Double
  /// Between 0 and 1.
  package var coverage: Double

  package init(low: Double, high: Double, coverage: Double) {
    self.low = low
    self.high = high
    self.coverage = coverage
  }

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }
}
