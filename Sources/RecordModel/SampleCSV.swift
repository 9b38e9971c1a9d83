// samples.csv: the exact state, one row per sample. The same run gives the same bytes, so that `cmp` compares two runs.
import MetricModel

package enum SampleCSV {
  package static let fileName = "samples.csv"

  /// Columns with their units; an empty field means that the engine does not report it.
  package static let columns =
    CellRows<Sample>.keyColumns + [
      "launch", "phase", "commit", "time_us", "file_bytes", "live_bytes", "free_bytes",
      "pinned_bytes", "pending_bytes", "overhead_bytes", "sidecar_bytes", "tail_bytes",
      "live_versions", "pins",
      "oldest_pin_lag_commits", "oldest_pin_age_us", "refusals", "written_bytes", "compactions",
      "rewritten_bytes", "automatic_state", "events",
    ]

  /// The header, with its row end.
  package static var header: String { columns.joined(separator: ",") + CSVLine.rowEnd }

  /// Returns the lines of these rows, without the header, to append to the file.
  package static func lines(_ cell: CellRows<Sample>) -> [UInt8] {
    let key = cell.keyFields
    var line = CSVLine()
    for sample in cell.rows {
      line.append(fieldsOf: key)
      appendFields(of: sample, to: &line)
      line.endRow()
    }
    return line.bytes
  }

  /// The whole file.
  package static func text(_ cells: [CellRows<Sample>]) -> [UInt8] {
    cells.reduce(into: Array(header.utf8)) { $0.append(contentsOf: lines($1)) }
  }

  /// The columns that the cost of a schedule is made of: where a row belongs, its time, the length of every file, and what
  /// compactions wrote again. The others divide a file's length, and tell what readers hold.
  package static let pricedColumns: Set = [
    "launch", "phase", "commit", "time_us", "file_bytes", "sidecar_bytes", "tail_bytes",
    "compactions", "rewritten_bytes",
  ]

  /// A column in which two rows differ, with both values.
  package typealias ColumnDifference = (column: String, a: String, b: String)

  /// Returns the columns in which two rows differ, with both values.
  package static func differences(_ a: Sample, _ b: Sample) -> [ColumnDifference] {
    guard a != b else { return [] }
    let own = columns.dropFirst(CellRows<Sample>.keyColumns.count)
    return zip(own, zip(fields(of: a), fields(of: b))).compactMap { column, fields in
      fields.0 == fields.1 ? nil : (column, fields.0, fields.1)
    }
  }

  private static func fields(of sample: Sample) -> [String] {
    var sample = sample
    // Free text, in which a comma would count as the end of a field.
    (sample.phase, sample.events) = ("", "")
    var line = CSVLine()
    appendFields(of: sample, to: &line)
    return String(decoding: line.bytes, as: UTF8.self)
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// Reads the file, rows grouped by cell and repetition in the order of the file.
  package static func read(
    _ text: String, name: String = fileName
  ) throws(RecordError) -> [CellRows<Sample>] {
    let table = try CSVTable(text, header: columns, name: name)
    var cells: [CellRows<Sample>] = []
    for (row, line) in zip(table.rows, table.lines) {
      var fields = CSVFields(row, name, line)
      let (key, repetition) = try fields.key()
      CellRows.add(try sample(&fields), key, repetition, to: &cells)
    }
    return cells
  }

  static func appendFields(of sample: Sample, to line: inout CSVLine) {
    let observation = sample.observation
    let space = observation.space
    line.append(observation.launch)
    line.append(sample.phase)
    line.append(observation.commits)
    line.append(observation.time.microseconds)
    line.append(space.file.bytes)
    line.append(space.live?.bytes)
    line.append(space.free?.bytes)
    line.append(space.pinned?.bytes)
    line.append(space.pending?.bytes)
    line.append(space.overhead?.bytes)
    line.append(space.sidecar.bytes)
    line.append(space.tail.bytes)
    line.append(observation.liveVersions)
    line.append(observation.pins)
    line.append(observation.oldestPinLag)
    line.append(observation.oldestPinAge.microseconds)
    line.append(observation.refusals)
    line.append(sample.written?.bytes)
    line.append(sample.compactions)
    line.append(sample.rewritten?.bytes)
    line.append(sample.automatic?.rawValue ?? "")
    line.append(sample.events)
  }

  private static func sample(_ fields: inout CSVFields) throws(RecordError) -> Sample {
    let launch = try fields.number()
    let phase = fields.text()
    let commits = try fields.number()
    let time = VirtualTime(microseconds: try fields.number())
    let space = SpaceUsage(
      file: try fields.bytes(), live: try fields.optionalBytes(),
      free: try fields.optionalBytes(), pinned: try fields.optionalBytes(),
      pending: try fields.optionalBytes(), overhead: try fields.optionalBytes(),
      sidecar: try fields.bytes(), tail: try fields.bytes())
    let observation = Observation(
      time: time, launch: launch, commits: commits, space: space,
      liveVersions: try fields.optionalNumber(), pins: try fields.number(),
      oldestPinLag: try fields.number(),
      oldestPinAge: VirtualTime(microseconds: try fields.number()),
      refusals: try fields.number())
    return Sample(
      phase: phase, observation: observation, written: try fields.optionalBytes(),
      compactions: try fields.number(), rewritten: try fields.optionalBytes(),
      automatic: try fields.optionalWord(), events: fields.text())
  }
}
