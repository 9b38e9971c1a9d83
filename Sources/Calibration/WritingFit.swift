// The time of a compaction by the bytes that it writes. A policy knows used bytes beforehand, and a simulation also what will
// be written: of files whose pages are half full VACUUM writes half as much, for the same used bytes.
import Statistics

/// time = a + b·written bytes + c·file bytes, in nanoseconds, of warm files.
package struct WritingFit: Sendable, Codable, Equatable {
  /// The coefficients: a, b and c.
  package var coefficients: [Double]
  /// The deviation of single compactions from the model, relative to them.
  package var singleDeviation: Double

  /// nil where too few compactions were measured with what they wrote.
  init?(_ points: [CostPoint]) {
    let own = points.filter {
      $0.kind == .compaction && $0.cache == .warm && $0.time ?? 0 > 0 && $0.rewritten != nil
    }
    // Single compactions, not their medians: a simulated launch is one.
    let singles = own.flatMap { point in
      point.nanoseconds.filter { $0 > 0 }.map { (point.writingRow, $0) }
    }
    let rows = singles.map(\.0)
    guard let fit = NonnegativeFit(rows: rows, measured: singles.map(\.1)) else { return nil }
    let errors = singles.map { row, time in fit.value(at: row) / time - 1 }
    let freedom = errors.count - fit.coefficients.count
    guard freedom > 0 else { return nil }
    coefficients = fit.coefficients
    singleDeviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(freedom)).squareRoot()
  }

  var isSound: Bool {
    coefficients.count == 3 && coefficients.allSatisfy { $0 >= 0 && $0.isFinite }
      && singleDeviation >= 0
  }
}

extension CostPoint {
  /// The values of the terms, beginning with that of the constant part.
  fileprivate var writingRow: [Double] { [1, Double(rewritten?.bytes ?? 0), Double(bytes.bytes)] }
}
