// repetitions.csv: all figures of all repetitions, one row per repetition, one column per figure.
import Analysis
package import RecordModel

package enum RepetitionCSV {
  package static let fileName = "repetitions.csv"

  package static let columns =
    ["scenario", "engine", "policy", "arm", "repetition", "schedule"]
    + SummaryMetric.allCases.map(\.column)

  package static func text(_ record: RunRecord) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for cell in record.cells {
      let threaded = Set((cell.threadedRepetitions ?? []).map(\.index))
      for repetition in cell.allRepetitions {
        for field in [record.scenario.name, cell.key.engine, cell.key.policy, cell.key.arm] {
          line.append(field)
        }
        line.append(repetition.index)
        let schedule =
          threaded.contains(repetition.index) ? .threads : record.provenance.schedule.ofBytes
        line.append(schedule.rawValue)
        for metric in SummaryMetric.allCases {
          line.append(metric.value(repetition).map(SummaryCSV.number) ?? "")
        }
        line.endRow()
      }
    }
    return line.bytes
  }
}
