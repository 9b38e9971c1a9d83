// Rules that a search tries, by their thresholds.
package import Policies

/// A rule with its thresholds.
package struct FleetCandidate: Hashable, Sendable {
  package enum Family: String, Hashable, Sendable, CaseIterable {
    /// totalBytes above a size, and usedBytes / totalBytes below a share in percent.
    case sizeAndShare = "size and share"
    /// totalBytes - usedBytes above a size.
    case freeBytes = "free bytes"
  }

  package var family: Family
  /// In bytes.
  package var size: Int
  /// In percent; of no use in `freeBytes`.
  package var share: Int

  package init(_ family: Family, size: Int, share: Int = 100) {
    self.family = family
    self.size = size
    self.share = share
  }

  package var policy: Policy {
    let text =
      switch family {
      case .sizeAndShare:
        "on-launch: totalBytes > \(size) B && usedBytes / totalBytes < \(share) %"
      case .freeBytes: "on-launch: totalBytes - usedBytes > \(size) B"
      }
    guard let policy = try? Policy(parsing: text) else {
      preconditionFailure("a rule of a family is a policy: \(text)")
    }
    return policy
  }

  private static let perOctave = 2.0

  /// Candidates over the sizes of files without compactions, coarsely.
  package static func grid(over sizes: ClosedRange<Double>) -> [FleetCandidate] {
    let low = max(1, sizes.lowerBound / 4).piecewiseLog2
    let high = max(2, sizes.upperBound).piecewiseLog2
    let steps = stride(from: 0, through: (high - low) * perOctave, by: 1).map { step in
      rounded(piecewisePower2(low + step / perOctave))
    }
    return steps.flatMap { size in
      stride(from: 20, through: 90, by: 10).map {
        FleetCandidate(.sizeAndShare, size: size, share: $0)
      }
    } + steps.map { FleetCandidate(.freeBytes, size: $0) }
  }

  /// Candidates around this one, closer than those of the grid.
  package var neighbors: [FleetCandidate] {
    let sizes = [0.72, 0.85, 1, 1.18, 1.39].map { Self.rounded(Double(size) * $0) }
    guard family == .sizeAndShare else {
      return sizes.map { FleetCandidate(family, size: $0) }
    }
    return sizes.flatMap { size in
      [-6, -3, 0, 3, 6].map { share + $0 }.filter { 1...100 ~= $0 }.map {
        FleetCandidate(family, size: size, share: $0)
      }
    }
  }

  /// Returns the size with two significant digits.
  private static func rounded(_ size: Double) -> Int {
    var unit = 1.0
    while size / unit >= 100 { unit *= 10 }
    return max(1, Int((size / unit).rounded() * unit))
  }
}
