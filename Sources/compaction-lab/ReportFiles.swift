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

  /// Makes the folder and writes what the run measured; once, since it can't be computed again. The record comes last, so
  /// that it is there only where all is.
  func writeData(timings: [CellRows<TimingSample>], to folder: OutputFolder) throws {
    let data = RecordedFile.names + [RunRecord.fileName]
    try folder.prepare(
      removing: data + [
        SummaryCSV.fileName, RepetitionCSV.fileName, CurveCSV.fileName, ReportMarkdown.fileName,
        ReportHTML.fileName,
      ] + Pictures.all(analysis).map { Self.inPlots($0.file) })
    let contents = [SampleCSV.text(samples), TimingCSV.text(timings), EventCSV.text(record)]
    var record = record
    record.files = zip(RecordedFile.names, contents).map { RecordedFile($0, $1) }
    do {
      for (name, bytes) in zip(data, contents + [Array(try record.json())]) {
        try folder.write(bytes, to: name)
      }
    } catch {
      // Without its record the rest is nothing, and would keep the next run from the folder.
      try? folder.prepare(removing: data)
      throw error
    }
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
