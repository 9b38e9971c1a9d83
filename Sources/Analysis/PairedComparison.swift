// The verdict of paired runs of two builds on one noisy figure: regressed, improved, equivalent within a tolerance, or
// inconclusive. The estimate is the Hodges–Lehmann center of paired ratios with an exact interval. A verdict of change needs
// the whole interval on one side of the tolerance, and the randomization test to agree, so that a real difference that is
// too small to matter is no alarm.
package import MetricModel
package import Statistics

/// The values of one figure, run by run: block i has `base[i]`, `head[i]` and `control[i]`, a second run of base.
package struct PairedSeries: Sendable, Equatable {
  package var name: String
  package var unit: Metric.Unit
  package var polarity: Metric.Polarity
  package var base: [Double]
  package var head: [Double]
  package var control: [Double]
  /// The tolerance of this figure; nil for that of the rules.
  package var tolerance: Double?

  package init(
    name: String, unit: Metric.Unit, polarity: Metric.Polarity = .lowerIsBetter,
    base: [Double] = [], head: [Double] = [], control: [Double] = [], tolerance: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.polarity = polarity
    self.base = base
    self.head = head
    self.control = control
    self.tolerance = tolerance
  }
}

package struct PairedComparison: Sendable, Equatable {
  package enum Verdict: String, Sendable, Codable, CaseIterable {
    case regressed, improved, equivalent, inconclusive
  }

  package var name: String
  package var unit: Metric.Unit
  package var verdict: Verdict
  /// Medians of base and of head, for the reader's orientation.
  package var base: Double
  package var head: Double
  /// Head over base: the Hodges–Lehmann center with its interval at the level of this interim analysis; nil if a value is
  /// not positive.
  package var ratio: PairedRatio?
  /// The BCa bootstrap interval of the same ratio: a cross-check that decides nothing.
  package var resampled: Interval?
  /// The p-value of the signed-rank test that the change is not beyond the tolerance, corrected over the deciding figures;
  /// 1 if the estimate is within the tolerance.
  package var pValue: Double
  /// The p-value of the sign-flip randomization test of the same hypothesis.
  package var flipPValue: Double
  package var rankBiserial: Double
  package var cliffsDelta: Double
  /// The smallest change, as a share of base, that this many pairs with this much noise detect with a power of 80 %.
  package var smallestEffect: Double
}

/// The parameters of the protocol: the tolerance, and how sure a verdict must be.
package struct ComparisonRules: Sendable, Equatable {
  /// A share: with 0.03, changes of up to 3 % are equivalent.
  package var tolerance: Double
  /// The probability of any false alarm over all figures and interim analyses.
  package var alpha: Double
  package var seed: UInt64

  package init(tolerance: Double = 0.03, alpha: Double = 0.05, seed: UInt64 = 1) {
    self.tolerance = tolerance
    self.alpha = alpha
    self.seed = seed
  }
}

extension PairedComparison {
  /// Compares all figures at one interim analysis: p-values are corrected over them by Holm's procedure.
  ///
  /// - Parameter level: what `AlphaSpending` leaves this interim analysis.
  package static func compare(
    _ series: [PairedSeries], _ rules: ComparisonRules, level: Double
  ) -> [PairedComparison] {
    compare(series, rules, level, correction: Multiplicity.holm)
  }

  /// The same for figures that decide nothing: corrected by Benjamini and Hochberg's procedure.
  package static func explore(
    _ series: [PairedSeries], _ rules: ComparisonRules, level: Double
  ) -> [PairedComparison] {
    compare(series, rules, level, correction: Multiplicity.benjaminiHochberg)
  }

  private static func compare(
    _ series: [PairedSeries], _ rules: ComparisonRules, _ level: Double,
    correction: ([Double]) -> [Double]
  ) -> [PairedComparison] {
    func own(_ series: PairedSeries) -> ComparisonRules {
      var own = rules
      own.tolerance = series.tolerance ?? rules.tolerance
      return own
    }
    let evidence = series.map { Evidence($0.base, $0.head, own($0), level) }
    return zip(series, zip(evidence, correction(evidence.map(\.pValue)))).map { series, pair in
      pair.0.comparison(series, own(series), adjusted: pair.1, level)
    }
  }

