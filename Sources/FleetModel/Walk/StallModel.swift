// How long a launch that compacts takes, as a calibration measured it.

/// time = constant + perWrittenByte · bytes that the compaction writes + perTotalByte · file bytes, in nanoseconds: an
/// estimate, with its spread.
package struct StallModel: Hashable, Sendable, Codable {
  package var constant: Double
  package var perWrittenByte: Double
  package var perTotalByte: Double
  /// Nine in ten single compactions are between the estimate divided by this and multiplied by it.
  package var nineInTenFactor: Double

  package init(
    constant: Double, perWrittenByte: Double, perTotalByte: Double, nineInTenFactor: Double
  ) {
    self.constant = constant
    self.perWrittenByte = perWrittenByte
    self.perTotalByte = perTotalByte
    self.nineInTenFactor = nineInTenFactor
  }

  package func nanoseconds(written: Double, total: Double) -> Double {
    constant + perWrittenByte * written + perTotalByte * total
  }
}
