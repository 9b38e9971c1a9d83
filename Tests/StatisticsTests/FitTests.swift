// Fits of terms that are not below zero, beside SciPy and NumPy; Reference/fits.py made the numbers.
import Foundation
import Statistics
import Testing

private struct FitReference: Decodable {
  struct DataSet: Decodable {
    var rows: [[Double]]
    var measured: [Double]
    var coefficients: [Double]
    /// Those of the bounded solver, which end after finitely many steps.
    var bounded: [Double]
    var intervals: [[Double]]
    var deviation: Double
    var freedom: Int
    var at: [Double]
    var value: Double
    var interval: [Double]
  }
  var sets: [DataSet]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/fits.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

@Suite("Nonnegative fits beside SciPy, on two hundred data sets")
struct FitTests {
  private func isNear(_ a: Double, _ b: Double, scale: Double, _ tolerance: Double = 1e-7) -> Bool {
    abs(a - b) <= tolerance * max(abs(a), abs(b), scale)
  }

  @Test("coefficients, intervals and predictions are SciPy's")
  func beside() throws {
    let sets = try FitReference.load().sets
    try #require(sets.count == 200 && sets.contains { $0.coefficients.contains(0) })
    for (index, set) in sets.enumerated() {
      let fit = try #require(NonnegativeFit(rows: set.rows, measured: set.measured))
      #expect(fit.degreesOfFreedom == set.freedom, "set \(index)")
      #expect(isNear(fit.relativeDeviation, set.deviation, scale: 0), "set \(index)")
      for term in set.at.indices {
        // A coefficient matters by what it adds to the value.
        let scale = set.value / set.at[term]
        let found = fit.coefficients[term]
        #expect((found == 0) == (set.coefficients[term] == 0), "set \(index), term \(term)")
        #expect(isNear(found, set.coefficients[term], scale: scale), "set \(index), term \(term)")
        #expect(isNear(found, set.bounded[term], scale: scale, 1e-6), "set \(index), term \(term)")
        let interval = fit.intervals[term]
        #expect(isNear(interval.low, set.intervals[term][0], scale: scale), "set \(index)")
        #expect(isNear(interval.high, set.intervals[term][1], scale: scale), "set \(index)")
      }
      let (value, interval) = (fit.value(at: set.at), fit.interval(at: set.at))
      #expect(isNear(value, set.value, scale: 0), "set \(index)")
      #expect(isNear(interval.low, set.interval[0], scale: set.value), "set \(index)")
      #expect(isNear(interval.high, set.interval[1], scale: set.value), "set \(index)")
    }
  }

  @Test("planted coefficients are recovered")
  func planted() throws {
    let rows: [[Double]] = (1...12).map { (index: Int) -> [Double] in
      [1, Double(index * index) * 1e6, Double(index % 5 + 1) * 3e7]
    }
    let plans: [[Double]] = [[4e6, 2.5, 0.75], [4e6, 2.5, 0], [0, 0, 0.75], [0, 3.25, 0]]
    for planted in plans {
      let measured = rows.map { row -> Double in
        row[0] * planted[0] + row[1] * planted[1] + row[2] * planted[2]
      }
      let fit = try #require(NonnegativeFit(rows: rows, measured: measured))
      // Beside measured values of about 10⁸ in each term.
      for (index, scale) in [1e2, 1e-6, 1e-6].enumerated() {
        let (found, wanted) = (fit.coefficients[index], planted[index])
        #expect(isNear(found, wanted, scale: scale), "\(planted): \(fit.coefficients)")
      }
    }
  }

  @Test("a value that falls with a term gets no negative coefficient")
  func falling() throws {
    let rows: [[Double]] = (1...9).map { [1, Double($0)] }
    let measured: [Double] = (1...9).map { 100 - 5 * Double($0) }
    let fit = try #require(NonnegativeFit(rows: rows, measured: measured))
    #expect(fit.coefficients[1] == 0 && fit.intervals[1].low == 0)
    #expect(fit.value(at: [1, 1]) == fit.value(at: [1, 9]))
  }

  @Test("terms that are not told apart, too few measurements and values of zero have no fit")
  func refused() {
    let rows: [[Double]] = (1...9).map { [1, Double($0), 2 * Double($0)] }
    let values: [Double] = (1...9).map { Double($0) }
    #expect(NonnegativeFit(rows: rows, measured: values) == nil)
    let plain = rows.map { Array($0.prefix(2)) }
    #expect(NonnegativeFit(rows: Array(plain.prefix(3)), measured: Array(values.prefix(3))) == nil)
    #expect(NonnegativeFit(rows: plain, measured: values.map { $0 - 1 }) == nil)
    #expect(NonnegativeFit(rows: [], measured: []) == nil)
    #expect(NonnegativeFit(rows: plain, measured: values) != nil)
  }
}
