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
    let rows = own.map { [1, Double($0.rewritten?.bytes ?? 0), Double($0.bytes.bytes)] }
    guard let fit = NonnegativeFit(rows: rows, measured: own.compactMap(\.time)) else { return nil }
    let errors = zip(own, rows).flatMap { point, row in
      point.nanoseconds.filter { $0 > 0 }.map { fit.value(at: row) / $0 - 1 }
    }
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
