// The files of `tune`, rendered of its record, also again.
import Experiments
import LaunchSchedules
import RecordModel
import ReportRendering

struct TuneFiles: RecordFiles {
  static let page = TuneMarkdown.fileName
  static let tables = [TuneCSV.fileName, VariedCSV.fileName]
  static let pictures = [TunePicture.namePrefix]

  let analysis: TuneAnalysis
  var record: TuneRecord { analysis.record }

  init(_ analysis: TuneAnalysis) { self.analysis = analysis }

  func writeRendered(to folder: OutputFolder) throws {
    for picture in TunePicture.all(analysis) {
      try writePicture(picture.svg, picture.name, to: folder)
    }
    try folder.write(TuneCSV.text(analysis), to: TuneCSV.fileName)
    if let varied = VariedCSV.text(analysis) { try folder.write(varied, to: VariedCSV.fileName) }
    let page = TuneMarkdown.text(analysis, folder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: TuneMarkdown.fileName)
  }
}
