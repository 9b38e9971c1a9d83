// Tests and effect sizes against SciPy, on the data sets of Reference/tests.json; the script beside it says how each
// figure was made. Corrections and rank sums over blocks are held against SciPy in EstimateTests; here are their edges.
import Foundation
import Testing

@testable import Statistics

private struct Reference: Decodable {
  struct DataSet: Decodable {
    var d: [Double]
    var w: Double
    var p: Double
    var cliff: Double
  }
  struct Spending: Decodable {
    var shares: [Double]
    var alpha: Double
    var levels: [Double]
  }
  struct History: Decodable {
    var x: [Double]
    var split: [Double]
  }
  struct Bootstrapped: Decodable {
    var x: [Double]
    var statistic: String
    var interval: [Double]
  }
  var sets: [DataSet]
  var spending: [Spending]
  var histories: [History]
  var bca: [Bootstrapped]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/tests.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

private func isNear(_ a: Double, _ b: Double, relative: Double = 1e-9) -> Bool {
  abs(a - b) <= relative * max(abs(a), abs(b))
}

@Suite("Rank tests beside SciPy")
struct RankTestTests {
  private let reference: Reference
  init() throws { reference = try Reference.load() }

  @Test("the signed-rank test is exact on 1,000 data sets, ties, zeros and extremes among them")
  func signedRank() {
    #expect(reference.sets.count == 1000)
    for expected in reference.sets {
      let test = SignedRankTest(expected.d)
      #expect(test.rankSum == expected.w, "\(expected.d)")
      #expect(isNear(test.pValue, expected.p), "\(expected.d)")
    }
  }

  @Test("the rank-biserial correlation is the share of ranks on one side less that on the other")
  func rankBiserial() {
    #expect(SignedRankTest([1, 2, 3]).rankBiserial == 1)
    #expect(SignedRankTest([-1, -2, -3]).rankBiserial == -1)
    #expect(SignedRankTest([1, 2, -3, 0]).rankBiserial == 0)
    #expect(SignedRankTest([0, 0]) == SignedRankTest([]))
    #expect(SignedRankTest([]).pValue == 1)
  }

  @Test("beyond the exact range the normal approximation goes on where the counting ends")
  func approximation() {
    let many = (1...SignedRankTest.maxExactCount + 1).map { Double($0 % 3 == 0 ? -$0 : $0) }
    let exact = SignedRankTest(Array(many.dropLast()))
    let approximate = SignedRankTest(many)
    #expect(approximate.count == exact.count + 1)
    #expect(isNear(approximate.pValue, exact.pValue, relative: 0.25))
    #expect(approximate.pValue < 1e-4)
  }

  @Test("Cliff's delta is the balance of all comparisons")
  func cliff() throws {
    var previous = [1.0, 2, 2]
    for expected in reference.sets {
      let delta = try #require(EffectSize.cliffsDelta(expected.d, previous))
      #expect(isNear(delta, expected.cliff), "\(expected.d) beside \(previous)")
      previous = expected.d
    }
    #expect(EffectSize.cliffsDelta([], [1]) == nil)
  }

  @Test("flipping signs at random finds what the signed-rank test finds, and repeats by its seed")
  func signFlips() {
    let shifted = (0..<30).map { Double(($0 * 37) % 30) - 8 }
    #expect(SignFlipTest.pValue(shifted, seed: 1) == SignFlipTest.pValue(shifted, seed: 1))
    #expect(SignFlipTest.pValue(shifted, seed: 1) < 0.01)
    let level = shifted.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : -$0.element }
    #expect(SignFlipTest.pValue(level, seed: 1) > 0.05)
    // All 2^5 arrangements: two of them are as extreme as all signs alike.
    let few = SignFlipTest.pValue([1, 2, 4, 8, 16], flips: 40_000, seed: 7)
    #expect(abs(few - 2.0 / 32) < 4 * (2.0 / 32 / 40_000).squareRoot())
    #expect(SignFlipTest.pValue([], seed: 1) == 1)
    #expect(SignFlipTest.pValue([0, 0], seed: 1) == 1)
  }

  @Test("no test needs no correction, and a corrected p-value is never below a smaller one's")
  func corrections() {
    #expect(Multiplicity.holm([]) == [])
    #expect(Multiplicity.benjaminiHochberg([0.9, 0.8]) == [0.9, 0.9])
  }

  @Test("Friedman's test needs three treatments that differ; blocks that all agree leave no doubt")
  func friedman() {
    #expect(FriedmanTest([[1, 2], [2, 1]]) == nil)
    #expect(FriedmanTest([[1, 1, 1], [2, 2, 2]]) == nil)
    #expect(FriedmanTest([[1, 2, 3], [4, 5, 6]])?.pValue == 0)
    #expect(FriedmanTest([[1, 2, 3], [4, 6, 5]])?.meanRanks == [1, 2.5, 2.5])
  }

