// Slopes with their intervals and gaps between curves, beside SciPy; Reference/curves.py made the numbers.
import Foundation
import Statistics
import Testing

private struct CurveReference: Decodable {
  struct Slope: Decodable {
    var x: [Double]
    var y: [Double]
    var result: [Double]
  }
  struct Gap: Decodable {
    var base: [[Double]]
    var head: [[Double]]
    var gap: Double
    var pValue: Double
  }
  var slopes: [Slope]
  var gaps: [Gap]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/curves.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

@Suite("Slopes and curves beside SciPy")
struct CurveStatisticsTests {
  private let reference: CurveReference
  init() throws { reference = try CurveReference.load() }

  private func isNear(_ a: Double, _ b: Double) -> Bool {
    abs(a - b) <= 1e-9 * max(abs(a), abs(b))
  }

  @Test(
    "slopes and their intervals are those of theilslopes, with ties, two points and heavy tails")
  func slopes() throws {
    #expect(reference.slopes.count == 1000 && reference.gaps.count == 1000)
    for (number, expected) in reference.slopes.enumerated() {
      let found = try #require(RobustSlope.estimate(x: expected.x, y: expected.y))
      let values = [found.slope, found.interval.low, found.interval.high]
      for (value, wanted) in zip(values, expected.result) {
        #expect(isNear(value, wanted), "data set \(number): \(values), SciPy \(expected.result)")
      }
      #expect(RobustSlope.theilSen(x: expected.x, y: expected.y) == found.slope)
    }
  }

  @Test("the gap of two groups of curves has SciPy's permutation p-value over all divisions")
  func gaps() {
    for (number, expected) in reference.gaps.enumerated() {
      let found = CurveGap(base: expected.base, head: expected.head, seed: 1)
      #expect(found.isExhaustive)
      #expect(isNear(abs(found.gap), expected.gap), "data set \(number)")
      #expect(isNear(found.pValue, expected.pValue), "data set \(number)")
    }
  }

  @Test("many curves are divided at random, the same way for the same seed")
  func randomDivisions() {
    let base = (0..<12).map { [Double($0 % 5), 1, 2] }
    let head = (0..<12).map { [Double($0 % 5), 1, 2 + Double($0 + 30)] }
    let found = CurveGap(base: base, head: head, seed: 3)
    #expect(!found.isExhaustive && found.permutations == CurveGap.maxPermutations)
    #expect(found.index == 2 && found.gap == 35.5)
    #expect(found.pValue == 1 / Double(CurveGap.maxPermutations))
    #expect(found == CurveGap(base: base, head: head, seed: 3))
    #expect(CurveGap(base: base, head: base, seed: 3).pValue == 1)
  }
}
