// timings.csv: times and memory of the machine, one row per moment. Noisy: never equal between two runs.
import MetricModel

package enum TimingCSV {
  package static let fileName = "timings.csv"

  package static let columns =
    CellRows<TimingSample>.keyColumns + [
      "elapsed_ns", "launch", "phase", "commit", "stat_size_bytes", "stat_allocated_bytes",
      "resident_memory_bytes", "resident_file_bytes", "mapped_memory_bytes",
      "process_written_bytes",
      "storage_written_bytes", "free_disk_bytes", "open_ns", "commits_timed",
      "commit_latency_ns_p50",
      "commit_latency_ns_p99", "commit_latency_ns_max", "reads_timed", "read_latency_ns_p50",
      "read_latency_ns_p99", "read_latency_ns_max", "writes_timed", "write_latency_ns_p50",
      "write_latency_ns_p99", "write_latency_ns_max", "scheduled_timed",
      "intended_latency_ns_p50", "intended_latency_ns_p99", "intended_latency_ns_max",
      "sampling_ns",
    ] + addedColumns

  /// Columns that files of earlier versions lack. Their values are then zero.
  private static let addedColumns = [
    "lookups_timed", "lookup_latency_ns_p50", "lookup_latency_ns_p99", "lookup_latency_ns_max",
    "lookups_scheduled_timed", "lookup_intended_latency_ns_p50", "lookup_intended_latency_ns_p99",
    "lookup_intended_latency_ns_max", "lock_waits_timed", "lock_wait_ns_p50", "lock_wait_ns_p99",
    "lock_wait_ns_max",
  ]

  /// The header, with its row end.
  package static var header: String { columns.joined(separator: ",") + CSVLine.rowEnd }

  /// Returns the lines of these rows, without the header, to append to the file.
  package static func lines(_ cell: CellRows<TimingSample>) -> [UInt8] {
    let key = cell.keyFields
    var line = CSVLine()
    for timing in cell.rows {
      line.append(fieldsOf: key)
      line.append(timing.elapsedNanoseconds)
      line.append(timing.launch)
      line.append(timing.phase)
      line.append(timing.commits)
      line.append(timing.statSize.bytes)
      line.append(timing.statAllocated.bytes)
      line.append(timing.residentMemory.bytes)
      for bytes in [
        timing.residentFileMemory, timing.mappedMemory, timing.processWritten,
        timing.storageWritten, timing.freeDisk,
      ] {
        line.append(bytes?.bytes)
      }
      line.append(timing.openNanoseconds)
      for latency in [
        timing.commitLatency, timing.readLatency, timing.writeLatency, timing.intendedLatency,
      ] {
        line.append(latency)
      }
      line.append(timing.samplingNanoseconds)
      for latency in [timing.lookupLatency, timing.lookupIntendedLatency, timing.lockWait] {
        line.append(latency)
      }
      line.endRow()
    }
    return line.bytes
  }

  /// The whole file.
  package static func text(_ cells: [CellRows<TimingSample>]) -> [UInt8] {
    cells.reduce(into: Array(header.utf8)) { $0.append(contentsOf: lines($1)) }
  }

  /// Reads the file, rows grouped by cell and repetition in the order of the file.
  package static func read(
    _ text: String, name: String = fileName
  ) throws(RecordError) -> [CellRows<TimingSample>] {
    let table = try CSVTable(text, header: columns, added: addedColumns.count, name: name)
    var cells: [CellRows<TimingSample>] = []
    for (row, line) in zip(table.rows, table.lines) {
      var fields = CSVFields(row, name, line)
      let (key, repetition) = try fields.key()
      var timing = TimingSample(
        elapsedNanoseconds: try fields.number(), launch: try fields.number(),
        phase: fields.text(), commits: try fields.number(), statSize: try fields.bytes(),
        statAllocated: try fields.bytes(), residentMemory: try fields.bytes(),
        residentFileMemory: try fields.optionalBytes(), mappedMemory: try fields.optionalBytes(),
        processWritten: try fields.optionalBytes(), storageWritten: try fields.optionalBytes(),
        freeDisk: try fields.optionalBytes(),
        openNanoseconds: try fields.optionalNumber(), commitLatency: try latency(&fields),
        readLatency: try latency(&fields), writeLatency: try latency(&fields),
        intendedLatency: try latency(&fields), samplingNanoseconds: try fields.number())
      timing.lookupLatency = try latency(&fields)
      timing.lookupIntendedLatency = try latency(&fields)
      timing.lockWait = try latency(&fields)
      CellRows.add(timing, key, repetition, to: &cells)
    }
    return cells
  }

  private static func latency(_ fields: inout CSVFields) throws(RecordError) -> LatencySummary {
    LatencySummary(
      count: try fields.number(), p50: try fields.number(), p99: try fields.number(),
      max: try fields.number())
  }
}

extension CSVLine {
  fileprivate mutating func append(_ latency: LatencySummary) {
    for figure in [latency.count, latency.p50, latency.p99, latency.max] { append(figure) }
  }
}