  @Test("all pairs of treatments are tested, and corrected together")
  func friedmanPairs() {
    let blocks = (0..<12).map { (index: Int) -> [Double] in
      let base = Double(index)
      return [base, base + 3, base + 0.1 * Double(index % 3 - 1)]
    }
    let pairs = FriedmanTest.pairs(blocks)
    #expect(pairs.map { [$0.first, $0.second] } == [[0, 1], [0, 2], [1, 2]])
    #expect(pairs[0].pValue < 0.01 && pairs[2].pValue < 0.01 && pairs[1].pValue > 0.5)
    #expect(FriedmanTest.pairs([]).isEmpty)
  }

  @Test("the levels of early looks spend alpha as the joint distribution of the looks says")
  func spending() {
    for expected in reference.spending {
      let levels = AlphaSpending.levels(shares: expected.shares, alpha: expected.alpha)
      for (a, b) in zip(levels, expected.levels) {
        #expect(isNear(a, b, relative: 1e-7), "\(expected.shares): \(levels)")
      }
    }
  }

  @Test("the first of three looks can decide: its level is above the least p-value of thirty pairs")
  func earlyLook() {
    let levels = AlphaSpending.levels(shares: [0.25, 0.5, 1], alpha: 0.05)
    #expect(SignedRankTest((1...30).map(Double.init)).pValue < levels[0] / 1e6)
  }

  @Test("the best split of a history is the one of the definition")
  func split() throws {
    for expected in reference.histories {
      let split = try #require(ChangePoints.bestSplit(expected.x[...]))
      #expect(Double(split.index) == expected.split[0])
      #expect(isNear(split.distance, expected.split[1]))
    }
  }

  @Test("a step in a history is found where it is, and no step where there is none")
  func changePoints() {
    let steps = reference.histories[2].x
    let found = ChangePoints.detect(steps, seed: 3)
    #expect(found.map(\.index) == [40])
    #expect(found[0].pValue <= 0.01 && found[0].after - found[0].before > 6)
    #expect(ChangePoints.detect(reference.histories[3].x, seed: 3).isEmpty)
    #expect(ChangePoints.detect([], seed: 3).isEmpty)
    #expect(ChangePoints.detect([Double](repeating: 5, count: 40), seed: 3).isEmpty)
    let two = (0..<90).map { (index: Int) in Double(index / 30 % 2 * 50 + index % 7) }
    #expect(ChangePoints.detect(two, seed: 3).map(\.index) == [30, 60])
  }

  @Test("BCa intervals are SciPy's, up to what resampling differs by")
  func biasCorrected() throws {
    for expected in reference.bca {
      let interval = try #require(
        Bootstrap.biasCorrected(expected.x, resamples: 40_000, seed: 1) { values in
          expected.statistic == "mean"
            ? values.reduce(0, +) / Double(values.count) : Quantiles.median(values) ?? 0
        })
      let width = expected.interval[1] - expected.interval[0]
      #expect(abs(interval.low - expected.interval[0]) < 0.03 * width)
      #expect(abs(interval.high - expected.interval[1]) < 0.03 * width)
    }
    #expect(Bootstrap.biasCorrected([1], seed: 1) { $0[0] } == nil)
    #expect(Bootstrap.biasCorrected([2, 2], seed: 1) { $0[0] } == nil)
  }

  @Test("the center found by halving is the median of all averages")
  func quickCenter() {
    for expected in reference.sets.prefix(300) {
      let values = expected.d.filter { abs($0) < 1e100 }
      guard !values.isEmpty else { continue }
      #expect(
        isNear(HodgesLehmann.center(values), HodgesLehmann(values).estimate, relative: 1e-12)
          || abs(HodgesLehmann.center(values) - HodgesLehmann(values).estimate) < 1e-14, "\(values)"
      )
    }
  }

  @Test("logarithms of ratios keep their digits for tiny ratios too, and come back")
  func logRatios() {
    for ratio in [1e-300, 1e-17, 0.5, 1, 1.0000001, 2, 1e300] {
      #expect(isNear(LogRatio.ratio(LogRatio.of(ratio)), ratio, relative: 1e-12))
    }
    #expect(isNear(LogRatio.of(1e-17), -39.143_946_580_898_78))
    #expect(isNear(NormalQuantile.above(0.025), 1.959_963_984_540_054))
  }

  @Test("robust scales are those of normal values, and a third of rubbish does not move them far")
  func robustScale() throws {
    // Equidistant quantiles of a standard normal would have scale 1; a line of n values has a known one.
    let line = (1...101).map(Double.init)
    let rubbish = line + [Double](repeating: 1e9, count: 30)
    for scale in [RobustScale.sn, RobustScale.qn] {
      let clean = try #require(scale(line))
      let spoilt = try #require(scale(rubbish))
      #expect(clean > 20 && clean < 40)
      #expect(spoilt < 3 * clean)
      #expect(scale([1]) == nil)
      #expect(scale([4, 4, 4]) == 0)
    }
  }
}
