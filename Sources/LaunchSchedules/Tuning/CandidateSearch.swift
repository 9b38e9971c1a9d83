// The search of a family: every candidate by look-ups, then of those that cost nearly the least the one in the middle of its
// neighbors, so that other seeds and slightly other apps do not fall off an edge.

/// The best rule of a family.
package struct FamilyResult: Hashable, Sendable {
  package let rule: TunedRule
  package let score: TuningScore
  /// The number of rules tried.
  package let candidates: Int
}

package struct CandidateSearch: Sendable {
  private let grid: CandidateGrid
  private let matrices: [TuningMatrix]
  /// What of the optimum's cost a candidate may cost more than the best and still be chosen for its neighbors.
  package static let tolerance = 0.005
  /// How far neighbors reach: this many percent of each threshold, up and down.
  static let reach = 0.05

  package init(_ grid: CandidateGrid, _ matrices: [TuningMatrix]) {
    self.grid = grid
    self.matrices = matrices
  }

  /// - Parameter optimum: the cost of the optimum on the same matrices.
  package func best(optimum: Double) -> FamilyResult {
    let scores = scores()
    let violations = scores.map(\.violations).min() ?? 0
    let least = scores.filter { $0.violations == violations }.map(\.cost).min() ?? 0
    let bound = least + Self.tolerance * optimum
    let sums = NeighborSums(scores.map(\.cost), rows: grid.first.count)
    let rows = grid.first.indices.map { Self.neighbors($0, grid.first) }
    let columns = grid.second.indices.map { Self.neighbors($0, grid.second) }
    var chosen: (mean: Double, digits: Int, index: Int)?
    for (index, score) in scores.enumerated()
    where score.violations == violations && score.cost <= bound {
      let (row, column) = index.quotientAndRemainder(dividingBy: grid.second.count)
      let mean = sums.mean(rows: rows[row], columns: columns[column])
      let found = (mean, Self.digits(grid.first[row]) + Self.digits(grid.second[column]), index)
      guard let known = chosen else {
        chosen = found
        continue
      }
      // Means of the same decisions differ by rounding only.
      let isSame = abs(found.0 - known.mean) <= 1e-9 * max(abs(known.mean), 1)
      if isSame ? found.1 < known.digits : found.0 < known.mean { chosen = found }
    }
    guard let chosen else { preconditionFailure("a grid has a candidate") }
    let (row, column) = chosen.index.quotientAndRemainder(dividingBy: grid.second.count)
    return FamilyResult(
      rule: grid.rule(row, column), score: scores[chosen.index], candidates: grid.count)
  }

  /// Returns the scores of all candidates, row by row.
  func scores() -> [TuningScore] {
    var scores: [TuningScore] = []
    scores.reserveCapacity(grid.count)
    for row in grid.first.indices {
      for column in grid.second.indices {
        scores.append(grid.rule(row, column).score(on: matrices))
      }
    }
    return scores
  }

  /// Returns the indexes of the thresholds within reach of one.
  private static func neighbors(_ index: Int, _ axis: [Int]) -> ClosedRange<Int> {
    let value = Double(axis[index])
    var (low, high) = (index, index)
    while low > 0, Double(axis[low - 1]) >= value * (1 - reach) { low -= 1 }
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

/// Sums of rectangles of a grid, from a table of sums.
private struct NeighborSums {
  private let sums: [Double]
  private let width: Int

  init(_ values: [Double], rows: Int) {
    let columns = values.count / max(1, rows)
    width = columns + 1
    var sums = Array(repeating: 0.0, count: (rows + 1) * width)
    for row in 0..<rows {
      var line = 0.0
      for column in 0..<columns {
        line += values[row * columns + column]
        sums[(row + 1) * width + column + 1] = sums[row * width + column + 1] + line
      }
    }
    self.sums = sums
  }

  func mean(rows: ClosedRange<Int>, columns: ClosedRange<Int>) -> Double {
    let (top, bottom) = (rows.lowerBound * width, (rows.upperBound + 1) * width)
    let (left, right) = (columns.lowerBound, columns.upperBound + 1)
    let sum = sums[bottom + right] - sums[top + right] - sums[bottom + left] + sums[top + left]
    return sum / Double(rows.count * columns.count)
  }
}
