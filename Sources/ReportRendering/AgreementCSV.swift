// The figures of agreements as a file, so that the page can be rendered where the reference engine is not installed.
package import Analysis
import MetricModel
package import RecordModel

package enum AgreementCSV {
  package static let fileName = "agreement.csv"

  package static let columns = [
    "scenario", "size", "rows", "engine", "engine_version", "reference", "reference_version",
    "started_at", "policy", "arm", "exclusion_reason", "high_water_bytes", "final_bytes",
    "time_weighted_bytes", "levels_off", "automatic_starts", "reference_high_water_bytes",
    "reference_final_bytes", "reference_time_weighted_bytes", "reference_levels_off",
    "reference_automatic_starts",
  ]

  /// The names of columns in files of earlier versions.
  private static let renamedColumns = ["left_out": "exclusion_reason"]

  private static let figureColumns = 5

  package static func text(_ agreements: [Agreement]) -> String {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for agreement in agreements {
      for row in agreement.rows {
        append(agreement, row.policy, row.arm, "", to: &line)
        for figures in [row.engine, row.reference] {
          line.append(figures.highWater.bytes)
          line.append(figures.final.bytes)
          line.append(figures.timeWeighted.bytes)
          line.append(figures.levelsOff)
          line.append(figures.automaticStarts)
        }
        line.endRow()
      }
      for cell in agreement.exclusions {
        append(agreement, cell.policy, cell.arm, cell.reason, to: &line)
        for _ in 0..<(2 * figureColumns) { line.append("") }
        line.endRow()
      }
    }
    return line.text
  }

  private static func append(
    _ agreement: Agreement, _ policy: String, _ arm: String, _ reason: String,
    to line: inout CSVLine
  ) {
    let origin = agreement.origin
    for field in [
      agreement.scenario, origin.size, "\(origin.rows)", agreement.engine, origin.engineVersion,
      agreement.reference, origin.referenceVersion, origin.startedAt, policy, arm, reason,
    ] {
      line.append(field)
    }
  }

  /// Returns the agreements in the order of the file.
  ///
  /// - Parameter name: the file, for messages.
  package static func read(_ text: String, name: String) throws(RecordError) -> [Agreement] {
    let table = try CSVTable(text, header: columns, renamed: renamedColumns, name: name)
    var found: [Agreement] = []
    for (row, line) in zip(table.rows, table.lines) {
      guard let tableRows = Int(row[2]) else {
        throw RecordError(
          code: .malformed, message: "\(name):\(line): \(row[2]) is not a number of rows")
      }
      let origin = Agreement.Origin(
        size: row[1], rows: tableRows, engineVersion: row[4], referenceVersion: row[6],
        startedAt: row[7])
      var (rows, exclusions): ([Agreement.Row], [Agreement.Exclusion]) = ([], [])
      if row[10].isEmpty {
        rows.append(
          Agreement.Row(
            policy: row[8], arm: row[9], engine: try figures(row[11..<16], name, line),
            reference: try figures(row[16..<21], name, line)))
      } else {
        exclusions.append(.init(policy: row[8], arm: row[9], reason: row[10]))
      }
      if let last = found.last, last.scenario == row[0], last.engine == row[3],
        last.reference == row[5], last.origin == origin
      {
        (rows, exclusions) = (last.rows + rows, last.exclusions + exclusions)
        found.removeLast()
      }
      found.append(
        Agreement(
          scenario: row[0], engine: row[3], reference: row[5], origin: origin, rows: rows,
          exclusions: exclusions))
    }
    return found
  }

  private static func figures(
    _ fields: ArraySlice<String>, _ name: String, _ line: Int
  ) throws(RecordError) -> Agreement.Figures {
    let fields = Array(fields)
    guard let highWater = Int(fields[0]), let final = Int(fields[1]),
      let timeWeighted = Int(fields[2]), let levelsOff = CSVLine.truth(fields[3]),
      let starts = Int(fields[4])
    else {
      throw RecordError(
        code: .malformed, message: "\(name):\(line): \(fields) are not the figures of a cell")
    }
    return Agreement.Figures(
      highWater: ByteCount(highWater), final: ByteCount(final),
      timeWeighted: ByteCount(timeWeighted), levelsOff: levelsOff, automaticStarts: starts)
  }
}
