// Checks that exact figures are exact: repetitions of a cell under the stepped schedule must give the same bytes.
import MetricModel
package import RecordModel

package struct Determinism: Sendable, Equatable {
  package enum Finding: Sendable, Equatable {
    /// All runs of each cell gave the same bytes; `runs` is the minimum number of runs of any cell.
    case exact(runs: Int)
    /// Each cell ran once: exact by construction, without a check.
    case unchecked
    /// These cells gave different bytes in different runs: their figures are medians.
    case differs([CellKey])
    /// Real threads: nothing is called exact.
    case threads
    /// No cell was measured.
    case nothing
  }

  package let finding: Finding
  package let cells: Int
  /// Whether there are runs on real threads besides, which are not compared.
  private let isBoth: Bool

  init(_ cells: [CellAnalysis], _ schedule: RunSchedule) {
    let measured = cells.filter(\.isMeasured)
    self.cells = measured.count
    isBoth = schedule == .both
    let minRuns = measured.map(\.record.repetitions.count).min() ?? 0
    let differing = measured.filter { !$0.repeats }.map(\.key)
    finding =
      if measured.isEmpty { .nothing } else if schedule == .threads {
        .threads
      } else if !differing.isEmpty { .differs(differing) } else if minRuns < 2 { .unchecked } else {
        .exact(runs: minRuns)
      }
  }

  private var stepped: String { isBoth ? "stepped " : "" }

  /// For the report.
  package var sentence: String {
    switch finding {
    case .exact(let runs):
      "Exact result: \(runs == 2 ? "both" : "all \(runs)") \(stepped)runs of each cell gave the same bytes."
    case .unchecked:
      "Each cell ran once\(isBoth ? " stepped" : ""): byte counts are exact by construction, but not checked by a second run."
    case .differs(let keys):
      "Byte counts of \(keys.count) of \(counted(cells, "cell")) differed between runs and are medians here:"
        + " \(keys.map { "\($0.engine), \($0.policy), \($0.arm)" }.joined(separator: "; "))."
    case .threads: "Real threads decide the order of events, so no figure is exact."
    case .nothing: "No cell was measured."
    }
  }
}
