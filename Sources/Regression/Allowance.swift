// How far a figure may go from its baseline before it is a finding.
import MetricModel

package enum Allowance: Sendable, Equatable {
  /// The default: any other value is a finding.
  case none
  /// So much worse, in the metric's unit.
  case absolute(Double)
  /// So much worse, as a share of the base: 0.01 for 1 %.
  case relative(Double)
  /// Head itself lies within, whatever the base was.
  case range(ClosedRange<Double>)
  /// So many times what differs by itself: between seeds for a figure that varies with them, between base and base for a
  /// time. An exact figure has no noise, so for it this is none.
  case noise(Double)
  /// Whatever it is.
  case any

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

  /// As a share of the base, where it is one; `noise` is what differs by itself.
  func tolerance(noise: Double) -> Double {
    switch self {
    case .relative(let share): share
    case .noise(let factor): factor * noise
    case .any: .infinity
    case .none, .absolute, .range: 0
    }
  }
}

/// What is said of one exact figure beside its baseline.
package enum FigureVerdict: String, Sendable, Codable, CaseIterable {
  case same
  /// It differs by no more than is allowed.
  case allowed
  case worse
  case better
  /// It differs, and neither value is better.
  case changed

  init(base: Double, head: Double, _ metric: Metric, _ allowance: Allowance) {
    guard base != head else {
      // A value that never was within its range is no better for having stayed.
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
      case .absolute(let most): abs(head - base) <= most
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
