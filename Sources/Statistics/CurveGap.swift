// A permutation test of two groups of curves: the largest gap between their means is compared with those of other divisions
// of the same curves into two groups. It assumes no shape, and needs no correction for testing all points at once. Good,
// Permutation, Parametric and Bootstrap Tests of Hypotheses (2005).

/// The largest distance between the mean curves of two groups.
package struct CurveGap: Sendable, Equatable {
  /// Head minus base where their distance is largest; the first of equal ones.
  package let gap: Double
  /// The index of that point.
  package let index: Int
  /// Two-sided; at least one over the number of permutations.
  package let pValue: Double
  /// Whether all permutations were tested, or a random sample.
  package let isExhaustive: Bool
  /// The number of permutations tested, including the observed division.
  package let permutations: Int

  package static let maxPermutations = 10_000

  /// - Parameters:
  ///   - base: at least one curve; all curves have their values at the same points.
  ///   - seed: of the random permutations, if there are more than `maxPermutations`.
  package init(base: [[Double]], head: [[Double]], seed: UInt64) {
    let curves = base + head
    precondition(!base.isEmpty && !head.isEmpty, "a group has a curve")
    precondition(
      curves.allSatisfy { $0.count == curves[0].count } && !curves[0].isEmpty,
      "curves have their values at the same points")
    let size = base.count
    let observed = Self.largest(curves, baseIndices: Array(0..<size))
    (gap, index) = (observed.gap, observed.index)
    // Sums of the same numbers in another order differ in their last digits and are still as extreme.
    let threshold = abs(observed.gap) * (1 - 1e-12)
    func isAsExtreme(_ indices: [Int]) -> Bool {
      abs(Self.largest(curves, baseIndices: indices).gap) >= threshold
    }
    var extremeCount = 0
    if let count = Self.choices(curves.count, size), count <= Self.maxPermutations {
      Self.forEachChoice(of: size, from: curves.count) { if isAsExtreme($0) { extremeCount += 1 } }
      (isExhaustive, permutations) = (true, count)
    } else {
      let source = RandomSource(seed: seed)
      var order = Array(curves.indices)
      extremeCount = 1
      for _ in 1..<Self.maxPermutations {
        source.shuffle(&order)
        if isAsExtreme(Array(order.prefix(size))) { extremeCount += 1 }
      }
      (isExhaustive, permutations) = (false, Self.maxPermutations)
    }
    pValue = Double(extremeCount) / Double(permutations)
  }

  private static func largest(
    _ curves: [[Double]], baseIndices: [Int]
  ) -> (gap: Double, index: Int) {
    var isBase = [Bool](repeating: false, count: curves.count)
    for index in baseIndices { isBase[index] = true }
    let (bases, heads) = (Double(baseIndices.count), Double(curves.count - baseIndices.count))
    var best = (gap: 0.0, index: 0)
    for point in curves[0].indices {
      var (base, head) = (0.0, 0.0)
      for (number, curve) in curves.enumerated() {
        if isBase[number] { base += curve[point] } else { head += curve[point] }
      }
      let gap = head / heads - base / bases
      if abs(gap) > abs(best.gap) { best = (gap, point) }
    }
    return best
  }

  /// Returns n over k; nil if it is too large to enumerate.
  private static func choices(_ n: Int, _ k: Int) -> Int? {
    var count = 1
    for step in 0..<min(k, n - k) {
      count = count * (n - step) / (step + 1)
      if count > 1_000_000_000 { return nil }
    }
    return count
  }

  private static func forEachChoice(of k: Int, from n: Int, _ body: ([Int]) -> Void) {
    var chosen = Array(0..<k)
    while true {
      body(chosen)
      guard let last = (0..<k).last(where: { chosen[$0] < n - k + $0 }) else { return }
      chosen[last] += 1
      for index in (last + 1)..<max(k, last + 1) { chosen[index] = chosen[index - 1] + 1 }
    }
  }
}
