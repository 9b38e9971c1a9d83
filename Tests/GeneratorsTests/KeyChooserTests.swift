// Keys fall where their distribution says, and a seed gives the same keys everywhere.
import Foundation
import Generators
import Testing

@Suite("KeyChooser")
struct KeyChooserTests {
  /// Of a chi-square distribution with 999 degrees of freedom, exceeded once in a million (Wilson and Hilferty).
  static let critical999 = 1226.0

  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? 1

  struct Golden: CustomTestStringConvertible {
    var distribution: KeyDistribution
    var rows: Int
    var digest: UInt64
    var testDescription: String { "\(distribution) over \(rows) rows" }
  }

  @Test(
    "the first 10,000 keys are the same on every platform",
    arguments: [
      Golden(distribution: .uniform, rows: 40_000, digest: 8_759_656_835_402_169_739),
      Golden(
        distribution: .zipfian(thetaPermille: 990), rows: 40_000, digest: 122_506_343_683_517_854),
      Golden(
        distribution: .zipfian(thetaPermille: 500), rows: 1000, digest: 6_823_755_648_873_790_328),
      Golden(
        distribution: .zipfian(thetaPermille: 1200), rows: 10_000_000,
        digest: 7_220_370_108_524_034_227),
      Golden(
        distribution: .latest(thetaPermille: 990), rows: 40_000, digest: 6_192_902_161_897_838_459),
      Golden(distribution: .sequential, rows: 300, digest: 4_059_567_378_689_816_561),
    ])
  func golden(_ golden: Golden) {
    var keys = KeyChooser(golden.distribution, seed: 1, label: "writer")
    #expect(
      digest((0..<10_000).map { _ in UInt64(keys.next(rows: golden.rows)) }) == golden.digest)
  }

  @Test("keys while rows come and go are the same on every platform")
  func goldenGrowth() {
    var keys = KeyChooser(.latest(thetaPermille: 990), seed: 1, label: "writer")
    let drawn = (1...10_000).map { step in
      UInt64(keys.next(rows: step % 3000 < 2000 ? 100 + step : 50 + step / 10))
    }
    #expect(digest(drawn) == 12_803_472_443_500_676_513)
  }

  @Test(
    "zipfian frequencies pass a chi-square test against the exact probabilities",
    arguments: [0, 300, 500, 800, 990, 1000, 1200, 1500, 2000])
  func zipfianShape(theta: Int) {
    let rows = 1000
    let draws = 1_000_000
    var keys = KeyChooser(
      .zipfian(thetaPermille: theta), seed: Self.seed, label: "shape", index: theta)
    var counts = [Int](repeating: 0, count: rows)
    for _ in 0..<draws { counts[keys.next(rows: rows)] += 1 }
    let exact = Self.probabilities(rows: rows, theta: theta)
    // Rare ranks are counted together, 1000 classes at most, so that each class expects five draws and more.
    var statistic = 0.0
    var classes = 0
    var (expected, observed) = (0.0, 0)
    for rank in 0..<rows {
      expected += exact[rank] * Double(draws)
      observed += counts[rank]
      guard expected >= 5 || rank == rows - 1 else { continue }
      statistic += pow(Double(observed) - expected, 2) / max(expected, 1)
      classes += 1
      (expected, observed) = (0, 0)
    }
    #expect(statistic < Self.critical999, "seed \(Self.seed), \(classes) classes")
  }

  @Test("the chi-square test notices a theta that is off by a hundredth")
  func zipfianShapeIsSharp() {
    let rows = 1000
    let draws = 1_000_000
    var keys = KeyChooser(.zipfian(thetaPermille: 980), seed: 1, label: "shape")
    var counts = [Int](repeating: 0, count: rows)
    for _ in 0..<draws { counts[keys.next(rows: rows)] += 1 }
    let exact = Self.probabilities(rows: rows, theta: 990)
    let statistic = zip(counts, exact).reduce(0.0) { sum, pair in
      let expected = pair.1 * Double(draws)
      return sum + pow(Double(pair.0) - expected, 2) / expected
    }
    #expect(statistic > Self.critical999)
  }

  private static func probabilities(rows: Int, theta: Int) -> [Double] {
    let weights = (1...rows).map { pow(Double($0), -Double(theta) / 1000) }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  @Test("a large table's octaves get the shares of the exact distribution", arguments: [500, 990])
  func zipfianOctaves(theta: Int) {
    let rows = 1_000_000
    let draws = 1_000_000
    var keys = KeyChooser(.zipfian(thetaPermille: theta), seed: Self.seed, label: "octaves")
    var counts = [Double](repeating: 0, count: 20)
    for _ in 0..<draws {
      let rank = keys.next(rows: rows) + 1
      counts[Int.bitWidth - 1 - rank.leadingZeroBitCount] += 1
    }
    var exact = [Double](repeating: 0, count: 20)
    for (index, share) in Self.probabilities(rows: rows, theta: theta).enumerated() {
      exact[Int.bitWidth - 1 - (index + 1).leadingZeroBitCount] += share * Double(draws)
    }
    let statistic = zip(counts, exact).reduce(0.0) { $0 + pow($1.0 - $1.1, 2) / $1.1 }
    // 19 degrees of freedom, exceeded once in a million.
    #expect(statistic < 63.6, "seed \(Self.seed)")
  }

  @Test("every key is a row, for any number of rows", arguments: [0, 1, 500, 990, 2000])
  func bounds(theta: Int) {
    for distribution in [
      KeyDistribution.uniform, .zipfian(thetaPermille: theta), .latest(thetaPermille: theta),
      .sequential,
    ] {
      var keys = KeyChooser(distribution, seed: Self.seed, label: "bounds")
      for rows in [1, 2, 63, 64, 65, 127, 128, 129, 5000, 4999, 100, 3, 1, 1 << 32, 10] {
        for _ in 0..<100 {
          let row = keys.next(rows: rows)
          #expect(0 <= row && row < rows, "\(distribution), \(rows) rows, seed \(Self.seed)")
        }
      }
    }
  }

  @Test("latest is zipfian from the other end")
  func latest() {
    var zipfian = KeyChooser(.zipfian(thetaPermille: 990), seed: 3, label: "x")
    var latest = KeyChooser(.latest(thetaPermille: 990), seed: 3, label: "x")
    for rows in 1...2000 {
      #expect(latest.next(rows: rows) == rows - 1 - zipfian.next(rows: rows))
    }
  }

  @Test("sequential begins again after the last row, and where rows are gone")
  func sequential() {
    var keys = KeyChooser(.sequential, seed: 1, label: "x")
    #expect((0..<5).map { _ in keys.next(rows: 3) } == [0, 1, 2, 0, 1])
    #expect(keys.next(rows: 2) == 0)
    #expect(keys.next(rows: 4) == 1)
  }
}
