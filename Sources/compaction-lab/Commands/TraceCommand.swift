// Checks a trace and summarizes it; converts between its binary form and JSON lines.
import ArgumentParser
import InspectionRendering
import MetricModel
import SystemIO
import TraceFormat

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Checks a trace and summarizes it, or converts it to JSON lines and back.",
    discussion: """
      A trace is binary; its other form is JSON lines. --to converts FILE into the form that it does not have. Exit \
      codes: 0 sound, 1 damaged, 2 could not be done.
      """)

  @Argument(help: "A trace, or its JSON lines.")
  var file: String

  @Option(help: "The file for the other form; an existing file is never overwritten.")
  var to: String?

  func run() throws {
    let path = FilePath(file)
    do {
      if let to {
        guard !FileSystem.exists(FilePath(to)) else {
          throw couldNotRun("\(to) exists already; choose another name")
        }
        let form = try TraceConversion(from: path, to: FilePath(to)).run()
        Console.print("\(to): \(form)")
      } else {
        let survey = try TraceSurvey(of: path)
        try survey.checkNames(file)
        Console.print(try Self.text(survey, path))
      }
    } catch let error as TraceError {
      Console.error("compaction-lab: \(error)")
      throw error.code == .damaged || error.code == .unfinished ? ExitCode.damaged : .couldNotRun
    }
  }

  private static func text(_ survey: TraceSurvey, _ path: FilePath) throws -> String {
    let header = survey.header
    let origin = header.origin
    let bytes = try FileSystem.size(of: [path]).bytes
    let each = survey.totals.records > 0 ? Double(bytes) / Double(survey.totals.records) : 0
    var lines = [
      "\(path): a sound trace",
      "  recorded   \(origin.scenario), arm \(origin.arm), on \(origin.engine) \(origin.engineVersion) under "
        + "\(origin.policy), by \(origin.program)",
      "  clock      \(header.clock.rawValue), \(grouped(survey.span)) µs; seed \(header.seed)"
        + (header.durable ? "; durable commits" : ""),
      "  tables     "
        + header.tables.map { "\($0.name) (\(counted($0.rows, "row")))" }.joined(separator: ", "),
      "  records    \(grouped(survey.totals.records)) in \(counted(survey.totals.blocks, "block")), "
        + "\(grouped(bytes)) B, \(tenths(each)) B each",
      "  commits    \(grouped(survey.totals.commits)) in \(counted(survey.launches, "launch")), "
        + "\(counted(survey.threads, "thread")), "
        + "at most \(counted(survey.maxSnapshots, "snapshot")) at once",
    ]
    let width = survey.operations.keys.map(\.name.count).max() ?? 0
    for (operation, count) in survey.operations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let name = operation.name.padded(to: width)
      lines.append("  \(name)  \(grouped(count))")
    }
    return lines.joined(separator: "\n")
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// From one form of a trace to the other, a piece at a time.
private struct TraceConversion {
  var from: FilePath
  var to: FilePath

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
    var lines = TraceLineReader(file: from.string)
    var writer: TraceWriter?
    var declared: TraceTotals?
    try forEachLine { text in
      switch try lines.read(text) {
      case nil: break
      case .header(let header): writer = try TraceWriter(to, header)
      case .record(let record): try writer?.append(record)
      case .end(let totals): declared = totals
      }
    }
    guard let writer, let declared else {
      throw TraceError(
        .unfinished,
        "\(from): has no last line {\"end\":…}: it is truncated; convert the trace again")
    }
    guard writer.records == declared.records else {
      throw TraceError(
        .damaged,
        "\(from): declares \(declared.records) records and has \(writer.records); convert the trace again"
      )
    }
    try writer.finish()
  }

  private func forEachLine(_ body: (String) throws -> Void) throws {
    let file = try FileReader(from)
    var rest: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    var offset = 0
    while true {
      let count = try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      offset += count
      var start = 0
      for index in 0..<count where piece[index] == UInt8(ascii: "\n") {
        try body(String(decoding: rest + piece[start..<index], as: UTF8.self))
        rest.removeAll(keepingCapacity: true)
        start = index + 1
      }
      rest.append(contentsOf: piece[start..<count])
      guard rest.count <= Self.maxLineLength else {
        throw TraceError(.damaged, "\(from): has a line of more than 1 MiB; it is no trace")
      }
      if count < piece.count { break }
    }
    if !rest.isEmpty { try body(String(decoding: rest, as: UTF8.self)) }
  }
}
