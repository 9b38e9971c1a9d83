// Models of time: a constant part, and a price for each byte.
package import MetricModel
package import Statistics

/// time = a + b·live bytes + c·file bytes for compactions, a + c·file bytes for launches, and a + b·bytes of rows for
/// commits, whose constant part is mostly the sync. No part is below zero, since no byte makes an operation shorter.
package struct CostModel: Sendable, Codable, Equatable {
  package var kind: CostKind
  package var cache: CacheState
  /// The coefficients in nanoseconds, the constant part first.
  package var fit: NonnegativeFit
  /// The smallest and the largest bytes that the model is fitted to.
  package var smallest: ByteCount
  package var largest: ByteCount
  /// The check by points that it is not fitted to; nil without any.
  package var heldOut: HeldOutErrors?

  /// Fits the points of the kind and cache state that are not held out. Returns nil if they are too few or too alike.
  package init?(_ kind: CostKind, _ cache: CacheState, _ points: [CostPoint]) {
    let own = points.filter { $0.kind == kind && $0.cache == cache && $0.time ?? 0 > 0 }
    let fitted = own.filter { !$0.isHeldOut }
    guard
      let fit = NonnegativeFit(rows: fitted.map(\.row), measured: fitted.compactMap(\.time)),
      let smallest = fitted.map(\.bytes).min(), let largest = fitted.map(\.bytes).max()
    else { return nil }
    self.kind = kind
    self.cache = cache
    self.fit = fit
    self.smallest = smallest
    self.largest = largest
    heldOut = HeldOutErrors(own.filter(\.isHeldOut).compactMap { error(at: $0) })
  }

  /// Returns (predicted − measured) ÷ measured; nil for a point without a time.
  package func error(at point: CostPoint) -> Double? {
    point.time.map { (fit.value(at: point.row) - $0) / $0 }
  }

  /// The time that the model predicts for the bytes of a point.
  package func predicted(_ point: CostPoint) -> TimePrediction {
    TimePrediction(
      nanoseconds: fit.value(at: point.row), interval: fit.interval(at: point.row),
      isExtrapolated: point.bytes < smallest || point.bytes > largest)
  }

  /// Whether a model that was read has the terms of its kind, none below zero.
  var isSound: Bool {
    let count = kind.terms.count + 1
    return fit.coefficients.count == count && fit.intervals.count == count
      && fit.covariance.count == count && fit.covariance.allSatisfy { $0.count == count }
      && fit.coefficients.allSatisfy { $0 >= 0 } && fit.degreesOfFreedom > 0
      && fit.relativeDeviation >= 0
  }
}

/// Relative errors, without sign, of predictions for sizes that were held out of the fit.
package struct HeldOutErrors: Sendable, Codable, Equatable {
  package var count: Int
  package var median: Double
  package var largest: Double

  init?(_ errors: [Double]) {
    let sizes = errors.map(abs)
    guard let median = Quantiles.median(sizes), let largest = sizes.max() else { return nil }
    count = sizes.count
    self.median = median
    self.largest = largest
  }
}

/// A predicted time.
package struct TimePrediction: Sendable, Equatable {
  package var nanoseconds: Double
  /// Contains 95 % of single measurements.
  package var interval: Interval
  /// Whether the size is outside of those that were measured.
  package var isExtrapolated: Bool
}
