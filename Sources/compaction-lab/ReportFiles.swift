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
    try folder.prepare(
      removing: [
        RunRecord.fileName, SampleCSV.fileName, TimingCSV.fileName, EventCSV.fileName,
        SummaryCSV.fileName, RepetitionCSV.fileName, CurveCSV.fileName, ReportMarkdown.fileName,
        ReportHTML.fileName,
      ] + Pictures.all(analysis).map { Self.inPlots($0.file) })
    try folder.write(SampleCSV.text(samples), to: SampleCSV.fileName)
    try folder.write(TimingCSV.text(timings), to: TimingCSV.fileName)
    try folder.write(EventCSV.text(record), to: EventCSV.fileName)
    try folder.write(Array(try record.json()), to: RunRecord.fileName)
  }

  /// Writes what people read; can be written again from the data.
  func writeReport(to folder: OutputFolder) throws {
    for picture in Pictures.all(analysis) {
      try folder.write(Array(picture.svg.utf8), to: Self.inPlots(picture.file))
    }
    try folder.write(Array(ReportMarkdown.text(analysis).utf8), to: ReportMarkdown.fileName)
    try folder.write(Array(ReportHTML.text(analysis).utf8), to: ReportHTML.fileName)
    try folder.write(SummaryCSV.text(analysis), to: SummaryCSV.fileName)
    try folder.write(RepetitionCSV.text(record), to: RepetitionCSV.fileName)
    try folder.write(CurveCSV.text(analysis), to: CurveCSV.fileName)
  }

  private static func inPlots(_ file: String) -> String { "\(Pictures.folder)/\(file)" }
}
