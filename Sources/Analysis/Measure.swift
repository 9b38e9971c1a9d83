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

  package var isExact: Bool { if case .exact = self { true } else { false } }
}
