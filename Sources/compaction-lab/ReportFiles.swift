// Writes the files of a run from its record and samples, for `run` and `report` alike.
import Analysis
import Experiments
import MetricModel
import Objective
import RecordModel
import ReportRendering
import SystemIO

struct ReportFiles {
  let record: RunRecord
  let samples: [CellRows<Sample>]
  let analysis: ScenarioAnalysis

  init(
    record: RunRecord, samples: [CellRows<Sample>], quota: ByteCount? = nil,
    objective: Objective? = nil
  ) {
    self.record = record
    self.samples = samples
    analysis = ScenarioAnalysis(
      record: record, samples: samples, quota: quota, objective: objective)
  }

  /// Creates the folder and writes what the run measured, which cannot be computed again. The record is written last, so
  /// that a folder with a record is complete.
  func writeData(timings: [CellRows<TimingSample>], to folder: OutputFolder) throws {
    let data = RecordedFile.names + [RunRecord.fileName]
    try folder.prepare(
      removing: data + [
        SummaryCSV.fileName, RepetitionCSV.fileName, CurveCSV.fileName, ReportMarkdown.fileName,
        ReportHTML.fileName, InterferenceCSV.fileName, LookupCSV.fileName,
      ] + Pictures.all(analysis).map { Self.inPlots($0.file) })
    let contents = [SampleCSV.text(samples), TimingCSV.text(timings), EventCSV.text(record)]
    var record = record
    record.files = zip(RecordedFile.names, contents).map { RecordedFile($0, $1) }
    do {
      for (name, bytes) in zip(data, contents + [Array(try record.json())]) {
        try folder.write(bytes, to: name)
      }
    } catch {
      // Without a record the rest is useless, and the next run would refuse the folder.
      try? folder.prepare(removing: data)
      throw error
    }
  }

  /// Writes the report and its tables and pictures, which can be rendered again from the data.
  func writeReport(to folder: OutputFolder) throws {
    for picture in Pictures.all(analysis) {
      try folder.write(Array(picture.svg.utf8), to: Self.inPlots(picture.file))
    }
    try folder.write(Array(ReportMarkdown.text(analysis).utf8), to: ReportMarkdown.fileName)
    try folder.write(Array(ReportHTML.text(analysis).utf8), to: ReportHTML.fileName)
    try folder.write(SummaryCSV.text(analysis), to: SummaryCSV.fileName)
    try folder.write(RepetitionCSV.text(record), to: RepetitionCSV.fileName)
    try folder.write(CurveCSV.text(analysis), to: CurveCSV.fileName)
    if InterferenceCSV.isWritten(record) {
      try folder.write(InterferenceCSV.text(record), to: InterferenceCSV.fileName)
    }
    if LookupCSV.isWritten(record) {
      try folder.write(LookupCSV.text(record), to: LookupCSV.fileName)
    }
  }

  private static func inPlots(_ file: String) -> String { "\(Pictures.folder)/\(file)" }
}
