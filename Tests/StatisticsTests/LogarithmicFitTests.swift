// Fits by logarithms and factors of tolerance beside SciPy; Reference/logarithmic.py made the numbers.
import Foundation
import Statistics
import Testing

private struct LogarithmicReference: Decodable {
  struct DataSet: Decodable {
    var rows: [[Double]]
    var measured: [Double]
    var coefficients: [Double]
    /// Σ ln(y ÷ ŷ)²
    var squares: Double
  }
  struct Factor: Decodable {
    var share: Double
    var confidence: Double
    var count: Int
    var freedom: Int
    var factor: Double
  }
  var sets: [DataSet]
  var factors: [Factor]

  static func load() throws -> Self {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference/logarithmic.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

@Suite("Fits by logarithms beside SciPy, on sixty data sets")
struct LogarithmicFitTests {
  @Test("coefficients and deviations are SciPy's") func beside() throws {
    let sets = try LogarithmicReference.load().sets
    try #require(sets.count == 60 && sets.contains { $0.coefficients.contains(0) })
    for (index, set) in sets.enumerated() {
      let fit = try #require(LogarithmicFit(rows: set.rows, measured: set.measured))
      let terms = set.coefficients.count { $0 > 0 }
      #expect(fit.degreesOfFreedom == set.rows.count - terms, "set \(index)")
      let squares = fit.deviation * fit.deviation * Double(fit.degreesOfFreedom)
      #expect(abs(squares / set.squares - 1) < 1e-8, "set \(index)")
      for (row, time) in zip(set.rows, set.measured) {
        func value(_ coefficients: [Double]) -> Double {
          zip(row, coefficients).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let difference = value(fit.coefficients) - value(set.coefficients)
        #expect(abs(difference) < 1e-5 * time, "set \(index): \(fit.coefficients)")
      }
    }
  }

  @Test(
    "half the time and twice the time leave the fit between them, where relative errors pull it down"
  )
  func symmetry() throws {
    var (rows, measured): ([[Double]], [Double]) = ([], [])
    for size in 1...10 {
      for factor in [0.5, 2] {
        rows.append([1, Double(size)])
        measured.append(6 * Double(size) * factor)
      }
    }
    let fit = try #require(LogarithmicFit(rows: rows, measured: measured))
    #expect(abs(fit.coefficients[1] - 6) < 1e-9 && fit.coefficients[0] < 1e-6)
    let relative = try #require(NonnegativeFit(rows: rows, measured: measured))
    #expect(relative.coefficients[1] < 4)
  }

  @Test("too few measurements and times of zero have no fit") func refused() {
    #expect(LogarithmicFit(rows: [[1, 2], [1, 3], [1, 4]], measured: [1, 2, 3]) == nil)
    let rows: [[Double]] = [[1, 2], [1, 3], [1, 4], [1, 5]]
    #expect(LogarithmicFit(rows: rows, measured: [1, 2, 0, 4]) == nil)
  }

  @Test("factors of tolerance are SciPy's, one of them that of NIST's handbook, 7.2.6.3")
  func factors() throws {
    let factors = try LogarithmicReference.load().factors
    for item in factors {
      let found = ToleranceFactor.twoSided(
        share: item.share, confidence: item.confidence, count: item.count,
        degreesOfFreedom: item.freedom)
      #expect(abs(found / item.factor - 1) < 1e-9, "\(item)")
    }
    let handbook = try #require(factors.first { $0.count == 43 })
    #expect((handbook.factor * 1000).rounded() == 2217)
  }
}
