// Renders a report again from a run's record and samples.
import ArgumentParser
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Renders reports again from the records of runs, sweeps and optima.")

  @Argument(help: "Folders with the records of runs, sweeps and optima, or record files.")
  var records: [String]

  @Flag(
    help: """
      Renders files that were changed after the run too; the report begins with a note on that.
      """)
  var acceptChanged = false

  @Option(
    name: .long,
    help: """
      A size, such as "20 MB": the report states how long all files were larger. (default: twice the largest live data)
      """)
  var quota: String?

  @OptionGroup var figure: FigureOption

  @OptionGroup var objective: ObjectiveOption

  func validate() throws { _ = try limit() }

  func run() throws {
    let quota = try limit()
    var failed: ExitCode?
    let metric = try figure.metric()
    let objective = try objective.objective()
    var rendered = Array(repeating: false, count: records.count)
    for (index, path) in records.enumerated() {
      for folder in try RecordedFolders.find(FilePath(path), named: SweepRecord.fileName) {
        rendered[index] = true
        do {
          try SweepFolder.render(folder, metric, acceptsChanged: acceptChanged)
          Console.print("report: \(folder.appending(SweepMarkdown.fileName))")
        } catch let code as ExitCode { failed = code }
      }
      for folder in try RecordedFolders.find(FilePath(path), named: OptimumRecord.fileName) {
        rendered[index] = true
        do {
          try OptimumFolder.render(folder, objective)
          Console.print("report: \(folder.appending(OptimumMarkdown.fileName))")
        } catch let code as ExitCode { failed = code }
      }
    }
    for (index, path) in records.enumerated() {
      for folder in try RecordedFolders.find(FilePath(path), named: TuneRecord.fileName) {
        rendered[index] = true
        do {
          try TuneFiles.render(folder)
          Console.print("report: \(folder.appending(TuneMarkdown.fileName))")
        } catch let code as ExitCode { failed = code }
      }
    }
    // A path with sweeps or optima need not have runs.
    let runs = zip(records, rendered).compactMap { path, isRendered in
      !isRendered || RecordFolder.exists(below: path) ? path : nil
    }
    guard !runs.isEmpty else {
      if let failed { throw failed }
      return
    }
    for folder in try RecordFolder.find(runs) {
      // A record that cannot be rendered does not stop the others.
      do { try render(folder, quota) } catch let code as ExitCode { failed = code }
    }
    if let failed { throw failed }
  }

  private func render(_ folder: FilePath, _ quota: ByteCount?) throws {
    let loaded = try RecordFolder.load(folder.string, acceptsChanged: acceptChanged)
    RecordFolder.note([loaded])
    do {
      let output = try OutputFolder(checking: folder)
      let files = ReportFiles(record: loaded.record, samples: loaded.samples, quota: quota)
      try output.whileLocked { try files.writeReport(to: output) }
    } catch { throw couldNotRun("\(error)") }
    Console.print("report: \(folder.appending(ReportMarkdown.fileName))")
  }

  private func limit() throws -> ByteCount? {
    try quota.map { try SizeText.bytes($0, of: "--quota") }
  }
}
