// What paired runs of two builds say about one noisy figure: slower, faster, the same within a tolerance, or not to be
// told. The estimate is a median of paired ratios with an exact interval; the call needs that interval to lie wholly on
// one side of the tolerance, and the randomization test to agree, so that a difference which is real and too small to
// matter is no alarm.
package import MetricModel
package import Statistics

/// The values of one figure, run by run: block i holds `base[i]`, `head[i]` and `control[i]`, which is base once more.
package struct PairedSeries: Sendable, Equatable {
  package var name: String
  package var unit: Metric.Unit
  package var polarity: Metric.Polarity
  package var base: [Double]
  package var head: [Double]
  package var control: [Double]
  /// The change that counts as the same for this figure; nil for that of the rules.
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

package struct PairedVerdict: Sendable, Equatable {
  package enum Call: String, Sendable, Codable, CaseIterable {
    case regressed, improved, equivalent, inconclusive
  }

  package var name: String
  package var unit: Metric.Unit
  package var call: Call
  /// Median of base and of head, for people to recognize.
  package var base: Double
  package var head: Double
  /// Head beside base: the Hodges–Lehmann center with the interval at the level of this look. nil where a value is not
  /// above zero.
  package var ratio: PairedRatio?
  /// BCa bootstrap of the same ratio: a check by another way, not a second chance.
  package var resampled: Interval?
  /// Of the signed-rank test that the change is not beyond the tolerance, corrected over the figures that decide; 1 where
  /// the estimate is within.
  package var pValue: Double
  /// Of the sign-flip randomization test of the same.
  package var flipPValue: Double
  package var rankBiserial: Double
  package var cliffsDelta: Double
  /// The least change, as a share of base, that so many pairs with so much noise call in four of five tries.
  package var smallestEffect: Double
}

/// The protocol's figures: what counts as the same, and how sure a call must be.
package struct ComparisonRules: Sendable, Equatable {
  /// A share: 0.03 calls a change of up to 3 % the same.
  package var tolerance: Double
  /// The chance of any false alarm over all figures and looks.
  package var alpha: Double
  package var seed: UInt64

  package init(tolerance: Double = 0.03, alpha: Double = 0.05, seed: UInt64 = 1) {
    self.tolerance = tolerance
    self.alpha = alpha
    self.seed = seed
  }
}

extension PairedVerdict {
  /// Calls all figures of one look together: p-values are corrected over them by Holm.
  ///
  /// `level` is what `AlphaSpending` leaves this look.
  package static func call(
    _ series: [PairedSeries], _ rules: ComparisonRules, level: Double
  ) -> [PairedVerdict] {
    call(series, rules, level, correction: Multiplicity.holm)
  }

  /// The same for figures that nobody decides by: corrected by Benjamini and Hochberg.
  package static func explore(
    _ series: [PairedSeries], _ rules: ComparisonRules, level: Double
  ) -> [PairedVerdict] {
    call(series, rules, level, correction: Multiplicity.benjaminiHochberg)
  }

  private static func call(
    _ series: [PairedSeries], _ rules: ComparisonRules, _ level: Double,
    correction: ([Double]) -> [Double]
  ) -> [PairedVerdict] {
    func own(_ series: PairedSeries) -> ComparisonRules {
      var own = rules
      own.tolerance = series.tolerance ?? rules.tolerance
      return own
    }
    let evidence = series.map { Evidence($0.base, $0.head, own($0), level) }
    return zip(series, zip(evidence, correction(evidence.map(\.pValue)))).map { series, pair in
      pair.0.verdict(series, own(series), adjusted: pair.1, level)
    }
  }

  /// Base beside base: what the machine calls different by itself.
  package static func certificate(
    _ series: [PairedSeries], _ rules: ComparisonRules, level: Double
  ) -> [PairedVerdict] {
    call(
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
  /// The ratios that neither of two one-sided tests at the level refuses: an interval of 1 − 2 × level.
  var unrefused: Interval?
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
    unrefused = PairedRatio(head, base, confidence: 1 - 2 * level)?.interval
    self.logarithms = logarithms
    // An estimate within the tolerance is no evidence of a change beyond it, however sure it is.
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

  func verdict(
    _ series: PairedSeries, _ rules: ComparisonRules, adjusted: Double, _ level: Double
  ) -> PairedVerdict {
    PairedVerdict(
      name: series.name, unit: series.unit, call: call(series, rules, adjusted, level),
      base: Quantiles.median(series.base) ?? 0, head: Quantiles.median(series.head) ?? 0,
      ratio: ratio, resampled: resampled, pValue: adjusted, flipPValue: flipPValue,
      rankBiserial: rankBiserial,
      cliffsDelta: EffectSize.cliffsDelta(series.head, series.base) ?? 0,
      smallestEffect: smallestEffect(level))
  }

  private func call(
    _ series: PairedSeries, _ rules: ComparisonRules, _ adjusted: Double, _ level: Double
  ) -> PairedVerdict.Call {
    guard let ratio, let interval = ratio.interval, interval.coverage >= 1 - level else {
      return .inconclusive
    }
    let (least, most) = (1 / (1 + rules.tolerance), 1 + rules.tolerance)
    // Being the same is an alternative with two sides, and each is tested at the whole level, since a change can't lie
    // beyond both: Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987).
    if let unrefused, unrefused.coverage >= 1 - 2 * level, unrefused.low >= least,
      unrefused.high <= most
    {
      return .equivalent
    }
    let isBeyond = interval.low > most || interval.high < least
    guard isBeyond, adjusted <= level, flipPValue <= level else { return .inconclusive }
    return (ratio.ratio > 1) == (series.polarity == .higherIsBetter) ? .improved : .regressed
  }

  /// The tolerance, and beyond it what the noise hides: (z of the level + z of 80 %) standard errors of the center.
  private func smallestEffect(_ level: Double) -> Double {
    guard logarithms.count > 1 else { return .infinity }
    // The center of n normal differences has the variance s²·π/(3n).
    let error = (RobustScale.qn(logarithms) ?? 0) * (1.0472 / Double(logarithms.count)).squareRoot()
    let reach = NormalQuantile.above(level / 2) + NormalQuantile.above(0.2)
    return LogRatio.ratio(edge + reach * error) - 1
  }
}