  /// The A/A check: compares base with itself, as the control runs measured it.
  package static func aaCheck(
    _ series: [PairedSeries], _ rules: ComparisonRules, level: Double
  ) -> [PairedComparison] {
    compare(
      series.map {
        PairedSeries(
          name: $0.name, unit: $0.unit, polarity: $0.polarity, base: $0.base, head: $0.control,
          tolerance: $0.tolerance)
      }, rules, level: level)
  }
}

/// One figure's tests, before the correction over all of them.
private struct Evidence {
  var logarithms: [Double]
  var ratio: PairedRatio?
  /// The ratios that neither of two one-sided tests at the level rejects: an interval of 1 − 2 × level.
  var notRejected: Interval?
  var pValue: Double
  var flipPValue: Double
  var rankBiserial: Double
  var resampled: Interval?
  /// The tolerance, as a logarithm.
  var edge: Double

  init(
    _ base: [Double], _ head: [Double], _ rules: ComparisonRules, _ level: Double
  ) {
    let edge = LogRatio.of(1 + rules.tolerance)
    let ratio = PairedRatio(head, base, confidence: 1 - level)
    let logarithms = ratio == nil ? [] : zip(head, base).map { LogRatio.of($0 / $1) }
    // Against the edge on the estimate's side: is the change beyond what counts as the same?
    let isBelow = ratio.map { $0.ratio < 1 } ?? false
    let shifted = logarithms.map { $0 - (isBelow ? -edge : edge) }
    self.edge = edge
    self.ratio = ratio
    notRejected = PairedRatio(head, base, confidence: 1 - 2 * level)?.interval
    self.logarithms = logarithms
    // An estimate within the tolerance is no evidence of a change beyond it, however precise it is.
    let isBeyond = logarithms.isEmpty || (HodgesLehmann.center(shifted) > 0) != isBelow
    pValue = isBeyond ? SignedRankTest(shifted).pValue : 1
    flipPValue = isBeyond ? SignFlipTest.pValue(shifted, seed: rules.seed) : 1
    rankBiserial = SignedRankTest(logarithms).rankBiserial
    resampled = Bootstrap.biasCorrected(
      logarithms, confidence: 1 - level, resamples: 2000, seed: rules.seed
    ) { HodgesLehmann.center($0) }.map {
      Interval(
        low: LogRatio.ratio($0.low), high: LogRatio.ratio($0.high), coverage: $0.coverage)
    }
  }

  func comparison(
    _ series: PairedSeries, _ rules: ComparisonRules, adjusted: Double, _ level: Double
  ) -> PairedComparison {
    PairedComparison(
      name: series.name, unit: series.unit, verdict: verdict(series, rules, adjusted, level),
      base: Quantiles.median(series.base) ?? 0, head: Quantiles.median(series.head) ?? 0,
      ratio: ratio, resampled: resampled, pValue: adjusted, flipPValue: flipPValue,
      rankBiserial: rankBiserial,
      cliffsDelta: EffectSize.cliffsDelta(series.head, series.base) ?? 0,
      smallestEffect: smallestEffect(level))
  }

  private func verdict(
    _ series: PairedSeries, _ rules: ComparisonRules, _ adjusted: Double, _ level: Double
  ) -> PairedComparison.Verdict {
    guard let ratio, let interval = ratio.interval, interval.coverage >= 1 - level else {
      return .inconclusive
    }
    let (lower, upper) = (1 / (1 + rules.tolerance), 1 + rules.tolerance)
    // Two one-sided tests of equivalence, each at the whole level, since a change cannot lie beyond both
    // bounds: Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987).
    if let notRejected, notRejected.coverage >= 1 - 2 * level, notRejected.low >= lower,
      notRejected.high <= upper
    {
      return .equivalent
    }
    let isBeyond = interval.low > upper || interval.high < lower
    guard isBeyond, adjusted <= level, flipPValue <= level else { return .inconclusive }
    return (ratio.ratio > 1) == (series.polarity == .higherIsBetter) ? .improved : .regressed
  }

  /// Returns the tolerance plus what the noise hides: (z of the level + z of 80 %) standard errors of the center.
  private func smallestEffect(_ level: Double) -> Double {
    guard logarithms.count > 1 else { return .infinity }
    // The center of n normal differences has the variance s²·π/(3n).
    let error = (RobustScale.qn(logarithms) ?? 0) * (1.0472 / Double(logarithms.count)).squareRoot()
    let margin = NormalQuantile.above(level / 2) + NormalQuantile.above(0.2)
    return LogRatio.ratio(edge + margin * error) - 1
  }
}
