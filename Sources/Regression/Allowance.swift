// The allowed difference of a figure from its baseline.
import MetricModel

/// How far a figure may differ from its baseline without a finding.
package enum Allowance: Sendable, Equatable {
  /// Equal values only, the default.
  case none
  /// A difference in the metric's unit.
  case absolute(Double)
  /// A difference as a share of the base: 0.01 for 1 %.
  case relative(Double)
  /// A range in which the value of head must be, whatever the baseline is.
  case range(ClosedRange<Double>)
  /// A multiple of the noise that the A/A check measured for times. For exact figures, which have no noise, it is `none`.
  case noise(Double)
  /// Any difference.
  case any

  /// The allowance as a text in findings.
  package var words: String {
    switch self {
    case .none: "no difference"
    case .absolute(let value): "\(FigureValue.text(value))"
    case .relative(let share): "\(FigureValue.text(share * 100)) %"
    case .range(let range):
      "\(FigureValue.text(range.lowerBound)) to \(FigureValue.text(range.upperBound))"
    case .noise(let factor): "\(FigureValue.text(factor)) × the noise"
    case .any: "any"
    }
  }

  /// Returns the tolerance as a share of the base; `noise` is that of the A/A check.
  func tolerance(noise: Double) -> Double {
    switch self {
    case .relative(let share): share
    case .noise(let factor): factor * noise
    case .any: .infinity
    case .none, .absolute, .range: 0
    }
  }
}

/// The verdict on one exact figure compared with its baseline.
package enum FigureVerdict: String, Sendable, Codable, CaseIterable {
  case same
  /// The values differ by no more than the threshold allows.
  case allowed
  case worse
  case better
  /// The values differ, and neither is better.
  case changed

  init(base: Double, head: Double, _ metric: Metric, _ allowance: Allowance) {
    guard base != head else {
      // An unchanged value outside its range is still a finding.
      if case .range(let range) = allowance, !range.contains(head) {
        self = .worse
      } else {
        self = .same
      }
      return
    }
    let isAllowed: Bool =
      switch allowance {
      case .none, .noise: false
      case .absolute(let limit): abs(head - base) <= limit
      case .relative(let share): abs(head - base) <= share * abs(base)
      case .range(let range): range.contains(head)
      case .any: true
      }
    guard !isAllowed else {
      self = .allowed
      return
    }
    guard metric.polarity != .neutral else {
      self = .changed
      return
    }
    var limit = base
    if case .range(let range) = allowance {
      limit = head > range.upperBound ? range.upperBound : range.lowerBound
    }
    self = metric.isBetter(head, than: limit) ? .better : .worse
  }
}
