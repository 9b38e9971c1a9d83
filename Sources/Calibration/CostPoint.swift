// What was measured: times of compactions, launches and commits, each with the bytes that it depends on.
package import MetricModel
import Statistics

/// An operation whose time is modeled.
package enum CostKind: String, Sendable, Codable, CaseIterable {
  /// From the decision at a launch until the database is open.
  case compaction
  /// Opening the database without compacting it.
  case launch
  /// The call that ends a transaction of new rows, durably.
  case commit

  /// The bytes that the time depends on beside its constant part.
  package var terms: [String] {
    switch self {
    case .compaction: ["live byte", "file byte"]
    case .launch: ["file byte"]
    case .commit: ["byte of rows"]
    }
  }
}

/// Where the files were before the operation.
package enum CacheState: String, Sendable, Codable, CaseIterable {
  /// In the system's page cache, and on the disk.
  case warm
  /// On the disk only.
  case cold
}

/// An operation on files of one size, measured once or several times.
package struct CostPoint: Sendable, Codable, Equatable {
  package var kind: CostKind
  package var cache: CacheState
  /// The used bytes of the file, as a policy is given them at a launch; nil for launches and commits.
  package var live: ByteCount?
  /// The bytes of the file; of a commit, those of the rows that it adds.
  package var bytes: ByteCount
  /// The bytes that a compaction wrote; nil for launches and commits, and in calibrations of older versions.
  package var rewritten: ByteCount?
  /// Whether the model is checked with this point and not fitted to it.
  package var isHeldOut: Bool
  /// The time of each repetition.
  package var nanoseconds: [Double]
  /// The share of the file that was in the page cache before; nil where that is unknown or of no effect.
  package var cachedShare: Double?

  package init(
    _ kind: CostKind, _ cache: CacheState, live: ByteCount? = nil, bytes: ByteCount,
    rewritten: ByteCount? = nil, isHeldOut: Bool, nanoseconds: [Double], cachedShare: Double? = nil
  ) {
    self.kind = kind
    self.cache = cache
    self.live = live
    self.bytes = bytes
    self.rewritten = rewritten
    self.isHeldOut = isHeldOut
    self.nanoseconds = nanoseconds
    self.cachedShare = cachedShare
  }

  /// The median of the repetitions; nil without any.
  package var time: Double? { Quantiles.median(nanoseconds) }

  /// The values of the model's terms, beginning with that of the constant part.
  var row: [Double] {
    [1] + (kind == .compaction ? [Double(live?.bytes ?? 0)] : []) + [Double(bytes.bytes)]
  }
}
