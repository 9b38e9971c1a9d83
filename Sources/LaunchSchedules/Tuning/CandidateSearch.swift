// The search of a family: every candidate by look-ups, then of those that cost nearly the least the one in the middle of its
// neighbors, so that other seeds and slightly other apps do not fall off an edge.

/// The best rule of a family.
package struct FamilyResult: Hashable, Sendable {
  package let rule: TunedRule
  package let score: TuningScore
  /// What the family comes to on seeds that its rule was not chosen on: each fold with the rule chosen on the others. nil
  /// where there is one fold.
  package let validation: TuningScore?
  /// The number of rules tried.
  package let candidates: Int
}

/// The matrices of some of the seeds, of all workloads.
package struct TuningFold: Sendable {
  package var matrices: [TuningMatrix] = []
  /// The weighted cost of their optima.
  package var optimum = 0.0

  package init() {}
}

package struct CandidateSearch: Sendable {
  private let grid: CandidateGrid
  private let folds: [TuningFold]
  /// What of the optimum's cost a candidate may cost more than the best and still be chosen for its neighbors.
  package static let tolerance = 0.005
  /// How far neighbors reach, as a share of each threshold. A wider reach decides between those that are alike in a narrower
  /// one: of a range of thresholds that decide alike it finds one far from both ends.
  static let reaches = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]

  package init(_ grid: CandidateGrid, _ folds: [TuningFold]) {
    self.grid = grid
    self.folds = folds
  }

  package func best() -> FamilyResult {
    let parts = folds.map { CandidateScores(grid, on: $0.matrices).scores }
    let all = Self.sum(parts)
    let optimum = folds.reduce(0) { $0 + $1.optimum }
    let chosen = choice(all, optimum: optimum)
    var validation: TuningScore?
    if folds.count > 1 {
      validation = folds.indices.reduce(into: TuningScore()) { sum, fold in
        let others = Self.sum(parts.enumerated().filter { $0.offset != fold }.map(\.element))
        sum += parts[fold][choice(others, optimum: optimum - folds[fold].optimum)]
      }
    }
    let (row, column) = chosen.quotientAndRemainder(dividingBy: grid.second.count)
    return FamilyResult(
      rule: grid.rule(row, column), score: all[chosen], validation: validation,
      candidates: grid.count)
  }

  /// Returns the least score of any candidate, without choosing one.
  package func least() -> TuningScore {
    Self.sum(folds.map { CandidateScores(grid, on: $0.matrices).scores }).min(by: <)
      ?? TuningScore()
  }

  private static func sum(_ parts: [[TuningScore]]) -> [TuningScore] {
    guard var sums = parts.first else { return [] }
    for part in parts.dropFirst() {
      for index in sums.indices { sums[index] += part[index] }
    }
    return sums
  }

  /// Returns the index of the candidate to take.
  private func choice(_ scores: [TuningScore], optimum: Double) -> Int {
    let violations = scores.map(\.violations).min() ?? 0
    let least = scores.filter { $0.violations == violations }.map(\.cost).min() ?? 0
    let bound = least + Self.tolerance * optimum
    var chosen = scores.indices.filter {
      scores[$0].violations == violations && scores[$0].cost <= bound
    }
    let values = [scores.map { Double($0.violations) }, scores.map(\.cost)]
    let sums = values.map { NeighborSums($0, rows: grid.first.count) }
    for reach in Self.reaches where chosen.count > 1 {
      let rows = grid.first.indices.map { Self.neighbors($0, grid.first, reach) }
      let columns = grid.second.indices.map { Self.neighbors($0, grid.second, reach) }
      for sums in sums {
        chosen = Self.least(of: chosen) { index in
          let (row, column) = index.quotientAndRemainder(dividingBy: columns.count)
          return sums.mean(rows: rows[row], columns: columns[column])
        }
      }
    }
    chosen = Self.least(of: chosen) { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: grid.second.count)
      return Double(Self.digits(grid.first[row]) + Self.digits(grid.second[column]))
    }
    return chosen[chosen.count / 2]
  }

  /// Returns those with the least value. Means of the same decisions differ by rounding only.
  private static func least(of indexes: [Int], _ value: (Int) -> Double) -> [Int] {
    let values = indexes.map(value)
    guard let least = values.min() else { preconditionFailure("a grid has a candidate") }
    let bound = least + 1e-9 * max(abs(least), 1e-3)
    return zip(indexes, values).filter { $0.1 <= bound }.map(\.0)
  }

  /// Returns the indexes of the thresholds within reach of one.
  private static func neighbors(_ index: Int, _ axis: [Int], _ reach: Double) -> ClosedRange<Int> {
    let value = Double(axis[index])
    var (low, high) = (index, index)
    while low > 0, Double(axis[low - 1]) * (1 + reach) >= value { low -= 1 }
    while high + 1 < axis.count, Double(axis[high + 1]) <= value * (1 + reach) { high += 1 }
    return low...high
  }

  /// The number of significant digits.
  private static func digits(_ value: Int) -> Int {
    var (value, count) = (value, 1)
    while value > 0, value % 10 == 0 { value /= 10 }
    while value >= 10 {
      value /= 10
      count += 1
    }
    return count
  }
}
