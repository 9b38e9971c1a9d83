// Estimates with their intervals, corrections and rank sums over blocks, beside NumPy and SciPy; Reference/estimates.py
// made the numbers.
import Foundation
import Statistics
import Testing

private struct EstimateReference: Decodable {
  struct Center: Decodable {
    var center: Double
    /// The greater of the two averages in the middle, without sign: what rounding is measured by where they cancel.
    var scale: Double
    var interval: [Double]
  }
  struct DataSet: Decodable {
    var values: [Double]
    var share: Double
    var quantile: Double
    var scale: Double
    var median: [Double]
    var center: Center
  }
  struct Correction: Decodable {
    var p: [Double]
    var holm: [Double]
    var bh: [Double]
  }
  struct Friedman: Decodable {
    var blocks: [[Double]]
    var chi: Double
    var chiP: Double
    var f: Double
    var p: Double
  }
  var sets: [DataSet]
  var corrections: [Correction]
  var friedman: [Friedman]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/estimates.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

@Suite("Estimates beside NumPy and SciPy, on a thousand data sets each")
struct EstimateTests {
  private let reference: EstimateReference
  init() throws {
    reference = try EstimateReference.load()
    for count in [reference.sets.count, reference.corrections.count, reference.friedman.count] {
      try #require(count == 1000)
    }
  }

  private func isNear(_ a: Double, _ b: Double, scale: Double = 0) -> Bool {
    abs(a - b) <= 1e-9 * max(abs(a), abs(b), scale)
  }

  private func isNear(_ found: Interval, _ wanted: [Double]) -> Bool {
    isNear(found.low, wanted[0]) && isNear(found.high, wanted[1])
      && isNear(found.coverage, wanted[2])
  }

  @Test("quantiles are numpy.quantile's, with ties, one value and numbers of any size")
  func quantiles() throws {
    for set in reference.sets {
      let found = try #require(Quantiles.quantile(set.share, of: set.values))
      #expect(isNear(found, set.quantile, scale: set.scale), "\(set.values) at \(set.share)")
    }
  }

  @Test(
    "a median's interval lies between the order statistics that the binomial distribution names")
  func medians() throws {
    for set in reference.sets {
      let found = try #require(MedianEstimate(set.values))
      guard set.values.count > 1 else { continue }
      let interval = try #require(found.interval)
      #expect(isNear(interval, set.median), "\(set.values): \(interval), \(set.median)")
    }
  }

  @Test(
    "the Hodges–Lehmann center and its interval are those of all averages and counted rank sums")
  func centers() throws {
    for set in reference.sets {
      let found = HodgesLehmann(set.values)
      let wanted = set.center
      #expect(isNear(found.estimate, wanted.center, scale: wanted.scale), "\(set.values)")
      guard set.values.count > 1 else { continue }
      let interval = try #require(found.interval)
      #expect(isNear(interval, wanted.interval), "\(set.values): \(interval), \(wanted.interval)")
    }
  }

  @Test("Holm's and Benjamini and Hochberg's corrections are the reference's")
  func corrections() {
    for set in reference.corrections {
      let found = (Multiplicity.holm(set.p), Multiplicity.benjaminiHochberg(set.p))
      #expect(zip(found.0, set.holm).allSatisfy { isNear($0, $1) }, "\(set.p)")
      #expect(zip(found.1, set.bh).allSatisfy { isNear($0, $1) }, "\(set.p)")
    }
  }

  @Test("Friedman's statistics and p-values are SciPy's")
  func friedman() throws {
    for set in reference.friedman {
      let found = try #require(FriedmanTest(set.blocks))
      // A statistic of zero is the end of long sums.
      #expect(isNear(found.chiSquare, set.chi, scale: 1e-3), "\(set.blocks)")
      #expect(isNear(found.statistic, set.f, scale: 1e-3), "\(set.blocks)")
      #expect(isNear(found.chiSquarePValue, set.chiP), "\(set.blocks)")
      #expect(isNear(found.pValue, set.p), "\(set.blocks)")
    }
  }
}
