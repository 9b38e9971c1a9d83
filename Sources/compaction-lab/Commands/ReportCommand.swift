// Renders a report again from a run's record and samples.
import Analysis
import ArgumentParser
import Calibration
import Experiments
import LaunchSchedules
import MetricModel
import Objective
import RecordModel
import ReportRendering
import SystemIO

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract:
      "Renders reports again from the records of runs, sweeps, optima, tunings, calibrations and fleets."
  )

  @Argument(help: "Folders with the records, or record files.")
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
      let sweeps = try renderAll(path, &failed) {
        SweepFiles(SweepAnalysis($0, objective), metric)
      }
      let optima = try renderAll(path, &failed) { (record: OptimumRecord) -> OptimumFiles in
        if record.calibration == nil,
          let reason = objective.flatMap(ObjectiveOption.reasonForCalibration)
        {
          throw couldNotRun(reason)
        }
        return OptimumFiles(OptimumAnalysis(record, objective))
      }
      let tunings = try renderAll(path, &failed) { TuneFiles(TuneAnalysis($0)) }
      let calibrations = try renderAll(path, &failed) { CalibrationFiles(record: $0) }
      let simulations = try renderAll(path, &failed) { SimulationFiles(record: $0) }
      let agreements = try renderAll(path, &failed) { FleetAgreementFiles(record: $0) }
      rendered[index] = sweeps || optima || tunings || calibrations || simulations || agreements
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
      do { try render(folder, quota, objective) } catch let code as ExitCode { failed = code }
    }
    if let failed { throw failed }
  }

  /// Renders the files again of all records of this kind in or below the path, and returns whether there are any. One that
  /// cannot be rendered does not stop the others.
  private func renderAll<Files: RecordFiles>(
    _ path: String, _ failed: inout ExitCode?, _ files: (Files.Record) throws -> Files
  ) throws -> Bool {
    let folders = try RecordedFolders.find(FilePath(path), named: Files.Record.fileName)
    for folder in folders {
      do {
        try Files.render(folder, acceptsChanged: acceptChanged, files)
        Console.print("report: \(folder.appending(Files.page))")
      } catch let code as ExitCode { failed = code }
    }
    return !folders.isEmpty
  }

  private func render(_ folder: FilePath, _ quota: ByteCount?, _ objective: Objective?) throws {
    let loaded = try RecordFolder.load(folder.string, acceptsChanged: acceptChanged)
    RecordFolder.note([loaded])
    do {
      let output = try OutputFolder(checking: folder)
      let files = ReportFiles(
        record: loaded.record, samples: loaded.samples, quota: quota, objective: objective)
      try output.whileLocked { try files.writeReport(to: output) }
    } catch { throw couldNotRun("\(error)") }
    Console.print("report: \(folder.appending(ReportMarkdown.fileName))")
  }

  private func limit() throws -> ByteCount? {
    try quota.map { try SizeText.bytes($0, of: "--quota") }
  }
}
