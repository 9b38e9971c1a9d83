// Means of neighboring candidates of a grid.

/// Sums of rectangles of a grid, from a table of sums.
struct NeighborSums {
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
