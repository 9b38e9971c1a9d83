// Whether what is called exact is: repetitions of a cell under the stepped schedule must give the same bytes.
import MetricModel
package import RecordModel

package struct Determinism: Sendable, Equatable {
  package enum Finding: Sendable, Equatable {
    /// So many runs of each cell (the fewest of any cell) gave the same bytes.
    case exact(runs: Int)
    /// Each cell ran once: exact by construction, and nothing was compared.
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

  init(_ cells: [CellAnalysis], _ schedule: Schedule) {
    let measured = cells.filter(\.isMeasured)
    self.cells = measured.count
    let fewest = measured.map(\.record.repetitions.count).min() ?? 0
    let differing = measured.filter { !$0.repeats }.map(\.key)
    finding =
      if measured.isEmpty { .nothing } else if schedule == .threads {
        .threads
      } else if !differing.isEmpty { .differs(differing) } else if fewest < 2 { .unchecked } else {
        .exact(runs: fewest)
      }
  }

  /// For the verdict.
  package var sentence: String {
    switch finding {
    case .exact(let runs):
      "Exact result: \(runs == 2 ? "both" : "all \(runs)") runs of each cell gave the same bytes."
    case .unchecked:
      "Every cell ran once: byte counts are exact by construction, but no second run checked them."
    case .differs(let keys):
      "Byte counts of \(keys.count) of \(counted(cells, "cell")) differed between runs and are medians here:"
        + " \(keys.map { "\($0.engine), \($0.policy), \($0.arm)" }.joined(separator: "; "))."
    case .threads: "Real threads decide the order of events, so no figure here is called exact."
    case .nothing: "No cell was measured."
    }
  }
}
