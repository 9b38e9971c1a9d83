// One cell of the study: an interval, a distribution, a number of values. The same seed gives the same count.
import Generators
import Statistics

/// An interval of Statistics and what it is to hold.
package enum IntervalKind: String, CaseIterable, Sendable {
  /// Hodges–Lehmann with signed ranks over logarithms of paired ratios; holds the factor between the two sides.
  case pairedRatio = "paired-ratio"
  /// BCa bootstrap of the same center; holds the same.
  case pairedRatioBCa = "paired-ratio-bca"
  /// Between order statistics; holds the distribution's median.
  case median
  /// Percentile bootstrap of the ratio of two medians of unpaired values; holds the factor.
  case ratioOfMedians = "ratio-of-medians"
}

package struct CoverageCell: Hashable, Sendable {
  package static let counts = [15, 30, 60]
  /// By which one side exceeds the other.
  package static let factor = 1.1
  package static let header = "interval,distribution,n,replications,covered,share"

  package var kind: IntervalKind
  package var shape: DataShape
  package var count: Int

  package init(kind: IntervalKind, shape: DataShape, count: Int) {
    self.kind = kind
    self.shape = shape
    self.count = count
  }

  package func row(_ covered: Int, _ replications: Int) -> String {
    let share = Double((covered * 100_000 + replications / 2) / replications) / 100_000
    return "\(kind.rawValue),\(shape.rawValue),\(count),\(replications),\(covered),\(share)"
  }

  /// In how many of the replications the interval of 95 % holds what it is to hold.
  package func covered(replications: Int, resamples: Int) -> Int {
    var covered = 0
    for replication in 0..<replications {
      var stream = RandomStream(
        seed: 1, label: "\(kind.rawValue) \(shape.rawValue) \(count)", index: replication)
      let base = (0..<count).map { _ in shape.draw(&stream) }
      let head = (0..<count).map { _ in Self.factor * shape.draw(&stream) }
      if interval(base, head, resamples, seed: stream.next())?.contains(target) == true {
        covered += 1
      }
    }
    return covered
  }

  private var target: Double { kind == .median ? shape.median : Self.factor }

  private func interval(
    _ base: [Double], _ head: [Double], _ resamples: Int, seed: UInt64
  ) -> Interval? {
    switch kind {
    case .pairedRatio: return PairedRatio(head, base)?.interval
    case .pairedRatioBCa:
      let logarithms = zip(head, base).map { LogRatio.of($0 / $1) }
      return Bootstrap.biasCorrected(logarithms, resamples: resamples, seed: seed) {
        HodgesLehmann.center($0)
      }.map {
        Interval(
          low: LogRatio.ratio($0.low), high: LogRatio.ratio($0.high), coverage: $0.coverage)
      }
    case .median: return MedianEstimate(base)?.interval
    case .ratioOfMedians:
      return Bootstrap.ratioOfMedians(head, base, resamples: resamples, seed: seed)
    }
  }
}
