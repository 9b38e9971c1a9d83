// The shapes that a scenario may ask for. How they become numbers is in the files beside this one; all of it is integer
// arithmetic, so that a stream is the same on every platform.

/// Which rows operations fall on.
package enum KeyDistribution: Hashable, Sendable, Codable {
  /// Every row alike.
  case uniform
  /// Few rows take most operations, the lowest keys the most; `theta` in thousandths (990 is YCSB's 0.99).
  case zipfian(thetaPermille: Int)
  /// As zipfian, the newest rows the most.
  case latest(thetaPermille: Int)
  /// One row after the other, from the first again after the last.
  case sequential
}

/// How large values are, in bytes.
package enum SizeDistribution: Hashable, Sendable, Codable {
  case fixed(Int)
  case uniform(low: Int, high: Int)
}
