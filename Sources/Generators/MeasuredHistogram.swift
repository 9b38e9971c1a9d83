// A measured distribution, as a small table: `from,to,count` in each line. Drawn from as it is counted, so
// that the shape of real data needs no formula.

/// Counts over ranges of whole numbers.
package struct MeasuredHistogram: Hashable, Sendable, Codable {
  /// `from` ..< `to`, and how often.
  package struct Bin: Hashable, Sendable, Codable {
    package var from: Int
    package var to: Int
    package var count: Int

    package init(from: Int, to: Int, count: Int) {
      self.from = from
      self.to = to
      self.count = count
    }
  }

  /// A line that cannot be read, and why.
  package struct Mistake: Error, Hashable, Sendable {
    package var line: Int
    package var message: String
  }

  package static let maxBins = 10_000
  package static let greatestNumber = 1 << 40

  /// Ascending, none overlapping, some of them counted.
  package let bins: [Bin]

  /// - Precondition: the bins ascend without overlapping, and something was counted.
  package init(_ bins: [Bin]) {
    var end = Int.min
    for bin in bins {
      precondition(bin.from >= end && bin.from < bin.to, "bins ascend and none is empty")
      end = bin.to
    }
    precondition(bins.contains { $0.count > 0 }, "something was counted")
    self.bins = bins
  }

  /// Reads lines of `from,to,count`, each a whole number, the ranges without their ends. Empty lines, lines that begin
  /// with `#` and a first line `from,to,count` are passed over.
  package init(parsing text: String) throws(Mistake) {
    var bins: [Bin] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      func mistake(_ message: String) -> Mistake { Mistake(line: index + 1, message: message) }
      let words = line.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\r" } }
      if words == [""] || words.first?.hasPrefix("#") == true { continue }
      if bins.isEmpty, words == ["from", "to", "count"] { continue }
      let numbers = words.compactMap { Int($0) }
      guard words.count == 3, numbers.count == 3 else {
        throw mistake("expected three whole numbers: from,to,count")
      }
      guard numbers.allSatisfy({ 0...Self.greatestNumber ~= $0 }) else {
        throw mistake("a number is out of range, which is 0 to 2^40")
      }
      let bin = Bin(from: numbers[0], to: numbers[1], count: numbers[2])
      guard bin.from < bin.to else { throw mistake("the range is empty: from must be below to") }
      guard bin.from >= bins.last?.to ?? 0 else {
        throw mistake("the range begins before the one above it ends")
      }
      guard bins.count < Self.maxBins else { throw mistake("more than \(Self.maxBins) ranges") }
      bins.append(bin)
    }
    guard bins.contains(where: { $0.count > 0 }) else {
      throw Mistake(line: 1, message: "nothing is counted")
    }
    self.bins = bins
  }

  /// The mean of a number drawn, those of a bin alike.
  package var mean: Double {
    let total = bins.reduce(0.0) { $0 + Double($1.count) }
    return bins.reduce(0.0) { $0 + Double($1.count) * Double($1.from + $1.to - 1) / 2 } / total
  }

  /// The smallest and the largest number that may be drawn.
  package var smallest: Int { bins.first { $0.count > 0 }?.from ?? 0 }
  package var greatest: Int { (bins.last { $0.count > 0 }?.to ?? 1) - 1 }
}

/// Draws from a histogram: a bin by its count, then a uniform number in it.
struct HistogramDraw {
  private let bins: [MeasuredHistogram.Bin]
  /// Counts up to and with each bin.
  private let sums: [Int]

  init(_ histogram: MeasuredHistogram) {
    bins = histogram.bins
    var sum = 0
    sums = bins.map { bin in
      sum += bin.count
      return sum
    }
  }

  /// A number within a bin.
  func next(from stream: inout RandomStream) -> Int {
    let bin = bin(from: &stream)
    return bin.from + stream.next(below: bin.to - bin.from)
  }

  /// A row in 0 ..< rows: the axis from the first bin's begin to the last one's end is stretched over the rows.
  func next(rows: Int, from stream: inout RandomStream) -> Int {
    precondition(rows > 0, "a row was asked for, and there are \(rows)")
    let bin = bin(from: &stream)
    let begin = bins[0].from
    let span = bins[bins.count - 1].to - begin
    // Fractions of the axis too: a histogram may have fewer of them than the table has rows.
    let offset = (bin.from - begin) << 20 + stream.next(below: (bin.to - bin.from) << 20)
    return Int(UInt128(offset) * UInt128(rows) / (UInt128(span) << 20))
  }

  private func bin(from stream: inout RandomStream) -> MeasuredHistogram.Bin {
    let position = stream.next(below: sums[sums.count - 1])
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > position { high = middle } else { low = middle + 1 }
    }
    return bins[low]
  }
}
