// How a mapped file may grow and be cut, for engines that let one choose it. The others refuse it.
package import MetricModel

/// How a file grows and shrinks. A nil property is the engine's default.
package struct FileGeometry: Sendable, Hashable, Codable {
  /// The file is never shorter.
  package var lower: ByteCount?
  /// The file never becomes longer; a commit that would need more is refused.
  package var upper: ByteCount?
  /// The file grows by so much at a time.
  package var growthStep: ByteCount?
  /// The file is cut where so much is free at its end; zero for never.
  package var shrinkThreshold: ByteCount?

  package init(
    lower: ByteCount? = nil, upper: ByteCount? = nil, growthStep: ByteCount? = nil,
    shrinkThreshold: ByteCount? = nil
  ) {
    self.lower = lower
    self.upper = upper
    self.growthStep = growthStep
    self.shrinkThreshold = shrinkThreshold
  }
}
