// events.csv: launch decisions and compactions, one row each, for spreadsheets and scripts. This program reads the same
// from record.json.

package enum EventCSV {
  package static let fileName = "events.csv"

  package static let columns =
    CellRows<RunEvent>.keyColumns + [
      "launch", "phase", "commit", "time_us", "kind", "outcome", "reason", "before_bytes",
      "after_bytes", "rewritten_bytes",
    ]

  /// The header, with its row end.
  package static var header: String { columns.joined(separator: ",") + CSVLine.rowEnd }

  /// Returns the lines of these events, without the header, to append to the file.
  package static func lines(_ cell: CellRows<RunEvent>) -> [UInt8] {
    let key = cell.keyFields
    var line = CSVLine()
    for event in cell.rows {
      line.append(fieldsOf: key)
      line.append(event.launch)
      line.append(event.phase)
      line.append(event.commit)
      line.append(event.time.microseconds)
      line.append(event.event.kind.rawValue)
      line.append(event.event.outcome.rawValue)
      line.append(event.event.reason)
      line.append(event.event.before.bytes)
      line.append(event.event.after.bytes)
      line.append(event.event.rewritten?.bytes)
      line.endRow()
    }
    return line.bytes
  }

  /// The whole file: the events of every repetition in the record.
  package static func text(_ record: RunRecord) -> [UInt8] {
    var bytes = Array(header.utf8)
    for cell in record.cells {
      for repetition in cell.allRepetitions {
        let rows = CellRows(key: cell.key, repetition: repetition.index, rows: repetition.events)
        bytes.append(contentsOf: lines(rows))
      }
    }
    return bytes
  }
}
