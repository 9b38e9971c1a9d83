// How a file may grow and be shortened, on an engine with such settings: bounds and steps, and shortening on request.

/// Bounds and steps of an arm's file in bytes; nil for the engine's own.
package struct GeometrySpec: Hashable, Sendable, Codable {
  package var lower: Int?
  package var upper: Int?
  package var growthStep: Int?
  /// The free bytes at the file's end from which on it is truncated; 0 for never.
  package var shrinkThreshold: Int?

  package init(
    lower: Int? = nil, upper: Int? = nil, growthStep: Int? = nil, shrinkThreshold: Int? = nil
  ) {
    self.lower = lower
    self.upper = upper
    self.growthStep = growthStep
    self.shrinkThreshold = shrinkThreshold
  }
}

/// SQLite's `auto_vacuum` where a program shortens the file itself.
package enum AutoVacuumSpec: String, Hashable, Sendable, Codable, CaseIterable {
  case incremental
}

/// The amount by which the file is shortened before the clients of a phase run.
package enum ShortenSpec: Hashable, Sendable, Codable {
  case all
  case atMost(Int)
}
