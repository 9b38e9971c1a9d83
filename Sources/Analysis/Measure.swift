// A figure with what may be said of it: exact, or the median of several runs, or absent with a reason.
package import Statistics

package enum Measure: Sendable, Equatable {
  /// Repeats bit for bit; `runs` gave it. One run is exact by construction and was not checked.
  case exact(Double, runs: Int)
  /// Of the wall clock or of real threads.
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

  /// How many runs gave the figure.
  package var runs: Int {
    switch self {
    case .exact(_, let runs): runs
    case .estimate(let estimate): estimate.count
    case .absent: 0
    }
  }

  package var isExact: Bool { if case .exact = self { true } else { false } }
}
