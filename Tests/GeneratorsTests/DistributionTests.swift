// Distributions are held to their exact laws by chi-square tests, at limits that chance crosses once in a million.
import Foundation
import Testing

@testable import Generators

@Suite("Distributions of keys and sizes")
struct DistributionTests {
  static let seed = KeyChooserTests.seed
  static let draws = 200_000

  /// The chi-square statistic that chance exceeds once in a million (Wilson and Hilferty).
  static func limit(degrees: Int) -> Double {
    let part = 2.0 / (9 * Double(degrees))
    return Double(degrees) * pow(1 - part + 4.753 * part.squareRoot(), 3)
  }

  /// Holds counts to shares; classes that expect fewer than five are counted with the next.
  static func matches(_ counts: [Int], _ shares: [Double], _ draws: Int = draws) -> Bool {
    let total = shares.reduce(0, +)
    var (statistic, classes, expected, observed) = (0.0, 0, 0.0, 0)
    for (index, share) in shares.enumerated() {
      expected += share / total * Double(draws)
      observed += counts[index]
      guard expected >= 5 || index == shares.count - 1 else { continue }
      statistic += pow(Double(observed) - expected, 2) / max(expected, 1)
      classes += 1
      (expected, observed) = (0, 0)
    }
    return statistic < limit(degrees: max(1, classes - 1))
  }

  static func counts(_ distribution: KeyDistribution, rows: Int, seed: UInt64 = seed) -> [Int] {
    var keys = KeyChooser(distribution, seed: seed, label: "law")
    var counts = [Int](repeating: 0, count: rows)
    for _ in 0..<draws { counts[keys.next(rows: rows)] += 1 }
    return counts
  }

  static func zipfian(rows: Int, theta: Double) -> [Double] {
    (1...rows).map { pow(Double($0), -theta) }
  }

  // MARK: Keys

  @Test(
    "scrambled rows are a permutation",
    arguments: [1, 2, 3, 4, 5, 15, 16, 17, 64, 100, 1000, 4097])
  func permutation(rows: Int) {
    let found = (0..<rows).map { ScrambledRows.row(ofRank: $0, rows: rows) }
    #expect(Set(found) == Set(0..<rows))
  }

  @Test("scrambled zipfian is zipfian by rank, and its popular rows lie apart")
  func scrambled() {
    let rows = 1000
    let counts = Self.counts(.scrambledZipfian(thetaPermille: 990), rows: rows)
    let byRank = (0..<rows).map { counts[ScrambledRows.row(ofRank: $0, rows: rows)] }
    #expect(Self.matches(byRank, Self.zipfian(rows: rows, theta: 0.99)), "SEED=\(Self.seed)")
    let popular = (0..<50).map { ScrambledRows.row(ofRank: $0, rows: rows) }
    // Each tenth of the table has 5 of the 50 on average; the first tenth would have all of them unscrambled.
    let tenths = Dictionary(grouping: popular) { $0 / 100 }
    #expect(tenths.count >= 8 && tenths.values.allSatisfy { $0.count <= 12 }, "\(tenths)")
  }

  @Test("added rows leave popular rows where they were, as long as the power of four holds")
  func scrambledGrowth() {
    let moved = (0..<1000).count {
      ScrambledRows.row(ofRank: $0, rows: 3000) != ScrambledRows.row(ofRank: $0, rows: 3050)
    }
    // A rank moves where its walk meets a row that is new: 50 of 4096 places, walked 1.4 times on average.
    #expect(moved < 60)
  }

