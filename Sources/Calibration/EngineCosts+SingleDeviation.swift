// How far single measurements are from a model, which is fitted to the medians of repetitions.

extension EngineCosts {
  /// Returns the standard deviation of single measurements from the model, each relative to the measurement, those that are
  /// held out included; nil without a model. It is larger than that of the medians to which the model is fitted.
  package func singleDeviation(_ kind: CostKind, _ cache: CacheState) -> Double? {
    guard let fit = model(kind, cache)?.fit else { return nil }
    let errors = points.filter { $0.kind == kind && $0.cache == cache }.flatMap { point in
      point.nanoseconds.filter { $0 > 0 }.map { fit.value(at: point.row) / $0 - 1 }
    }
    let freedom = errors.count - fit.coefficients.count
    guard freedom > 0 else { return fit.relativeDeviation }
    return (errors.reduce(0) { $0 + $1 * $1 } / Double(freedom)).squareRoot()
  }
}
