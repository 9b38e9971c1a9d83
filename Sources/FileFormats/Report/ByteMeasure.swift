// A number that a file's bytes determine exactly, only within bounds, or not at all; with the reason in the last two cases.

/// A number of bytes as far as a file determines it.
package enum ByteMeasure: Sendable, Equatable {
  case exact(Int)
  /// Some number of the range.
  case bounded(ClosedRange<Int>, reason: String)
  case unknown(reason: String)

  /// The number; nil unless it is exact.
  package var exactValue: Int? {
    if case .exact(let bytes) = self { bytes } else { nil }
  }

  /// The bounds, which are equal for an exact number; nil for an unknown one.
  package var bounds: ClosedRange<Int>? {
    switch self {
    case .exact(let bytes): bytes...bytes
    case .bounded(let range, _): range
    case .unknown: nil
    }
  }

  /// Why the number is not exact; nil if it is.
  package var reason: String? {
    switch self {
    case .exact: nil
    case .bounded(_, let reason), .unknown(let reason): reason
    }
  }

  /// Returns a bounded number, or an exact one where the bounds are equal.
  package static func between(_ lower: Int, _ upper: Int, reason: String) -> ByteMeasure {
    lower >= upper ? .exact(upper) : .bounded(lower...upper, reason: reason)
  }
}
