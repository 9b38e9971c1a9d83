// How probable it is that a policy is dominated: another one is as good on every axis, and better on one.

enum ParetoDominance {
  /// Returns for each policy the share of resamples in which another one has no more on any axis, and less on one.
  ///
  /// - Parameter axes: by axis and policy the means of the resamples.
  static func shares(_ axes: [[[Double]]]) -> [Double] {
    guard let first = axes.first else { return [] }
    return first.indices.map { own in
      let draws = first[own].indices
      let dominated = draws.count { draw in
        first.indices.contains { other in
          axes.allSatisfy { $0[other][draw] <= $0[own][draw] }
            && axes.contains { $0[other][draw] < $0[own][draw] }
        }
      }
      return Double(dominated) / Double(max(1, draws.count))
    }
  }
}
