// How long a launch that compacts takes, as a calibration measured it.

/// time = constant + perWrittenByte · bytes that the compaction writes + perTotalByte · file bytes, in nanoseconds: an
/// estimate, with its spread.
package struct StallModel: Hashable, Sendable, Codable {
  package var constant: Double
  package var perWrittenByte: Double
  package var perTotalByte: Double
  /// The deviation of a single measurement from the model, relative to it.
  package var relativeDeviation: Double

  package init(
    constant: Double, perWrittenByte: Double, perTotalByte: Double, relativeDeviation: Double
  ) {
    self.constant = constant
    self.perWrittenByte = perWrittenByte
    self.perTotalByte = perTotalByte
    self.relativeDeviation = relativeDeviation
  }

  package func nanoseconds(written: Double, total: Double) -> Double {
    constant + perWrittenByte * written + perTotalByte * total
  }
}
