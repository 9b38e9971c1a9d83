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

  @Flag(help: "Accepts JSON lines of an interrupted recording, up to the last whole line.")
  var unfinished = false

  func run() throws {
    let path = FilePath(file)
    do {
      if let to {
        guard !FileSystem.exists(FilePath(to)) else {
          throw couldNotRun("\(to) exists already; choose another name")
        }
        let form = try TraceConversion(
          from: path, to: FilePath(to), acceptsUnfinished: unfinished
        ).run()
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
    if let dropped = header.dropped {
      lines.append("  dropped    \(counted(dropped, "transaction")), left out by the recording")
    }
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
