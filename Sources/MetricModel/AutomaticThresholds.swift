// The thresholds of automatic compaction that a policy may set, where the engine has them.

/// nil for the engine's own.
package struct AutomaticThresholds: Hashable, Sendable, Codable {
  /// The share of the file, without what is pinned or pending, that is free when compaction begins.
  package var startFreeShare: Double?
  /// The share that is free when it ends.
  package var targetFreeShare: Double?
  /// Shorter files are not compacted.
  package var minimumFile: ByteCount?
  /// The share of the bytes it wrote that a commit moves at most.
  package var commitShare: Double?
  /// The commits to wait after giving up.
  package var backOffCommits: Int?

  package init() {}

  package var isEmpty: Bool { self == Self() }

  /// `start-free-share 40 %, min-file 64 KiB`, as a policy's text has them.
  package var text: String {
    let parts: [String?] = [
      startFreeShare.map { "\(Self.startKey) \(Self.percent($0))" },
      targetFreeShare.map { "\(Self.targetKey) \(Self.percent($0))" },
      minimumFile.map { "\(Self.minimumKey) \($0.bytes) B" },
      commitShare.map { "\(Self.commitKey) \(Self.percent($0))" },
      backOffCommits.map { "\(Self.backOffKey) \($0)" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  package static let startKey = "start-free-share"
  package static let targetKey = "target-free-share"
  package static let minimumKey = "min-file"
  package static let commitKey = "commit-share"
  package static let backOffKey = "back-off"

  private static func percent(_ share: Double) -> String {
    let percent = (share * 1e8).rounded() / 1e6
    return percent == percent.rounded() ? "\(Int(percent)) %" : "\(percent) %"
  }
}
