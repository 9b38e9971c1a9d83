// Renders a report again from what a run left, without running anything.
import ArgumentParser
import Experiments
import MetricModel
import PredicateLanguage
import ReportRendering

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Renders a report again from the record and sample files that a run left.")

  @Argument(help: "Folders that hold a record.json, or the files themselves.")
  var records: [String]

  @Option(
    name: .long,
    help: """
      A size, such as "20 MB": the report says how long all files were larger. (default: twice the most live data)
      """)
  var quota: String?

  func validate() throws { _ = try limit() }

  func run() async throws {
    let quota = try limit()
    for path in records {
      let loaded = try RecordFolder.load(path)
      do {
        let output = try OutputFolder(checking: loaded.folder)
        try ReportFiles(record: loaded.record, samples: loaded.samples, quota: quota)
          .writeReport(to: output)
      } catch { throw couldNotRun("\(error)") }
      Console.print("report: \(loaded.folder.appending(ReportMarkdown.fileName))")
    }
  }

  private func limit() throws -> ByteCount? {
    guard let quota else { return nil }
    do {
      let size = try Formula(quota, variables: [])
      if case .value(let bytes) = size.evaluate({ _ in nil }), bytes >= 1, bytes < 1e18 {
        return ByteCount(Int(bytes.rounded()))
      }
    } catch { throw ValidationError("--quota: \(error.report)") }
    throw ValidationError("--quota: \"\(quota)\" is no size; write one such as \"20 MB\"")
  }
}
