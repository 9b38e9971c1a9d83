// Which row an operation falls on.

/// Draws rows by a distribution.
package struct KeyChooser {
  private let distribution: KeyDistribution
  private var stream: RandomStream
  /// Drawn from under the zipfian and latest distributions only.
  private var ranks: ZipfianRanks
  /// The next row of the sequential distribution.
  private var position = 0

  /// `theta` must be within 0 ... 2000 thousandths.
  package init(_ distribution: KeyDistribution, stream: RandomStream) {
    self.distribution = distribution
    self.stream = stream
    ranks =
      switch distribution {
      case .zipfian(let theta), .latest(let theta): ZipfianRanks(thetaPermille: theta)
      case .uniform, .sequential: ZipfianRanks(thetaPermille: 0)
      }
  }

  package init(_ distribution: KeyDistribution, seed: UInt64, label: String, index: Int = 0) {
    self.init(distribution, stream: RandomStream(seed: seed, label: label, index: index))
  }

  /// A row in 0 ..< rows. The number of rows may change from call to call; it is at least 1 and at most 2^32.
  package mutating func next(rows: Int) -> Int {
    switch distribution {
    case .uniform:
      return stream.next(below: rows)
    case .zipfian:
      return ranks.next(rows: rows, from: &stream)
    case .latest:
      return rows - 1 - ranks.next(rows: rows, from: &stream)
    case .sequential:
      precondition(rows > 0, "a row was asked for, and there are \(rows)")
      let row = position < rows ? position : 0
      position = row + 1
      return row
    }
  }
}

/// Draws sizes of values, in bytes.
package struct SizeChooser {
  private let distribution: SizeDistribution
  private var stream: RandomStream

  /// A uniform distribution's bounds are both possible, the lower first.
  package init(_ distribution: SizeDistribution, stream: RandomStream) {
    if case .uniform(let low, let high) = distribution {
      precondition(low >= 0 && low <= high, "sizes from \(low) to \(high) B are no range")
    }
    self.distribution = distribution
    self.stream = stream
  }

  package init(_ distribution: SizeDistribution, seed: UInt64, label: String, index: Int = 0) {
    self.init(distribution, stream: RandomStream(seed: seed, label: label, index: index))
  }

  package mutating func next() -> Int {
    switch distribution {
    case .fixed(let size): size
    case .uniform(let low, let high): stream.next(in: low...high)
    }
  }
}

extension SizeDistribution {
  /// The mean size, in bytes.
  package var mean: Double {
    switch self {
    case .fixed(let size): Double(size)
    case .uniform(let low, let high): Double(low + high) / 2
    }
  }

  /// The largest size, in bytes.
  package var greatest: Int {
    switch self {
    case .fixed(let size): size
    case .uniform(_, let high): high
    }
  }
}
