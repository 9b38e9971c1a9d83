// What became of one device under one policy, walked or really run.

package struct DeviceOutcome: Hashable, Sendable, Codable {
  package var launches = 0
  /// Bytes of the file at the end, and of all files at the worst moment.
  package var finalBytes = 0.0
  package var largestBytes = 0.0
  /// Bytes × days of the file, and of what of it is used.
  package var totalArea = 0.0
  package var usedArea = 0.0
  package var compactions = 0
  /// Compactions that were wanted, and for whose copy the disk had no space.
  package var skipped = 0
  package var rewrittenBytes = 0.0
  /// In nanoseconds; 0 without costs.
  package var longestStall = 0.0
  package var totalStall = 0.0
  /// Launches with a turnover since the last compaction that no curve has.
  package var beyondCurves = 0

  package init() {}

  /// The mean size over time ÷ the mean used size.
  package var amplification: Double { usedArea > 0 ? totalArea / usedArea : 1 }
}
