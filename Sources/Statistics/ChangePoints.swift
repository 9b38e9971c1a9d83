// Where a history of measurements changes its level or its spread: E-divisive, Matteson and James, JASA 109 (2014). The
// energy distance between what lies before and after a point is compared with that of shuffled histories.

/// An index from which on the distribution of a series differs from before.
package struct ChangePoint: Sendable, Equatable {
  /// The index of the first value of the new segment.
  package var index: Int
  /// The p-value of a permutation test; never below 1 / (permutations + 1).
  package var pValue: Double
  /// The median of the segment that ends here, and of the one that begins.
  package var before: Double
  package var after: Double
}

package enum ChangePoints {
  /// The minimum number of values of a segment: a single outlying value is not a segment.
  package static let minSegmentLength = 5

  /// The change points of `values` in order, found by bisection until the next one is not significant at `alpha`.
  ///
  /// Work grows with the square of the number of values, times the permutations.
  package static func detect(
    _ values: [Double], alpha: Double = 0.01, permutations: Int = 199, seed: UInt64
  ) -> [ChangePoint] {
    precondition(values.allSatisfy { !$0.isNaN }, "a measurement is a number")
    let source = RandomSource(seed: seed)
    var bounds = [0, values.count]
    var found: [Int: Double] = [:]
    while let best = best(values, bounds) {
      var extremeCount = 1
      for _ in 0..<permutations {
        let shuffled = shuffle(values, within: bounds, source)
        if let other = self.best(shuffled, bounds), other.distance >= best.distance * (1 - 1e-12) {
          extremeCount += 1
        }
      }
      let pValue = Double(extremeCount) / Double(permutations + 1)
      guard pValue <= alpha else { break }
      found[best.index] = pValue
      bounds = (bounds + [best.index]).sorted()
    }
    return bounds.dropFirst().dropLast().enumerated().map { segment, index in
      ChangePoint(
        index: index, pValue: found[index] ?? 1,
        before: median(values[bounds[segment]..<index]),
        after: median(values[index..<bounds[segment + 2]]))
    }
  }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    Quantiles.quantile(0.5, sorted: GSL.sorted(Array(values)))
  }

  private static func shuffle(
    _ values: [Double], within bounds: [Int], _ source: RandomSource
  ) -> [Double] {
    var shuffled = values
    for (from, to) in zip(bounds, bounds.dropFirst()) {
      var order = Array(from..<to)
      source.shuffle(&order)
      for (target, origin) in zip(from..<to, order) { shuffled[target] = values[origin] }
    }
    return shuffled
  }

  /// Returns the split with the largest distance of all segments; nil if no segment can be split, or all are constant.
  private static func best(
    _ values: [Double], _ bounds: [Int]
  ) -> (index: Int, distance: Double)? {
    var best: (index: Int, distance: Double)?
    for (from, to) in zip(bounds, bounds.dropFirst()) {
      guard let split = bestSplit(values[from..<to]) else { continue }
      if split.distance > best?.distance ?? 0 { best = split }
    }
    return best
  }

  /// Scans the split from left to right; one step moves a value from the right side to the left one, and with it the
  /// sums of absolute differences within and between the sides.
  static func bestSplit(_ segment: ArraySlice<Double>) -> (index: Int, distance: Double)? {
    guard segment.count >= 2 * minSegmentLength else { return nil }
    var within = 0.0
    var between = 0.0
    var rest = 0.0
    for (offset, value) in segment.enumerated() {
      for other in segment.dropFirst(offset + 1) { rest += abs(value - other) }
    }
    var best: (index: Int, distance: Double)?
    for index in segment.indices.dropLast() {
      let value = segment[index]
      var toLeft = 0.0
      var toRight = 0.0
      for other in segment[..<index] { toLeft += abs(value - other) }
      for other in segment[(index + 1)...] { toRight += abs(value - other) }
      within += toLeft
      rest -= toRight
      between += toRight - toLeft
      let left = index + 1 - segment.startIndex
      let right = segment.count - left
      guard left >= minSegmentLength, right >= minSegmentLength else { continue }
      let distance = energy(within, rest, between, Double(left), Double(right))
      if distance > best?.distance ?? -.infinity { best = (index + 1, distance) }
    }
    return best
  }

  private static func energy(
    _ within: Double, _ rest: Double, _ between: Double, _ n: Double, _ m: Double
  ) -> Double {
    let distance =
      2 * between / (n * m) - 2 * within / (n * (n - 1)) - 2 * rest / (m * (m - 1))
    return n * m / (n + m) * distance
  }
}
