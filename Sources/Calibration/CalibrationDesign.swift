// Which sizes are measured: files over the whole range of sizes and of free space, apart from each other, so that the prices
// of live and of file bytes can be told apart.
import Generators
package import MetricModel
import Statistics

package struct CalibrationDesign: Sendable, Equatable {
  /// The files that models are fitted to, and those that they are checked with.
  package static let fittedFiles = 10
  package static let heldOutFiles = 5
  /// The smallest file, unless the largest is less than eight times as large.
  package static let smallestFile = ByteCount(10_000_000)
  /// Below it nothing but the opening would be measured.
  package static let minMaxFile = ByteCount(1_000_000)
  /// The mean length of a row.
  package static let rowBytes = 1000

  /// The used share of the file, from one of the two to the other.
  private static let liveShares = 0.1...0.9
  private static let fittedCommits = 8
  private static let heldOutCommits = 4
  /// The rows of the smallest and the largest commit.
  private static let commitRows = 1.0...4096.0

  package let maxFile: ByteCount
  package let seed: UInt64

  package init(maxFile: ByteCount, seed: UInt64) {
    precondition(maxFile >= Self.minMaxFile, "files of \(maxFile) show no cost")
    self.maxFile = maxFile
    self.seed = seed
  }

  package var minFile: ByteCount { min(Self.smallestFile, ByteCount(maxFile.bytes / 8)) }

  /// A file to be made.
  package struct PlannedFile: Sendable, Equatable, Codable {
    package var file: ByteCount
    /// The share of it that is left when rows were deleted.
    package var liveShare: Double
    package var isHeldOut: Bool

    /// How often its compaction is measured: small files more often, since what disturbs a short time is large beside it.
    package var repetitions: Int { file.bytes <= 128_000_000 ? 3 : 1 }
  }

  /// A transaction to be made.
  package struct PlannedCommit: Sendable, Equatable, Codable {
    package var rows: Int
    package var isHeldOut: Bool
  }

  /// The files: those for the fit evenly over the logarithm of the sizes, from the smallest to the largest; those held out at
  /// random between. Their shares are stratified, and in an order drawn from the seed.
  package var files: [PlannedFile] {
    var stream = RandomStream(seed: seed, label: "calibration files")
    let range = Double(minFile.bytes)...Double(maxFile.bytes)
    func planned(_ positions: [Double], isHeldOut: Bool) -> [PlannedFile] {
      var strata = Array(positions.indices)
      stream.shuffle(&strata)
      return zip(positions, strata).map { position, stratum in
        let share = (Double(stratum) + stream.nextShare()) / Double(positions.count)
        return PlannedFile(
          file: ByteCount(Int(LogScale.value(at: position, of: range).rounded())),
          liveShare: Self.liveShares.lowerBound
            + share * (Self.liveShares.upperBound - Self.liveShares.lowerBound),
          isHeldOut: isHeldOut)
      }
    }
    let fitted = planned(LogScale.even(Self.fittedFiles), isHeldOut: false)
    let others = (0..<Self.heldOutFiles).map {
      (Double($0) + stream.nextShare()) / Double(Self.heldOutFiles)
    }
    return fitted + planned(others, isHeldOut: true)
  }

  /// The transactions of an engine, chosen as the files are.
  package var commits: [PlannedCommit] {
    var stream = RandomStream(seed: seed, label: "calibration commits")
    let others = (0..<Self.heldOutCommits).map {
      (Double($0) + stream.nextShare()) / Double(Self.heldOutCommits)
    }
    return [(LogScale.even(Self.fittedCommits), false), (others, true)].flatMap { positions, held in
      positions.map {
        PlannedCommit(
          rows: Int(LogScale.value(at: $0, of: Self.commitRows).rounded()), isHeldOut: held)
      }
    }
  }

  /// The bytes of disk space that the measurement takes at once: the file, its copy, and what an engine writes while it
  /// compacts the copy, which is up to twice the live bytes where a log holds them, too.
  package var diskNeeded: ByteCount { 4 * maxFile }
}

/// Positions from 0 to 1 on a logarithmic scale.
enum LogScale {
  static func even(_ count: Int) -> [Double] { (0..<count).map { Double($0) / Double(count - 1) } }

  static func value(at position: Double, of range: ClosedRange<Double>) -> Double {
    range.lowerBound
      * LogRatio.ratio(position * LogRatio.of(range.upperBound / range.lowerBound))
  }
}

extension RandomStream {
  /// A number from 0 to 1, 1 excluded.
  fileprivate mutating func nextShare() -> Double { Double(next() >> 11) * 0x1p-53 }
}
