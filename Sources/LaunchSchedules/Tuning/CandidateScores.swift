// The scores of all candidates of a grid: on each matrix one of those that decide alike is tried. A matrix has some hundred
// values that a threshold can lie between, a grid up to a million candidates.

struct CandidateScores {
  /// Row by row, to the bit those of `TunedRule.score`.
  private(set) var scores: [TuningScore]

  init(_ grid: CandidateGrid, on matrices: [TuningMatrix]) {
    scores = Array(repeating: TuningScore(), count: grid.count)
    for matrix in matrices { add(grid, matrix) }
  }

  private mutating func add(_ grid: CandidateGrid, _ matrix: TuningMatrix) {
    let rows = ThresholdClasses(grid.first, on: matrix) { RuleCondition(grid.rule($0, 0))?.first }
    let columns = ThresholdClasses(grid.second, on: matrix) {
      RuleCondition(grid.rule(0, $0))?.second
    }
    for row in rows.ranges {
      // What the rows of this class come to, by column.
      var line: [TuningScore] = []
      line.reserveCapacity(grid.second.count)
      for column in columns.ranges {
        let score = grid.rule(row.lowerBound, column.lowerBound).score(on: [matrix])
        line.append(contentsOf: repeatElement(score, count: column.count))
      }
      for index in row {
        let begin = index * line.count
        for column in line.indices { scores[begin + column] += line[column] }
      }
    }
  }
}

/// The thresholds of an axis, divided by what a part of a rule decides with them on a matrix.
private struct ThresholdClasses {
  /// The indexes of thresholds that decide alike at every launch in every state.
  let ranges: [Range<Int>]

  /// - Parameter part: returns the part with the threshold of an index; nil where thresholds are not compared with what
  ///   callbacks are given: then each is tried.
  init(
    _ axis: [Int], on matrix: TuningMatrix, _ part: (_ index: Int) -> RuleCondition.Part?
  ) {
    guard axis.count > 1, let first = part(0) else {
      ranges = axis.indices.map { $0..<($0 + 1) }
      return
    }
    var begins: Set<Int> = [0]
    for slot in matrix.slots where slot.total >= 0 {
      let decision = first(slot.total, slot.used)
      // Thresholds grow, so that the decision changes at one index.
      var (low, high) = (1, axis.count)
      while low < high {
        let middle = (low + high) / 2
        if part(middle)?(slot.total, slot.used) == decision {
          low = middle + 1
        } else {
          high = middle
        }
      }
      if low < axis.count { begins.insert(low) }
    }
    let sorted = begins.sorted()
    ranges = zip(sorted, sorted.dropFirst() + [axis.count]).map { $0..<$1 }
  }
}
