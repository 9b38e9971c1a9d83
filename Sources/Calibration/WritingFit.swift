// The time of a compaction by the bytes that it writes. A policy knows used bytes beforehand, and a simulation also what will
// be written: of files whose pages are half full VACUUM writes half as much, for the same used bytes.
import Statistics

/// time = a + b·written bytes + c·file bytes, in nanoseconds, of warm files.
package struct WritingFit: Sendable, Codable, Equatable {
  /// The coefficients: a, b and c.
  package var coefficients: [Double]
  /// The standard deviation of ln(time ÷ estimate) of single compactions.
  package var logDeviation: Double
  /// Nine in ten single compactions take at most this many times the estimate, and at least the estimate divided by it, with a
  /// confidence of 95 %.
  package var nineInTenFactor: Double

  private static let share = 0.9
  private static let confidence = 0.95

  /// nil where too few compactions were measured with what they wrote.
  init?(_ points: [CostPoint]) {
    let own = points.filter {
      $0.kind == .compaction && $0.cache == .warm && $0.time ?? 0 > 0 && $0.rewritten != nil
    }
    // Single compactions, not their medians: a simulated launch is one.
    let singles = own.flatMap { point in
      point.nanoseconds.filter { $0 > 0 }.map { (point.writingRow, $0) }
    }
    guard let fit = LogarithmicFit(rows: singles.map(\.0), measured: singles.map(\.1))
    else { return nil }
    coefficients = fit.coefficients
    logDeviation = fit.deviation
    let factor = ToleranceFactor.twoSided(
      share: Self.share, confidence: Self.confidence, count: singles.count,
      degreesOfFreedom: fit.degreesOfFreedom)
    nineInTenFactor = LogRatio.ratio(factor * fit.deviation)
  }

  var isSound: Bool {
    coefficients.count == 3 && coefficients.allSatisfy { $0 >= 0 && $0.isFinite }
      && logDeviation >= 0 && nineInTenFactor >= 1 && nineInTenFactor.isFinite
  }
}

extension CostPoint {
  /// The values of the terms, beginning with that of the constant part.
  fileprivate var writingRow: [Double] { [1, Double(rewritten?.bytes ?? 0), Double(bytes.bytes)] }
}
