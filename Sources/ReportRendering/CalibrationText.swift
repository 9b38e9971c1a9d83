// The table that `calibrate` prints.
package import Calibration
import MetricModel

package enum CalibrationText {
  /// - Parameter isBrief: whether only the errors at held-out sizes are shown.
  package static func text(_ record: CalibrationRecord, isBrief: Bool) -> String {
    var lines: [String] = []
    if !isBrief {
      lines = ["  \(CalibrationWords.machine(record.origin).visible)", ""]
      let width = DeviceFigure.Kind.allCases.map(\.title.count).max() ?? 0
      lines += record.device.map {
        "  \(TextColumn.pad($0.kind.title, to: width, right: false))   \(CalibrationWords.words($0))"
      }
      lines += [""] + table(record) + [""]
    }
    for costs in record.engines {
      if let absence = costs.absence {
        lines.append("  \(costs.engine): left out: \(absence.visible)")
      }
      lines += costs.failures.map { "  \(costs.engine): failed: \($0.visible)" }
      for model in costs.models where isBrief && model.kind == .compaction {
        lines.append(
          "  \(costs.engine), \(CalibrationWords.title(model)): held-out error \(CalibrationWords.heldOut(model))"
        )
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func table(_ record: CalibrationRecord) -> [String] {
    let rows =
      [CalibrationWords.titles]
      + record.engines.flatMap { costs in
        costs.models.map { CalibrationWords.row($0, of: costs.engine) }
      }
    let widths = CalibrationWords.titles.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { cells in
      let padded = zip(cells, widths).map { TextColumn.pad($0, to: $1, right: false) }
      let line = "  " + padded.joined(separator: "   ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
