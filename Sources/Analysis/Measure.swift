// A figure with its precision: exact, or the median of several runs, or missing with a reason.
package import Statistics

package enum Measure: Sendable, Equatable {
  /// Reproducible bit for bit in so many runs. One run is exact by construction, without a check.
  case exact(Double, runs: Int)
  /// Noisy: of the wall clock or of real threads.
  case estimate(MedianEstimate)
  case absent(reason: String)

  package var value: Double? {
    switch self {
    case .exact(let value, _): value
    case .estimate(let estimate): estimate.median
    case .absent: nil
    }
  }

  /// The interval of a median.
  package var interval: Interval? {
    if case .estimate(let estimate) = self { estimate.interval } else { nil }
  }

  /// The number of runs with the figure.
  package var runs: Int {
    switch self {
    case .exact(_, let runs): runs
    case .estimate(let estimate): estimate.count
    case .absent: 0
    }
  }

  package var isExact: Bool { if case .exact = self { true } else { false } }
}
