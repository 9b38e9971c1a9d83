// What a rule must not exceed: a quantile of a figure over the fleet.

package struct QuantileLimit: Hashable, Sendable, Codable {
  package var figure: FleetFigure
  package var share: Double
  package var maximum: Double

  package init(_ figure: FleetFigure, share: Double, maximum: Double) {
    self.figure = figure
    self.share = share
    self.maximum = maximum
  }

  /// The quantile of a tally, in the figure's own unit.
  package func value(of tally: PolicyTally) -> Double {
    (tally.sketch(of: figure).quantile(share) ?? 0) / figure.scale
  }
}
