// Against SciPy and NumPy, whose results are kept in Reference/reference.json with the script that computed them.
import Foundation
import Statistics
import Testing

private struct Reference: Decodable {
  struct Quantile: Decodable {
    var series: String
    var share: Double
    var value: Double
  }
  struct MedianInterval: Decodable {
    var count: Int
    var interval: [Double]
  }
  struct Center: Decodable {
    var count: Int
    var result: [Double]
  }
  var series: [String: [Double]]
  var quantiles: [Quantile]
  var medianIntervals: [MedianInterval]
  var hodgesLehmann: [Center]
  var theilSen: Double
  var ratioOfMedians: [Double]
  var pairedRatio: [Double]
  var pairedRatioHL: [Double]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/reference.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }

  func values(_ name: String) -> [Double] { series[name] ?? [] }
}

private func isNear(_ a: Double, _ b: Double, relative: Double = 1e-12) -> Bool {
  abs(a - b) <= relative * max(abs(a), abs(b), 1e-300)
}

@Suite("Statistics beside SciPy")
struct StatisticsTests {
  private let reference: Reference
  init() throws { reference = try Reference.load() }

  @Test("quantiles are NumPy's, linear between the adjacent")
  func quantiles() throws {
    for expected in reference.quantiles {
      let value = Quantiles.quantile(expected.share, of: reference.values(expected.series))
      #expect(isNear(try #require(value), expected.value), "\(expected)")
    }
    #expect(Quantiles.median([]) == nil)
  }

  @Test(
    "the interval of a median is the narrowest pair of order statistics, with its real coverage")
  func medianIntervals() throws {
    let values = reference.values("logNormal")
    for expected in reference.medianIntervals {
      let estimate = try #require(MedianEstimate(Array(values.prefix(expected.count))))
      let interval = try #require(estimate.interval)
      #expect(interval.low == expected.interval[0], "n = \(expected.count)")
      #expect(interval.high == expected.interval[1], "n = \(expected.count)")
      #expect(
        isNear(interval.coverage, expected.interval[2], relative: 1e-11), "n = \(expected.count)")
      #expect(interval.contains(estimate.median))
    }
    #expect(MedianEstimate([]) == nil)
    #expect(MedianEstimate([3])?.interval == nil)
    #expect(MedianEstimate([3])?.median == 3)
  }

  @Test("the Hodges–Lehmann estimate and its interval are those of all signs gone through")
  func hodgesLehmann() throws {
    let values = reference.values("logNormal")
    for expected in reference.hodgesLehmann {
      let center = HodgesLehmann(Array(values.prefix(expected.count)))
      let interval = try #require(center.interval)
      #expect(isNear(center.estimate, expected.result[0]), "n = \(expected.count)")
      #expect(isNear(interval.low, expected.result[1]), "n = \(expected.count)")
      #expect(isNear(interval.high, expected.result[2]), "n = \(expected.count)")
      #expect(isNear(interval.coverage, expected.result[3]), "n = \(expected.count)")
    }
  }

  @Test("a paired ratio is the exponential of the center of the logarithms")
  func pairedRatio() throws {
    let a = Array(reference.values("logNormal").prefix(8))
    let b = Array(reference.values("other").prefix(8))
    let ratio = try #require(PairedRatio(a, b))
    let interval = try #require(ratio.interval)
    let expected = reference.pairedRatioHL
    #expect(isNear(ratio.ratio, expected[0]))
    #expect(isNear(interval.low, expected[1]))
    #expect(isNear(interval.high, expected[2]))
    #expect(isNear(interval.coverage, expected[3]))
    #expect(PairedRatio([1, 0], [1, 1]) == nil)
  }

  @Test("the robust slope is SciPy's, and one jump does not sway it")
  func slope() throws {
    let y = reference.values("steps")
    let x = y.indices.map(Double.init)
    let slope = try #require(RobustSlope.theilSen(x: x, y: y))
    #expect(isNear(slope, reference.theilSen))
    #expect(RobustSlope.theilSen(x: [1, 1], y: [1, 2]) == nil)
    #expect(RobustSlope.theilSen(x: [], y: []) == nil)
    let many = (0..<5000).map(Double.init)
    #expect(RobustSlope.theilSen(x: many, y: many.map { 7 - 2 * $0 }) == -2)
  }

  @Test("bootstrap intervals are within 3 % of SciPy's, which draws other numbers")
  func bootstrap() throws {
    let a = reference.values("logNormal")
    let b = reference.values("other")
    let ratio = try #require(Bootstrap.ratioOfMedians(a, b, seed: 1))
    #expect(isNear(ratio.low, reference.ratioOfMedians[0], relative: 0.03))
    #expect(isNear(ratio.high, reference.ratioOfMedians[1], relative: 0.03))
    let paired = try #require(Bootstrap.medianPairedRatio(a, b, seed: 1))
    #expect(isNear(paired.low, reference.pairedRatio[0], relative: 0.03))
    #expect(isNear(paired.high, reference.pairedRatio[1], relative: 0.03))
  }

  @Test("the same seed gives the same interval on any thread, another seed another")
  func seeds() async throws {
    let a = reference.values("logNormal")
    let b = reference.values("other")
    let first = try #require(Bootstrap.ratioOfMedians(a, b, resamples: 500, seed: 9))
    await withTaskGroup(of: Interval?.self) { group in
      for _ in 0..<8 {
        group.addTask { Bootstrap.ratioOfMedians(a, b, resamples: 500, seed: 9) }
      }
      for await interval in group { #expect(interval == first) }
    }
    #expect(Bootstrap.ratioOfMedians(a, b, resamples: 500, seed: 10) != first)
    #expect(Bootstrap.ratioOfMedians(a, [0, 1], seed: 1) == nil)
    #expect(Bootstrap.ratioOfMedians([], b, seed: 1) == nil)
  }

  @Test("an interval for a median covers the true one about as often as it says")
  func coverage() throws {
    var state: UInt64 = 42
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    var covered = 0
    for _ in 0..<4000 {
      let estimate = try #require(MedianEstimate((0..<7).map { _ in next() * next() }))
      // The median of the product of two uniform numbers: m (1 − ln m) = 1/2.
      if try #require(estimate.interval).contains(0.186_682_309) { covered += 1 }
    }
    // 98.4 % by the binomial distribution; four standard errors either way.
    #expect((0.976...0.992).contains(Double(covered) / 4000))
  }
}
