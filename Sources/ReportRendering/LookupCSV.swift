// lookups.csv: what each thread of each client of lookups did in each repetition, and all of its threads together.
import Analysis
import MetricModel
package import RecordModel

package enum LookupCSV {
  package static let fileName = "lookups.csv"

  /// See Docs/Metrics.md. An empty field means that there is none.
  package static let columns =
    [
      "engine", "policy", "arm", "repetition", "schedule", "client", "thread", "transactions",
      "operations", "time_ns", "transactions_per_s",
    ]
    + ["service", "intended"].flatMap { kind in percentiles.map { "\(kind)_\($0)_ns" } } + [
      "snapshot_max_commits", "rate_per_s", "maximum_rate_per_s", "missing_rows",
    ]

  private static let percentiles = ["p50", "p90", "p99", "p99_9", "max"]

  /// Whether the record has lookups, so that there is such a file.
  package static func isWritten(_ record: RunRecord) -> Bool {
    record.cells.contains { $0.allRepetitions.contains { !($0.lookups ?? []).isEmpty } }
  }

  package static func text(_ record: RunRecord) -> [UInt8] {
    var line = CSVLine()
    for column in columns { line.append(column) }
    line.endRow()
    for cell in record.cells {
      let stepped = cell.repetitions.map { ($0, record.provenance.schedule.ofBytes) }
      let threaded = (cell.threadedRepetitions ?? []).map { ($0, Schedule.threads) }
      for (repetition, schedule) in stepped + threaded {
        for figures in repetition.lookups ?? [] {
          var key = CSVLine()
          for field in [cell.key.engine, cell.key.policy, cell.key.arm] { key.append(field) }
          key.append(repetition.index)
          key.append(schedule.rawValue)
          key.append(figures.client)
          append(figures, key, to: &line)
        }
      }
    }
    return line.bytes
  }

  /// Appends the row of all threads together, and one for each.
  private static func append(_ figures: LookupFigures, _ key: CSVLine, to line: inout CSVLine) {
    line.append(fieldsOf: key)
    line.append("all")
    append(figures.together, to: &line)
    line.append(figures.snapshotCommits.count == 0 ? nil : figures.snapshotCommits.max)
    line.append(figures.rate.map(SummaryCSV.number) ?? "")
    line.append(figures.maximumRate.map(SummaryCSV.number) ?? "")
    line.append(figures.missingRows)
    line.endRow()
    for (number, span) in figures.threads.enumerated() {
      line.append(fieldsOf: key)
      line.append(number)
      append(span, to: &line)
      for _ in 0..<4 { line.append("") }
      line.endRow()
    }
  }

  private static func append(_ span: LookupSpan, to line: inout CSVLine) {
    line.append(span.transactions)
    line.append(span.operations)
    line.append(span.nanoseconds)
    line.append(span.perSecond.map(SummaryCSV.number) ?? "")
    for latency in [span.service, span.intended] {
      for value in [latency.p50, latency.p90, latency.p99, latency.p999, latency.max] {
        line.append(latency.count == 0 ? nil : value)
      }
    }
  }
}