  @Test("a hotspot has its share of the operations, and rows within each part are alike")
  func hotspot() {
    let counts = Self.counts(.hotspot(operationsPermille: 800, rowsPermille: 200), rows: 100)
    let shares = (0..<100).map { $0 < 20 ? 0.8 / 20 : 0.2 / 80 }
    #expect(Self.matches(counts, shares), "SEED=\(Self.seed)")
    #expect(!Self.matches(counts, (0..<100).map { $0 < 20 ? 0.79 / 20 : 0.21 / 80 }))
    #expect(
      Self.matches(
        Self.counts(.hotspot(operationsPermille: 900, rowsPermille: 1000), rows: 50),
        Array(repeating: 1, count: 50)), "SEED=\(Self.seed)")
    var keys = KeyChooser(
      .hotspot(operationsPermille: 1000, rowsPermille: 1), seed: Self.seed, label: "x")
    #expect((0..<100).allSatisfy { _ in keys.next(rows: 10) == 0 })
  }

  @Test("a queue gives the oldest row")
  func fifo() {
    var keys = KeyChooser(.fifo, seed: Self.seed, label: "x")
    #expect((1..<50).allSatisfy { keys.next(rows: $0) == 0 })
  }

  @Test("a histogram of keys is stretched over the rows, fewer or more than it has bins")
  func keyHistogram() throws {
    let histogram = try MeasuredHistogram(parsing: "from,to,count\n10,20,30\n30,40,10\n40,50,60\n")
    let shares = (0..<40).map { [30.0, 0, 10, 60][$0 / 10] / 10 }
    #expect(Self.matches(Self.counts(.histogram(histogram), rows: 40), shares), "SEED=\(Self.seed)")
    #expect(
      Self.matches(Self.counts(.histogram(histogram), rows: 2), [30, 70]), "SEED=\(Self.seed)")
    let many = Self.counts(.histogram(histogram), rows: 400)
    #expect(
      Self.matches(many, (0..<400).map { [30.0, 0, 10, 60][$0 / 100] }), "SEED=\(Self.seed)")
  }

  @Test("the smallest number of a histogram is in its first bin that has any, be it one")
  func ends() throws {
    let histogram = try MeasuredHistogram(parsing: "2,10,0\n10,20,1\n20,30,5\n30,40,0\n")
    #expect(histogram.smallest == 10)
    #expect(histogram.greatest == 29)
  }

  @Test("ranks are drawn from up to 2^32 rows, and from no more")
  func greatestRows() async {
    var stream = RandomStream(seed: Self.seed, label: "x")
    var ranks = ZipfianRanks(thetaPermille: 990)
    #expect((0..<1 << 32).contains(ranks.next(rows: 1 << 32, from: &stream)))
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 1, label: "x")
      var ranks = ZipfianRanks(thetaPermille: 990)
      _ = ranks.next(rows: 1 << 32 + 1, from: &stream)
    }
  }

  // MARK: Sizes

  static func sizes(_ distribution: SizeDistribution, _ draws: Int = draws) -> [Int] {
    var sizes = SizeChooser(distribution, seed: seed, label: "sizes")
    return (0..<draws).map { _ in sizes.next() }
  }

  @Test("normal numbers have the quantiles of the normal distribution, and both signs alike")
  func normal() {
    var stream = RandomStream(seed: Self.seed, label: "normal")
    var counts = [Int](repeating: 0, count: 80)
    for _ in 0..<Self.draws {
      let normal = NormalDeviate.next(from: &stream)
      let magnitude = Double(normal.magnitude) / 0x1p40
      let deviate = normal.isNegative ? -magnitude : magnitude
      counts[min(79, max(0, Int((deviate + 4) * 10)))] += 1
    }
    func below(_ deviate: Double) -> Double { 0.5 * erfc(-deviate / 2.0.squareRoot()) }
    let shares = (0..<80).map { cell in
      let low = cell == 0 ? 0 : below(Double(cell) / 10 - 4)
      return (cell == 79 ? 1 : below(Double(cell + 1) / 10 - 4)) - low
    }
    #expect(Self.matches(counts, shares), "SEED=\(Self.seed)")
  }

  @Test(
    "log-normal sizes pass a chi-square test against the exact law",
    arguments: [(200, 1200, 1 << 20), (4000, 500, 1 << 20), (300, 2000, 5000), (3, 800, 40)])
  func logNormal(median: Int, sigma: Int, greatest: Int) {
    let sizes = Self.sizes(
      .logNormal(median: median, sigmaPermille: sigma, greatest: greatest))
    #expect(sizes.allSatisfy { 1...greatest ~= $0 })
    // Classes of about equal width on the logarithm's axis, between whole sizes and a half.
    func below(_ size: Double) -> Double {
      0.5 * erfc(-log(size / Double(median)) / (Double(sigma) / 1000) / 2.0.squareRoot())
    }
    var bounds = [1]
    while let last = bounds.last, last <= greatest { bounds.append(max(last + 1, last * 9 / 8)) }
    bounds[bounds.count - 1] = greatest + 1
    let shares = zip(bounds, bounds.dropFirst()).map { low, high in
      below(Double(high) - 0.5) - below(Double(low) - 0.5)
    }
    var counts = [Int](repeating: 0, count: shares.count)
    for size in sizes { counts[(bounds.firstIndex { $0 > size } ?? bounds.count) - 1] += 1 }
    #expect(Self.matches(counts, shares), "SEED=\(Self.seed)")
  }

  @Test("the chi-square test notices a sigma that is off by a fiftieth")
  func logNormalIsSharp() {
    let sizes = Self.sizes(.logNormal(median: 1000, sigmaPermille: 980, greatest: 1 << 20))
    let counts = sizes.reduce(into: [0, 0, 0]) { $0[$1 < 368 ? 0 : $1 < 2718 ? 1 : 2] += 1 }
    #expect(!Self.matches(counts, [0.1587, 0.6827, 0.1587]))
  }

  @Test("a mixture has its parts' shares, and every size within a part alike")
  func mixture() {
    let parts = [
      SizePart(shareMillionths: 900_000, low: 100, high: 109),
      SizePart(shareMillionths: 100_000, low: 4000, high: 4004),
    ]
    var counts = [Int](repeating: 0, count: 15)
    for size in Self.sizes(.mixture(parts)) { counts[size < 200 ? size - 100 : size - 3990] += 1 }
    #expect(Self.matches(counts, (0..<15).map { $0 < 10 ? 0.09 : 0.02 }), "SEED=\(Self.seed)")
    #expect(SizeDistribution.mixture(parts).mean == 0.9 * 104.5 + 0.1 * 4002)
    #expect(SizeDistribution.mixture(parts).greatest == 4004)
  }

  @Test("a histogram of sizes is drawn as it was counted")
  func sizeHistogram() throws {
    let histogram = try MeasuredHistogram(parsing: "# bytes\n1,5,8\n5,6,0\n10,12,12\n")
    var counts = [Int](repeating: 0, count: 12)
    for size in Self.sizes(.histogram(histogram)) { counts[size] += 1 }
    #expect(counts[0] == 0 && counts[5..<10].allSatisfy { $0 == 0 })
    #expect(
      Self.matches(counts.filter { $0 > 0 }, [2, 2, 2, 2, 6, 6]), "SEED=\(Self.seed)")
    #expect(histogram.mean == (8 * 2.5 + 12 * 10.5) / 20)
    #expect((histogram.smallest, histogram.greatest) == (1, 11))
  }

  @Test(
    "a histogram with a mistake is refused with its line",
    arguments: [
      ("", 1, "nothing is counted"), ("1,2,0\n", 1, "nothing is counted"),
      ("1,2,3\n2,2,1\n", 2, "the range is empty: from must be below to"),
      ("from,to,count\n5,7,1\n6,8,1\n", 3, "the range begins before the one above it ends"),
      ("1,2\n", 1, "expected three whole numbers: from,to,count"),
      ("\n1,x,3\n", 2, "expected three whole numbers: from,to,count"),
      ("1,9999999999999,3\n", 1, "a number is out of range, which is 0 to 2^40"),
    ])
  func histogramMistakes(_ text: String, _ line: Int, _ message: String) {
    #expect(throws: MeasuredHistogram.Mistake(line: line, message: message)) {
      try MeasuredHistogram(parsing: text)
    }
  }

  @Test("the first 10,000 sizes are the same on every platform")
  func golden() {
    let logNormal = SizeDistribution.logNormal(
      median: 256, sigmaPermille: 1200, greatest: 1 << 16)
    var sizes = SizeChooser(logNormal, seed: 1, label: "writer")
    #expect(digest((0..<10_000).map { _ in UInt64(sizes.next()) }) == 16_413_350_392_448_393_126)
    var keys = KeyChooser(.scrambledZipfian(thetaPermille: 990), seed: 1, label: "writer")
    #expect(
      digest((0..<10_000).map { _ in UInt64(keys.next(rows: 40_000)) })
        == 18_349_334_756_518_587_718)
  }
}
