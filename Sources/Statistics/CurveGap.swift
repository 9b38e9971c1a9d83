// Whether two groups of curves differ as wholes: the greatest gap between their means, held against the gaps that other
// divisions of the same curves into two groups have. No shape is assumed, and looking at all places at once costs
// nothing. Good, Permutation, Parametric and Bootstrap Tests of Hypotheses (2005).

/// The greatest distance between the mean curves of two groups.
package struct CurveGap: Sendable, Equatable {
  /// Head less base where their distance is greatest; the first of equals.
  package let gap: Double
  /// The index of that place.
  package let place: Int
  /// Two-sided; at least one over the number of divisions that were looked at.
  package let pValue: Double
  /// Whether all divisions were looked at, or as many at random.
  package let isExhaustive: Bool
  /// What was looked at, the observed one included.
  package let divisions: Int

  package static let maxPermutations = 10_000

  /// - Parameters:
  ///   - base: at least one curve; all curves have their values at the same places.
  ///   - seed: of the random divisions, where there are more than `maxPermutations`.
  package init(base: [[Double]], head: [[Double]], seed: UInt64) {
    let curves = base + head
    precondition(!base.isEmpty && !head.isEmpty, "a group has a curve")
    precondition(
      curves.allSatisfy { $0.count == curves[0].count } && !curves[0].isEmpty,
      "curves have their values at the same places")
    let size = base.count
    let observed = Self.greatest(curves, baseIndices: Array(0..<size))
    (gap, place) = (observed.gap, observed.place)
    // Sums of the same numbers in another order differ in their last digits and are still as extreme.
    let threshold = abs(observed.gap) * (1 - 1e-12)
    func isAsExtreme(_ indices: [Int]) -> Bool {
      abs(Self.greatest(curves, baseIndices: indices).gap) >= threshold
    }
    var extremeCount = 0
    if let count = Self.choices(curves.count, size), count <= Self.maxPermutations {
      Self.forEachChoice(of: size, from: curves.count) { if isAsExtreme($0) { extremeCount += 1 } }
      (isExhaustive, divisions) = (true, count)
    } else {
      let source = RandomSource(seed: seed)
      var order = Array(curves.indices)
      extremeCount = 1
      for _ in 1..<Self.maxPermutations {
        source.shuffle(&order)
        if isAsExtreme(Array(order.prefix(size))) { extremeCount += 1 }
      }
      (isExhaustive, divisions) = (false, Self.maxPermutations)
    }
    pValue = Double(extremeCount) / Double(divisions)
  }

  private static func greatest(
    _ curves: [[Double]], baseIndices: [Int]
  ) -> (gap: Double, place: Int) {
    var isBase = [Bool](repeating: false, count: curves.count)
    for index in baseIndices { isBase[index] = true }
    let (bases, heads) = (Double(baseIndices.count), Double(curves.count - baseIndices.count))
    var best = (gap: 0.0, place: 0)
    for place in curves[0].indices {
      var (base, head) = (0.0, 0.0)
      for (index, curve) in curves.enumerated() {
        if isBase[index] { base += curve[place] } else { head += curve[place] }
      }
      let gap = head / heads - base / bases
      if abs(gap) > abs(best.gap) { best = (gap, place) }
    }
    return best
  }

  /// n over k; nil where it is more than a machine can go through.
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
