// What the disk under the work folder does without an engine.
package import Statistics

/// A figure of the disk: the median of several measurements, with its interval.
package struct DeviceFigure: Sendable, Codable, Equatable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Bytes a second, the sync at the end included.
    case sequentialWrite
    case sequentialRead
    /// Bytes a second in units of 4 KiB at random offsets.
    case randomWrite
    case randomRead
    /// Nanoseconds of one sync after a write of 4 KiB.
    case sync

    package var title: String {
      switch self {
      case .sequentialWrite: "sequential write"
      case .sequentialRead: "sequential read"
      case .randomWrite: "random write, 4 KiB"
      case .randomRead: "random read, 4 KiB"
      case .sync: "sync of 4 KiB"
      }
    }

    package var isRead: Bool { self == .sequentialRead || self == .randomRead }
  }

  package var kind: Kind
  package var estimate: MedianEstimate
  /// The share of the file that was still in the page cache before reads; nil for writes.
  package var cachedShare: Double?

  package init(_ kind: Kind, _ estimate: MedianEstimate, cachedShare: Double? = nil) {
    self.kind = kind
    self.estimate = estimate
    self.cachedShare = cachedShare
  }

  /// From this share on, reads were not from the disk.
  package static let maxCachedShare = 0.05

  /// Whether the figure is of the memory, since the system did not drop the file from the page cache.
  package var isFromMemory: Bool { cachedShare ?? 0 > Self.maxCachedShare }
}
