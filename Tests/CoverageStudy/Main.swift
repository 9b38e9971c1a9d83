// How often the intervals of Statistics hold the value that they are to hold: data of known distributions are drawn
// many times, and the intervals that hold it are counted. Prints CSV, to be kept as
// Tests/StatisticsTests/Reference/coverage.csv. `coverage-study [replications] [resamples] [interval]…`
import CoverageModel

@main
enum CoverageStudy {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let numbers = words.compactMap { Int($0) }
    let replications = numbers.first ?? 10_000
    let resamples = numbers.dropFirst().first ?? 1000
    let kinds = words.compactMap { IntervalKind(rawValue: $0) }
    print(CoverageCell.header)
    for kind in kinds.isEmpty ? IntervalKind.allCases : kinds {
      for shape in DataShape.allCases {
        for count in CoverageCell.counts {
          let cell = CoverageCell(kind: kind, shape: shape, count: count)
          print(
            cell.row(cell.covered(replications: replications, resamples: resamples), replications))
        }
      }
    }
  }
}
