// The center of paired differences, robust and with an exact interval: the Hodges–Lehmann estimate with the
// interval that inverts Wilcoxon's signed-rank test. It needs symmetric differences, which logarithms of paired
// ratios nearly are.

/// The ratio of two paired series, such as a timing under a policy to that under `never` in the same block.
package struct PairedRatio: Sendable, Equatable, Codable {
  package var ratio: Double
  /// Nil for a single pair.
  package var interval: Interval?
  package var pairs: Int

  /// - Returns: nil without pairs, or if a value is not positive (it has no logarithm).
  package init?(_ numerators: [Double], _ denominators: [Double], confidence: Double = 0.95) {
    precondition(numerators.count == denominators.count, "pairs come in twos")
    guard !numerators.isEmpty, (numerators + denominators).allSatisfy({ $0 > 0 }) else {
      return nil
    }
    let logarithms = zip(numerators, denominators).map { LogRatio.of($0 / $1) }
    let center = HodgesLehmann(logarithms, confidence: confidence)
    ratio = LogRatio.ratio(center.estimate)
    pairs = numerators.count
    interval = center.interval.map {
      Interval(
        low: LogRatio.ratio($0.low), high: LogRatio.ratio($0.high), coverage: $0.coverage)
    }
  }
}

/// The pseudo-median of values: the median of all averages of two of them (each with itself too).
package struct HodgesLehmann: Sendable, Equatable {
  package var estimate: Double
  /// Nil for a single value.
  package var interval: Interval?

  package init(_ values: [Double], confidence: Double = 0.95) {
    precondition(!values.isEmpty, "an estimate needs a value")
    var averages: [Double] = []
    averages.reserveCapacity(values.count * (values.count + 1) / 2)
    for (index, value) in values.enumerated() {
      for other in values[index...] { averages.append((value + other) / 2) }
    }
    let sorted = GSL.sorted(averages)
    estimate = Quantiles.quantile(0.5, sorted: sorted)
    guard values.count > 1 else { return }
    // The interval leaves out c averages at each end, where P(W < c) ≤ α/2 for the signed-rank sum W.
    let below = SignedRank.distribution(of: values.count)
    var cut = 0
    while cut + 1 < sorted.count / 2, 1 - 2 * below[cut] >= confidence { cut += 1 }
    cut = max(0, cut - 1)
    interval = Interval(
      low: sorted[cut], high: sorted[sorted.count - 1 - cut], coverage: 1 - 2 * below[cut])
  }
}

extension HodgesLehmann {
  /// Returns the estimate alone, for resampling: by bisection of the range of averages and counting those below, which takes
  /// n steps instead of sorting n² averages. Correct but for the last few digits.
  package static func center(_ values: [Double]) -> Double {
    precondition(!values.isEmpty, "an estimate needs a value")
    let sorted = GSL.sorted(values)
    let pairs = sorted.count * (sorted.count + 1) / 2
    let upper = average(sorted, rank: pairs / 2 + 1)
    return pairs.isMultiple(of: 2) ? (average(sorted, rank: pairs / 2) + upper) / 2 : upper
  }

  /// Returns the `rank`-th smallest average of two values.
  private static func average(_ sorted: [Double], rank: Int) -> Double {
    var (low, high) = (sorted[0], sorted[sorted.count - 1])
    for _ in 0..<64 {
      let middle = low + (high - low) / 2
      guard low < middle, middle < high else { break }
      if count(sorted, atMost: middle) >= rank { high = middle } else { low = middle }
    }
    return count(sorted, atMost: low) >= rank ? low : high
  }

  private static func count(_ sorted: [Double], atMost limit: Double) -> Int {
    var count = 0
    var partner = sorted.count - 1
    for index in sorted.indices {
      while partner >= index, (sorted[index] + sorted[partner]) / 2 > limit { partner -= 1 }
      guard partner >= index else { break }
      count += partner - index + 1
    }
    return count
  }
}

enum SignedRank {
  /// P(W ≤ w) at index w, for the sum W of those ranks 1 … n whose sign is positive when signs are fair coins.
  static func distribution(of n: Int) -> [Double] {
    let maxSum = n * (n + 1) / 2
    var probability = [Double](repeating: 0, count: maxSum + 1)
    probability[0] = 1
    for rank in 1...n {
      for sum in stride(from: maxSum, through: 0, by: -1) {
        probability[sum] = (probability[sum] + (sum >= rank ? probability[sum - rank] : 0)) / 2
      }
    }
    var total = 0.0
    return probability.map { part in
      total += part
      return total
    }
  }
}
