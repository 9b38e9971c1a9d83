// Ranks with ties. All rank tests of this module use them, so that ties are treated alike.

enum Ranks {
  /// Returns twice the rank of each value, counted from 1: tied values share the mean of their ranks, which doubled is whole,
  /// so that sums of ranks stay exact.
  static func doubled(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Int](repeating: 0, count: values.count)
    var first = 0
    while first < order.count {
      var last = first
      while last + 1 < order.count, values[order[last + 1]] == values[order[first]] { last += 1 }
      for position in first...last { ranks[order[position]] = first + last + 2 }
      first = last + 1
    }
    return ranks
  }

  /// Returns Σ (t³ − t) over the groups of t tied values, for tie corrections.
  static func tieSum(_ doubledRanks: [Int]) -> Double {
    var counts: [Int: Double] = [:]
    for rank in doubledRanks { counts[rank, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * ($1.value * $1.value - 1) }
  }
}
