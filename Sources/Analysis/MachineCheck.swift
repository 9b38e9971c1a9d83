// The A/A check of a run: each cell ran twice in each block on real threads, and two runs of the same program should not
// differ. The pairs of all cells are judged together, by the rules of a comparison of builds.
import MetricModel
import RecordModel

package struct MachineCheck: Sendable, Equatable {
  /// A run of six blocks shows differences of some ten percent, so that is what the machine must not exceed by itself.
  package static let tolerance = 0.10
  package static let alpha = 0.05
  private static let figures: [SummaryMetric] = [
    .wall, .processorTime, .blockedAtLaunchTotal, .commitP50, .commitP99,
  ]

  /// One for each figure: the first run of each block as base, the second as head.
  package let comparisons: [PairedComparison]
  /// The number of pairs: cells × blocks.
  package let pairs: Int

  package var isPassed: Bool { comparisons.allSatisfy { $0.verdict == .equivalent } }
  /// The figures in which the two runs are not shown to be equal.
  package var failed: [PairedComparison] { comparisons.filter { $0.verdict != .equivalent } }

  /// - Returns: nil if no cell was run twice in a block.
  init?(_ record: RunRecord) {
    let pairs = record.cells.flatMap { cell in
      (cell.controls ?? []).compactMap { control in
        cell.timedRepetitions.first { $0.index == control.repetition }.map {
          (first: $0.timing, second: control.timing)
        }
      }
    }
    guard !pairs.isEmpty else { return nil }
    self.pairs = pairs.count
    let series = Self.figures.compactMap { metric -> PairedSeries? in
      let values = pairs.compactMap { pair -> (Double, Double)? in
        guard let first = metric.timed(pair.first), let second = metric.timed(pair.second) else {
          return nil
        }
        return (first, second)
      }
      return values.isEmpty
        ? nil
        : PairedSeries(
          name: metric.metric.title, unit: metric.unit, base: values.map(\.0),
          head: values.map(\.0),
          control: values.map(\.1))
    }
    comparisons = PairedComparison.aaCheck(
      series,
      ComparisonRules(
        tolerance: Self.tolerance, alpha: Self.alpha, seed: record.provenance.seed),
      level: Self.alpha)
  }

  /// The result in one sentence.
  package var sentence: String {
    let runs = "two runs of each cell in each block, \(counted(pairs, "pair"))"
    guard !isPassed else {
      return
        "A/A check passed (\(runs)): no timed figure differs from itself by more than \(percent(Self.tolerance))."
    }
    let names = failed.map { "\($0.name) (\($0.verdict.rawValue))" }.joined(separator: ", ")
    return "A/A check not passed (\(runs)): \(names). Do not compare times of this run."
  }
}
