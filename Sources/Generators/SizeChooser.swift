// The size of the next value.

/// Draws sizes of values, in bytes.
package struct SizeChooser {
  private let distribution: SizeDistribution
  private let histogram: HistogramDraw?
  private var stream: RandomStream

  /// The bounds of a range are both possible, the lower first.
  package init(_ distribution: SizeDistribution, stream: RandomStream) {
    switch distribution {
    case .uniform(let low, let high):
      precondition(low >= 0 && low <= high, "sizes from \(low) to \(high) B are no range")
    case .logNormal(let median, let sigma, let greatest):
      precondition(
        median >= 1 && median <= greatest && (1...FixedPoint.greatestSigma).contains(sigma),
        "a median of \(median) B up to \(greatest) B, sigma \(sigma) thousandths")
    case .mixture(let parts):
      precondition(
        parts.allSatisfy { $0.low >= 0 && $0.low <= $0.high && $0.shareMillionths >= 0 }
          && parts.reduce(0) { $0 + $1.shareMillionths } == 1_000_000,
        "the parts of a mixture are ranges that have a million millionths together")
    case .fixed, .histogram: break
    }
    if case .histogram(let measured) = distribution {
      histogram = HistogramDraw(measured)
    } else {
      histogram = nil
    }
    self.distribution = distribution
    self.stream = stream
  }

  package init(_ distribution: SizeDistribution, seed: UInt64, label: String, index: Int = 0) {
    self.init(distribution, stream: RandomStream(seed: seed, label: label, index: index))
  }

  package mutating func next() -> Int {
    switch distribution {
    case .fixed(let size): return size
    case .uniform(let low, let high): return stream.next(in: low...high)
    case .logNormal(let median, let sigma, let greatest):
      while true {
        let normal = NormalDeviate.next(from: &stream)
        let size = FixedPoint.scaled(
          median, byExponentialOf: normal.magnitude, sigmaPermille: sigma,
          isNegative: normal.isNegative, limit: greatest)
        if let size, size >= 1 { return size }
      }
    case .mixture(let parts):
      var remainder = stream.next(below: 1_000_000)
      for part in parts {
        if remainder < part.shareMillionths { return stream.next(in: part.low...part.high) }
        remainder -= part.shareMillionths
      }
      preconditionFailure("the parts have all the millionths")
    case .histogram:
      return histogram?.next(from: &stream) ?? 0
    }
  }
}
