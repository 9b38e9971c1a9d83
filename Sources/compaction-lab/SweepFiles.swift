// The files of a sweep, rendered of its record, also again.
import Analysis
import Experiments
import RecordModel
import ReportRendering

struct SweepFiles: RecordFiles {
  static let page = SweepMarkdown.fileName
  static let tables = [SweepCSV.fileName, SweepCSV.timesFileName]
  static let pictures = ["lines-", "heat-map"]

  let analysis: SweepAnalysis
  /// The figure of the pictures.
  let metric: SummaryMetric
  var record: SweepRecord { analysis.record }

  init(_ analysis: SweepAnalysis, _ metric: SummaryMetric) {
    self.analysis = analysis
    self.metric = metric
  }

  func writeRendered(to folder: OutputFolder) throws {
    let pictures = SweepPictures.all(analysis, metric)
    for picture in pictures { try writePicture(picture.svg, picture.file, to: folder) }
    try folder.write(SweepCSV.text(analysis), to: SweepCSV.fileName)
    try folder.write(SweepCSV.times(analysis), to: SweepCSV.timesFileName)
    let page = SweepMarkdown.text(
      analysis, metric, pictures: pictures, folder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: SweepMarkdown.fileName)
  }
}
