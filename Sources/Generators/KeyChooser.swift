// Which row an operation falls on.

/// Draws rows by a distribution.
package struct KeyChooser {
  /// The distribution without payloads on the heap, so that a draw copies nothing.
  private enum Way {
    case uniform, zipfian, scrambledZipfian, latest, sequential, fifo, histogram
    case hotspot(operationsPermille: Int, rowsPermille: Int)
  }

  private let way: Way
  private var stream: RandomStream
  /// The ranks of the zipfian and latest distributions; unused by the others.
  private var ranks: ZipfianRanks
  private let histogram: HistogramDraw?
  /// The next row of the sequential distribution.
  private var position = 0

  /// `theta` must be within 0 ... 2000 thousandths, shares within 0 ... 1000.
  package init(_ distribution: KeyDistribution, stream: RandomStream) {
    self.stream = stream
    var theta = 0
    var histogram: HistogramDraw?
    switch distribution {
    case .uniform: way = .uniform
    case .zipfian(let permille): (way, theta) = (.zipfian, permille)
    case .scrambledZipfian(let permille): (way, theta) = (.scrambledZipfian, permille)
    case .latest(let permille): (way, theta) = (.latest, permille)
    case .sequential: way = .sequential
    case .fifo: way = .fifo
    case .hotspot(let operations, let rows):
      precondition(
        0...1000 ~= operations && 0...1000 ~= rows,
        "\(operations) thousandths of operations on \(rows) of rows")
      way = .hotspot(operationsPermille: operations, rowsPermille: rows)
    case .histogram(let measured):
      way = .histogram
      histogram = HistogramDraw(measured)
    }
    ranks = ZipfianRanks(thetaPermille: theta)
    self.histogram = histogram
  }

  package init(_ distribution: KeyDistribution, seed: UInt64, label: String, index: Int = 0) {
    self.init(distribution, stream: RandomStream(seed: seed, label: label, index: index))
  }

  /// Returns a row in 0 ..< rows. The number of rows may change from call to call; it is at least 1 and at most 2^32.
  package mutating func next(rows: Int) -> Int {
    switch way {
    case .uniform:
      return stream.next(below: rows)
    case .zipfian:
      return ranks.next(rows: rows, from: &stream)
    case .scrambledZipfian:
      return ScrambledRows.row(ofRank: ranks.next(rows: rows, from: &stream), rows: rows)
    case .latest:
      return rows - 1 - ranks.next(rows: rows, from: &stream)
    case .hotspot(let operations, let share):
      return hotspot(operations, share, rows)
    case .sequential:
      precondition(rows > 0, "a row was asked for, and there are \(rows)")
      let row = position < rows ? position : 0
      position = row + 1
      return row
    case .fifo:
      precondition(rows > 0, "a row was asked for, and there are \(rows)")
      return 0
    case .histogram:
      return histogram?.next(rows: rows, from: &stream) ?? 0
    }
  }

  /// Draws a row of the hotspot distribution. At least one row is hot; if all are, they are equally likely.
  private mutating func hotspot(_ operations: Int, _ share: Int, _ rows: Int) -> Int {
    let hot = max(1, rows * share / 1000)
    guard hot < rows else { return stream.next(below: rows) }
    return stream.next(below: 1000) < operations
      ? stream.next(below: hot) : hot + stream.next(below: rows - hot)
  }
}
