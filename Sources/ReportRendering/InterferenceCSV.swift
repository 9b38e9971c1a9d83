// interference.csv: what each event did to each role in each run on real threads, one row per stage.
import Analysis
import MetricModel
package import RecordModel

package enum InterferenceCSV {
  package static let fileName = "interference.csv"

  /// Times are nanoseconds since the repetition began; see Docs/Metrics.md. An empty field means that there is none.
  package static let columns = [
    "engine", "policy", "arm", "repetition", "event", "label", "begin_ns", "end_ns", "role",
    "stage",
    "transactions", "time_ns", "transactions_per_s", "service_p99_ns", "intended_p99_ns",
    "longest_service_ns", "longest_intended_ns",
  ]

  /// Whether the record has runs by time, so that there is such a file.
  package static func isWritten(_ record: RunRecord) -> Bool {
    record.cells.contains { $0.timedRepetitions.contains { $0.timeline != nil } }
  }

  package static func text(_ record: RunRecord) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for cell in record.cells {
      for repetition in cell.timedRepetitions {
        guard let timeline = repetition.timeline else { continue }
        for event in timeline.events {
          var key = CSVLine()
          for field in [cell.key.engine, cell.key.policy, cell.key.arm] { key.append(field) }
          key.append(repetition.index)
          key.append(event.kind.rawValue)
          key.append(event.label)
          key.append(event.begin)
          key.append(event.end)
          for role in timeline.series.map(\.role) {
            append(timeline.interference(of: [event], with: role), role, key, to: &line)
          }
        }
      }
    }
    return line.bytes
  }

  private static func append(
    _ found: Interference?, _ role: ClientRole, _ key: CSVLine, to line: inout CSVLine
  ) {
    let stages = [
      ("before", found?.before), ("during", found?.during ?? .empty), ("after", found?.after),
    ]
    for case (let name, let stage?) in stages {
      line.append(fieldsOf: key)
      line.append(role.rawValue)
      line.append(name)
      line.append(stage.transactions)
      line.append(stage.nanoseconds)
      line.append(stage.nanoseconds > 0 ? SummaryCSV.number(stage.perSecond) : "")
      line.append(stage.serviceP99)
      line.append(stage.intendedP99)
      line.append(name == "during" ? found?.longestService : nil)
      line.append(name == "during" ? found?.longestIntended : nil)
      line.endRow()
    }
  }
}
