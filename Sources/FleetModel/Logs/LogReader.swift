// Reads a launch log line by line. Memory is bounded by the sample of devices, however many rows there are.

package struct LogReader {
  /// What the caller chooses.
  package struct Options: Hashable, Sendable {
    /// Whether wrong rows are counted and passed over.
    package var skipsInvalid = false
    /// The only version of the app whose rows count; nil for all.
    package var version: String?
    /// Rows held in memory at a time; above it devices are sampled. Two million take about 130 MB.
    package var maxRows = 1 << 21

    package init() {}
  }

  static let maxLineBytes = 1 << 16
  static let maxVersions = 1000

  private let options: Options
  private var layout: LogLayout?
  private var sample: DeviceSample
  private var counts = LogCounts()
  /// The line that the row begins in.
  private var line = 0
  /// Lines of a row that ends within quotes so far.
  private var openLines: [[UInt8]] = []
  private var versionIndices: [String: Int] = [:]
  private var fields = [Range<Int>](repeating: 0..<0, count: LogColumn.allCases.count)

  package init(options: Options = Options()) {
    self.options = options
    sample = DeviceSample(maxRows: options.maxRows)
  }

  /// Reads the next line, without its line end.
  package mutating func read(_ bytes: [UInt8]) throws(LogMistake) {
    if openLines.isEmpty {
      if !CSVFields.isOpen(bytes) { return try readRow(bytes, lines: 1) }
      openLines = [bytes]
      return
    }
    openLines.append(bytes)
    if CSVFields.isOpen(bytes) {
      let lines = openLines
      openLines = []
      try readRow(Array(lines.joined(separator: [UInt8(ascii: "\n")])), lines: lines.count)
    } else if openLines.reduce(0, { $0 + $1.count + 1 }) > Self.maxLineBytes {
      try abandonOpenRow()
    }
  }

  /// Counts the line with a quote that nothing closes as wrong, and reads the lines after it as rows of their own.
  private mutating func abandonOpenRow() throws(LogMistake) {
    let lines = openLines
    openLines = []
    line += 1
    guard options.skipsInvalid, layout != nil else {
      throw mistake(
        "a quote is opened and not closed",
        "double a quote within a text, and put the text in quotes")
    }
    counts.rows += 1
    counts.invalid += 1
    for line in lines.dropFirst() { try read(line) }
  }

  /// - Parameter lines: the number of lines that the row has.
  private mutating func readRow(_ bytes: [UInt8], lines: Int) throws(LogMistake) {
    line += 1
    defer { line += lines - 1 }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
    guard let layout else {
      let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
      layout = try LogLayout(header: isMarked ? Array(bytes.dropFirst(3)) : bytes, line: line)
      return
    }
    counts.rows += 1
    do throws(LogMistake) {
      try add(bytes, layout)
    } catch {
      guard options.skipsInvalid else { throw error }
      counts.invalid += 1
    }
  }

  /// Returns the devices with their cleaned rows, in an order that does not depend on the file's.
  package mutating func finish() throws(LogMistake) -> LaunchLog {
    while !openLines.isEmpty { try abandonOpenRow() }
    guard let layout else {
      throw LogMistake(
        line: 1, message: "the file is empty",
        remedy: "the first line is the names of the columns: device,time,totalBytes,usedBytes")
    }
    guard !sample.rows.isEmpty else {
      throw LogMistake(
        line: line, message: "there is no device in it",
        remedy: counts.rows == 0
          ? "add a row for each launch" : "\(counts.rows) rows were left out: \(counts.exclusions)")
    }
    var counts = counts
    let devices = sample.rows.sorted { $0.key < $1.key }.map { hash, rows in
      DeviceHistory(hash: hash, rows: rows, counts: &counts)
    }
    guard devices.contains(where: { $0.rows.count > 1 }) else {
      throw LogMistake(
        line: 2, message: "each of \(devices.count) devices has one launch",
        remedy: "log every launch under the same number of the device")
    }
    return LaunchLog(
      devices: devices, counts: counts, layout: layout,
      deviceShare: 1 / Double(1 << sample.halvings))
  }

  private mutating func add(_ bytes: [UInt8], _ layout: LogLayout) throws(LogMistake) {
    guard bytes.count <= Self.maxLineBytes else {
      throw mistake("the line has \(bytes.count) bytes", "a row is short; is this a table?")
    }
    let indices = layout.indices
    let found = CSVFields.forEach(bytes, separator: layout.separator) { index, range in
      for position in 0..<indices.count where indices[position] == index {
        fields[position] = range
      }
    }
    guard found == layout.fieldCount else {
      throw mistake(
        "\(found) fields in place of \(layout.fieldCount)", "put texts with a separator in quotes")
    }
    guard let row = try row(bytes, layout) else { return }
    let device = bytes[fields[LogColumn.device.position]]
    guard !device.isEmpty else {
      throw mistake("no device is named", "each row has the number of its device")
    }
    if !sample.add(row, of: DeviceSample.hash(device)) { counts.outOfOrder += 1 }
  }

  /// Returns the row; nil for one that is counted elsewhere.
  private mutating func row(
    _ bytes: [UInt8], _ layout: LogLayout
  ) throws(LogMistake) -> LaunchRow? {
    func field(_ column: LogColumn) -> ArraySlice<UInt8> {
      layout.has(column) ? bytes[fields[column.position]] : []
    }
    guard let time = LogTime.milliseconds(field(.time)) else {
      throw mistake(
        "\"\(text(field(.time)))\" is no time", "write 2026-03-01T10:20:30Z, or seconds since 1970")
    }
    var row = LaunchRow(
      time: time, totalBytes: try size(field(.totalBytes), .totalBytes),
      usedBytes: try size(field(.usedBytes), .usedBytes))
    guard row.usedBytes <= row.totalBytes else {
      throw mistake(
        "usedBytes \(row.usedBytes) > totalBytes \(row.totalBytes)",
        "are the columns exchanged? used bytes are a part of the file")
    }
    if !field(.available).isEmpty { row.available = try size(field(.available), .available) }
    if !field(.commits).isEmpty { row.commits = try size(field(.commits), .commits) }
    if !field(.launch).isEmpty {
      row.launch = Int32(clamping: try size(field(.launch), .launch))
    }
    if !field(.stall).isEmpty {
      guard let stall = FieldText.number(field(.stall)), stall >= 0 else {
        throw mistake("\"\(text(field(.stall)))\" is no duration", "write milliseconds: 12.5")
      }
      row.stall = Float(stall * layout.stallUnit)
    }
    if !field(.compacted).isEmpty {
      guard let compacted = FieldText.bool(field(.compacted)) else {
        throw mistake("\"\(text(field(.compacted)))\" is not true or false", "write one of them")
      }
      row.compacted = compacted ? .yes : .no
    }
    if layout.has(.version) {
      let version = text(field(.version))
      guard options.version == nil || options.version == version else { return nil }
      row.version = countVersion(version)
    }
    guard (LogTime.minTime..<LogTime.maxTime).contains(time) else {
      counts.unsetClocks += 1
      return nil
    }
    return row
  }

  private mutating func countVersion(_ name: String) -> UInt16 {
    let index: Int
    if let known = versionIndices[name] {
      index = known
    } else {
      let isFull = counts.versions.count >= Self.maxVersions
      index = isFull ? counts.versions.count - 1 : counts.versions.count
      if !isFull { counts.versions.append((name: name, rows: 0)) }
      versionIndices[name] = index
    }
    counts.versions[index].rows += 1
    return UInt16(index)
  }

  private func size(
    _ bytes: ArraySlice<UInt8>, _ column: LogColumn
  ) throws(LogMistake) -> Int64 {
    guard let value = FieldText.integer(bytes), value < 1 << 50 else {
      throw mistake(
        "\(column.rawValue) is \"\(text(bytes))\"",
        "write a whole number such as 4096, in bytes "
          + "where it is a size")
    }
    guard value >= 0 else {
      throw mistake("\(column.rawValue) is \(value)", "nothing that is counted is below 0")
    }
    return value
  }

  private func mistake(_ message: String, _ remedy: String) -> LogMistake {
    LogMistake(line: line, message: message, remedy: remedy)
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(40), as: UTF8.self)
  }
}
