// From one form of a trace to the other, a piece at a time. JSON lines are read twice: tables may be declared after the first
// records, and the header of the binary form lists them all.
import SystemIO
import TraceFormat

struct TraceConversion {
  var from: FilePath
  var to: FilePath
  /// Whether JSON lines may lack their end, and the rest of their last line.
  var acceptsUnfinished: Bool

  private static let pieceSize = 1 << 16
  /// Far longer than any line of a trace.
  private static let maxLineLength = 1 << 20

  /// Converts the file and returns the name of the new form.
  func run() throws -> String {
    let reader: TraceReader
    do throws(TraceError) { reader = try TraceReader(from) } catch {
      guard error.code == .notATrace, try isJSONLines() else { throw error }
      try writeTrace()
      return "a trace"
    }
    try writeLines(reader)
    return "JSON lines"
  }

  private func isJSONLines() throws -> Bool {
    var first: UInt8 = 0
    let found = try withUnsafeMutableBytes(of: &first) {
      try FileReader(from).read(into: $0, at: 0)
    }
    return found == 1 && first == UInt8(ascii: "{")
  }

  private func writeLines(_ reader: TraceReader) throws {
    let file = try FileWriter(new: to)
    var piece = Array((TraceLines.first(reader.header) + "\n").utf8)
    while let record = try reader.next() {
      piece.append(contentsOf: TraceLines.line(record).utf8)
      piece.append(UInt8(ascii: "\n"))
      if piece.count >= Self.pieceSize {
        try piece.withUnsafeBytes { try file.write($0) }
        piece.removeAll(keepingCapacity: true)
      }
    }
    piece.append(contentsOf: (TraceLines.last(reader.totals) + "\n").utf8)
    try piece.withUnsafeBytes { try file.write($0) }
    try file.sync()
  }

  private func writeTrace() throws {
    let writer = try TraceWriter(to, try surveyedHeader())
    var completion = TraceCompletion()
    try forEachLine { line in
      guard case .record(let record) = line else { return }
      completion.follow(record)
      try writer.append(record)
    }
    if acceptsUnfinished { for record in completion.missing { try writer.append(record) } }
    try writer.finish()
  }

  /// Reads the whole file and checks its totals; returns the header with every table.
  private func surveyedHeader() throws -> TraceHeader {
    var header: TraceHeader?
    var declared: TraceTotals?
    var tables: [TraceHeader.Table] = []
    var (records, dropped) = (0, 0)
    try forEachLine { line in
      switch line {
      case .header(let first): header = first
      case .tables(let more): tables += more
      case .record: records += 1
      case .dropped(let count): dropped += count
      case .end(let totals): declared = totals
      }
    }
    guard var header, declared != nil || acceptsUnfinished else { throw unfinished }
    guard declared == nil || declared?.records == records else {
      throw TraceError(
        .damaged,
        "\(from): declares \(declared?.records ?? 0) records and has \(records); convert the trace again"
      )
    }
    header.tables += tables
    if dropped > 0 { header.dropped = (header.dropped ?? 0) + dropped }
    return header
  }

  private var unfinished: TraceError {
    TraceError(
      .unfinished,
      "\(from): has no last line {\"end\":…}: it is truncated, or its recording was interrupted; convert the trace "
        + "again, or accept what there is with --unfinished")
  }

  private func forEachLine(_ body: (TraceLineReader.Line) throws -> Void) throws {
    var lines = TraceLineReader(file: from.string)
    try forEachText { text, isWhole in
      let line: TraceLineReader.Line?
      do throws(TraceError) { line = try lines.read(text) } catch {
        // An interrupted recording ends within a line.
        if isWhole { throw error }
        guard acceptsUnfinished else { throw unfinished }
        return
      }
      if let line { try body(line) }
    }
  }

  /// Calls `body` with each line, and whether a line end follows it.
  private func forEachText(_ body: (String, _ isWhole: Bool) throws -> Void) throws {
    let file = try FileReader(from)
    var rest: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    var offset = 0
    while true {
      let count = try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      offset += count
      var start = 0
      for index in 0..<count where piece[index] == UInt8(ascii: "\n") {
        try body(String(decoding: rest + piece[start..<index], as: UTF8.self), true)
        rest.removeAll(keepingCapacity: true)
        start = index + 1
      }
      rest.append(contentsOf: piece[start..<count])
      guard rest.count <= Self.maxLineLength else {
        throw TraceError(.damaged, "\(from): has a line of more than 1 MiB; it is no trace")
      }
      if count < piece.count { break }
    }
    if !rest.isEmpty { try body(String(decoding: rest, as: UTF8.self), false) }
  }
}
