// The files that a run leaves, from its record and sample rows: the one list for `run` and `report`.
import Analysis
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

struct ReportFiles {
  let record: RunRecord
  let samples: [CellRows<Sample>]
  let analysis: ScenarioAnalysis

  init(record: RunRecord, samples: [CellRows<Sample>], quota: ByteCount? = nil) {
    self.record = record
    self.samples = samples
    analysis = ScenarioAnalysis(record: record, samples: samples, quota: quota)
  }

  /// Makes the folder and writes what the run measured; once, since it can't be computed again.
  func writeData(timings: [CellRows<TimingSample>], to folder: OutputFolder) throws {
    let plots = Plots.plots(for: analysis)
    try folder.prepare(
      removing: [
        RunRecord.fileName, SampleCSV.fileName, TimingCSV.fileName, EventCSV.fileName,
        SummaryCSV.fileName, RepetitionCSV.fileName, CurveCSV.fileName, ReportMarkdown.fileName,
      ] + plots.flatMap { [$0.scriptFile, $0.dataFile, $0.pictureFile].map(Self.inPlots) })
    try folder.write(SampleCSV.text(samples), to: SampleCSV.fileName)
    try folder.write(TimingCSV.text(timings), to: TimingCSV.fileName)
    try folder.write(EventCSV.text(record), to: EventCSV.fileName)
    try folder.write(Array(try record.json()), to: RunRecord.fileName)
  }

  /// Writes what people read; can be written again from the data.
  func writeReport(to folder: OutputFolder) async throws {
    let plots = Plots.plots(for: analysis)
    for plot in plots {
      try folder.write(Array(plot.script.utf8), to: Self.inPlots(plot.scriptFile))
      try folder.write(Array(plot.data.utf8), to: Self.inPlots(plot.dataFile))
    }
    let hasPictures = await Self.draw(plots, in: folder.path.appending(Plots.folder))
    let report = ReportMarkdown.text(analysis, hasPictures: hasPictures)
    try folder.write(Array(report.utf8), to: ReportMarkdown.fileName)
    try folder.write(SummaryCSV.text(analysis), to: SummaryCSV.fileName)
    try folder.write(RepetitionCSV.text(record), to: RepetitionCSV.fileName)
    try folder.write(CurveCSV.text(analysis), to: CurveCSV.fileName)
  }

  private static func inPlots(_ file: String) -> String { "\(Plots.folder)/\(file)" }

  /// Has gnuplot draw the pictures; false where it is missing or fails, which the report then says.
  private static func draw(_ plots: [Plot], in folder: FilePath) async -> Bool {
    guard let gnuplot = ChildProcess.findExecutable("gnuplot") else { return false }
    for plot in plots {
      let child = ChildProcess(gnuplot, arguments: [plot.scriptFile], folder: folder)
      guard let outcome = try? await child.run() else { return false }
      guard outcome.ending.isSuccess else {
        Console.error("gnuplot \(plot.scriptFile): \(outcome.errorText)")
        return false
      }
    }
    return true
  }
}
