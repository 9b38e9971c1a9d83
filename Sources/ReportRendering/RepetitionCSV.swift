// repetitions.csv: all figures of all repetitions, one row per repetition, one column per figure.
import Analysis
package import RecordModel

package enum RepetitionCSV {
  package static let fileName = "repetitions.csv"

  package static let columns =
    ["scenario", "engine", "policy", "arm", "repetition"] + SummaryMetric.allCases.map(\.column)

  package static func text(_ record: RunRecord) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for cell in record.cells {
      for repetition in cell.repetitions {
        for field in [record.scenario.name, cell.key.engine, cell.key.policy, cell.key.arm] {
          line.append(field)
        }
        line.append(repetition.index)
        for metric in SummaryMetric.allCases {
          line.append(metric.value(repetition).map(SummaryCSV.number) ?? "")
        }
        line.endRow()
      }
    }
    return line.bytes
  }
}
