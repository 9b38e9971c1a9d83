// Relative errors of simulated figures, and the bars that they are held to.
import Statistics

/// Errors relative to the really run device.
package struct AgreementErrors: Hashable, Sendable {
  /// Devices that were compared: those of which the figure is not 0 on both sides.
  package var count: Int
  /// The median of the errors with their sign.
  package var bias: Double
  /// Of the errors without sign.
  package var median: Double
  package var p90: Double

  /// nil where there is nothing to compare. What should be 0 and is not counts as an error of 100 %.
  init?(_ pairs: [(simulated: Double, real: Double)]) {
    let errors = pairs.filter { $0.simulated != 0 || $0.real != 0 }.map { simulated, real in
      real == 0 ? 1 : simulated / real - 1
    }
    let sizes = errors.map(abs)
    guard let bias = Quantiles.median(errors), let median = Quantiles.median(sizes),
      let p90 = Quantiles.quantile(0.9, of: sizes)
    else { return nil }
    (count, self.bias, self.median, self.p90) = (errors.count, bias, median, p90)
  }
}

/// What must hold for the figures of a simulation to be taken for those of real devices.
package struct AgreementBar: Hashable, Sendable {
  package var figure: FleetFigure
  package var maxMedian: Double
  /// nil for no bar.
  package var maxP90: Double?

  package static let all = [
    AgreementBar(figure: .finalSize, maxMedian: 0.03, maxP90: 0.1),
    AgreementBar(figure: .largestSize, maxMedian: 0.03, maxP90: 0.1),
    AgreementBar(figure: .rewritten, maxMedian: 0.05, maxP90: nil),
  ]

  /// Policies are apart by a figure where they differ by more than this share: their order by less is within the error that is
  /// allowed.
  package static func apart(_ figure: FleetFigure) -> Double {
    all.first { $0.figure == figure }?.maxMedian ?? usualApart
  }

  private static let usualApart = 0.03

  /// The smallest τ of the order of policies, by the quantiles of each of the bars' figures and on each device.
  package static let minOrder = 0.95

  /// - Parameter floor: how far two real runs of the same devices are apart; nil where it is not known.
  package func holds(_ errors: AgreementErrors?, floor: AgreementErrors? = nil) -> Bool {
    guard let errors else { return true }
    return errors.median <= max(maxMedian, floor?.median ?? 0)
      && errors.p90 <= max(maxP90 ?? .infinity, floor?.p90 ?? 0)
  }
}
