// How long a launch that compacts takes, as a calibration measured it.

/// time = constant + perUsedByte · used bytes + perTotalByte · file bytes, in nanoseconds: an estimate, with its spread.
package struct StallModel: Hashable, Sendable, Codable {
  package var constant: Double
  package var perUsedByte: Double
  package var perTotalByte: Double
  /// The deviation of a single measurement from the model, relative to it.
  package var relativeDeviation: Double

  package init(
    constant: Double, perUsedByte: Double, perTotalByte: Double, relativeDeviation: Double
  ) {
    self.constant = constant
    self.perUsedByte = perUsedByte
    self.perTotalByte = perTotalByte
    self.relativeDeviation = relativeDeviation
  }

  package func nanoseconds(used: Double, total: Double) -> Double {
    constant + perUsedByte * used + perTotalByte * total
  }
}
