// sweep.csv and sweep-times.csv: one row per point, cell and repetition; a column for each varied value, then one for each
// figure. The exact figures and the times are in files of their own, so that the first is the same bytes wherever it is made.
package import Analysis
import RecordModel
import Sweeps

package enum SweepCSV {
  package static let fileName = "sweep.csv"
  package static let timesFileName = "sweep-times.csv"

  private static let keyColumns = ["engine", "policy", "arm", "repetition"]

  /// The exact figures.
  package static func text(_ sweep: SweepAnalysis) -> [UInt8] {
    let metrics = SummaryMetric.allCases.filter { !$0.isTimed }
    return table(sweep, ["status", "reason"] + metrics.map(\.column) + ["samples_digest"]) {
      cell, repetition in
      let (status, reason) = words(cell.status)
      guard let repetition else { return [status, reason] + metrics.map { _ in "" } + [""] }
      return [status, reason]
        + metrics.map { $0.value(repetition).map(SummaryCSV.number) ?? "" }
        + [repetition.exact.samplesDigest]
    }
  }

  /// The times and the memory of the machine.
  package static func times(_ sweep: SweepAnalysis) -> [UInt8] {
    let metrics = SummaryMetric.allCases.filter(\.isTimed)
    return table(sweep, metrics.map(\.column)) { _, repetition in
      repetition.map { run in metrics.map { $0.value(run).map(SummaryCSV.number) ?? "" } }
    }
  }

  /// - Parameter fields: the fields of a repetition, or of a cell without any; nil for no row.
  private static func table(
    _ sweep: SweepAnalysis, _ columns: [String],
    _ fields: (CellRecord, RepetitionRecord?) -> [String]?
  ) -> [UInt8] {
    let axes = sweep.record.axes.indices.map { axis in
      SweepColumn(sweep.record.axes[axis].name, sweep.record.points.map { $0.values[axis] })
    }
    var line = CSVLine()
    for column in ["point"] + axes.map(\.name) + keyColumns + columns { line.append(column) }
    line.endRow()
    for entry in sweep.entries {
      let cell = entry.cell.record
      let repetitions = cell.repetitions.map(Optional.some)
      for repetition in repetitions.isEmpty ? [nil] : repetitions {
        guard let fields = fields(cell, repetition) else { continue }
        line.append(entry.point + 1)
        for axis in axes { line.append(axis.fields[entry.point]) }
        for field in [cell.key.engine, cell.key.policy, cell.key.arm] { line.append(field) }
        line.append(repetition?.index)
        for field in fields { line.append(field) }
        line.endRow()
      }
    }
    return line.bytes
  }

  private static func words(_ status: CellRecord.Status) -> (String, String) {
    switch status {
    case .measured: ("measured", "")
    case .notApplicable(let reason): ("not applicable", reason)
    case .unavailable(let reason): ("unavailable", reason)
    case .failed(let reason): ("failed", reason)
    }
  }
}

/// A varied value as a column: a number with its unit in the column's name, or else the text.
struct SweepColumn {
  let name: String
  let fields: [String]

  init(_ name: String, _ values: [String]) {
    guard let scale = SweepScale(values) else {
      (self.name, fields) = (name, values)
      return
    }
    self.name = scale.unit.isEmpty ? name : "\(name)_\(scale.unit)"
    fields = scale.numbers.map(SummaryCSV.number)
  }
}
