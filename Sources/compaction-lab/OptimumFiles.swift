// The files of an optimum, rendered of its record, also again and with another objective.
import Experiments
import LaunchSchedules
import RecordModel
import ReportRendering

struct OptimumFiles: RecordFiles {
  static let page = OptimumMarkdown.fileName
  static let tables = [OptimumCSV.fileName, OptimumCSV.matrixFileName]
  static let pictures = ["schedules-"]

  let analysis: OptimumAnalysis
  var record: OptimumRecord { analysis.record }

  init(_ analysis: OptimumAnalysis) { self.analysis = analysis }

  func writeRendered(to folder: OutputFolder) throws {
    let pictures = OptimumPicture.all(analysis)
    for picture in pictures { try writePicture(picture.svg, picture.name, to: folder) }
    try folder.write(OptimumCSV.text(analysis), to: OptimumCSV.fileName)
    try folder.write(OptimumCSV.matrix(analysis), to: OptimumCSV.matrixFileName)
    let page = OptimumMarkdown.text(analysis, pictures: pictures, folder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: OptimumMarkdown.fileName)
  }
}
