// The shapes that a scenario may ask for. How they become numbers is in the files beside this one; all of it is integer
// arithmetic, so that a stream is the same on every platform.

/// The distribution of operations over rows.
package enum KeyDistribution: Hashable, Sendable, Codable {
  /// Every row equally often.
  case uniform
  /// Few rows take most operations, the lowest keys the most; `theta` in thousandths (990 is YCSB's 0.99).
  case zipfian(thetaPermille: Int)
  /// Zipfian, with the popular rows spread over all keys: the same ones for every client and phase.
  case scrambledZipfian(thetaPermille: Int)
  /// Zipfian, with the newest rows the most popular.
  case latest(thetaPermille: Int)
  /// So many thousandths of the operations fall on the first thousandths of the rows, alike within each part.
  case hotspot(operationsPermille: Int, rowsPermille: Int)
  /// One row after the other, from the first again after the last.
  case sequential
  /// Always the oldest row: with as many inserts as deletes, a queue.
  case fifo
  /// A measured histogram whose axis is stretched over the rows.
  case histogram(MeasuredHistogram)
}

/// The distribution of the sizes of values, in bytes.
package enum SizeDistribution: Hashable, Sendable, Codable {
  case fixed(Int)
  case uniform(low: Int, high: Int)
  /// The logarithm of the size is normal: half of the values are below the median. What comes out smaller than 1 B or
  /// larger than `greatest` is drawn again.
  case logNormal(median: Int, sigmaPermille: Int, greatest: Int)
  /// One of several ranges: with two of them, sizes with two humps.
  case mixture([SizePart])
  /// A measured histogram.
  case histogram(MeasuredHistogram)
}

/// A range of a mixture, every size in it alike, and the millionths of all values that it has.
package struct SizePart: Hashable, Sendable, Codable {
  package var shareMillionths: Int
  package var low: Int
  package var high: Int

  package init(shareMillionths: Int, low: Int, high: Int) {
    self.shareMillionths = shareMillionths
    self.low = low
    self.high = high
  }
}

extension SizeDistribution {
  /// A log-normal distribution whose largest size is one in 30,000 (4 σ above the median's logarithm), or `maxSize` where
  /// that is less.
  package static func logNormal(median: Int, sigmaPermille: Int, maxSize: Int) -> Self {
    let sigma = min(sigmaPermille, FixedPoint.greatestSigma)
    let greatest = FixedPoint.scaled(
      median, byExponentialOf: 4 << 40, sigmaPermille: sigma, isNegative: false, limit: maxSize)
    return .logNormal(median: median, sigmaPermille: sigmaPermille, greatest: greatest ?? maxSize)
  }

  /// The mean size, in bytes; of a log-normal distribution before the largest are drawn again.
  package var mean: Double {
    switch self {
    case .fixed(let size): Double(size)
    case .uniform(let low, let high): Double(low + high) / 2
    case .logNormal(let median, let sigma, let greatest):
      min(Double(median) * FixedPoint.lognormalMean(sigmaPermille: sigma), Double(greatest))
    case .mixture(let parts):
      parts.reduce(0) {
        $0 + Double($1.shareMillionths) / 1e6 * Double($1.low + $1.high) / 2
      }
    case .histogram(let histogram): histogram.mean
    }
  }

  /// The smallest size, in bytes.
  package var smallest: Int {
    switch self {
    case .fixed(let size): size
    case .uniform(let low, _): low
    case .logNormal: 1
    case .mixture(let parts): parts.map(\.low).min() ?? 0
    case .histogram(let histogram): histogram.smallest
    }
  }

  /// The largest size, in bytes.
  package var greatest: Int {
    switch self {
    case .fixed(let size): size
    case .uniform(_, let high): high
    case .logNormal(_, _, let greatest): greatest
    case .mixture(let parts): parts.map(\.high).max() ?? 0
    case .histogram(let histogram): histogram.greatest
    }
  }
}
