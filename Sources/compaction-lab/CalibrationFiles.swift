// The files of `calibrate`, rendered of its record, also again.
import Calibration
import Experiments
import ReportRendering

struct CalibrationFiles: RecordFiles {
  static let page = CalibrationMarkdown.fileName
  static let tables = [CalibrationCSV.fileName]
  static let pictures = [CalibrationPicture.fileName]

  let record: CalibrationRecord

  func writeRendered(to folder: OutputFolder) throws {
    let picture = CalibrationPicture.svg(record)
    if let picture { try writePicture(picture, CalibrationPicture.fileName, to: folder) }
    let path = picture.map { _ in "\(Self.pictureFolder)/\(CalibrationPicture.fileName)" }
    let page = CalibrationMarkdown.text(record, picture: path)
    try folder.write(Array(page.utf8), to: CalibrationMarkdown.fileName)
    try folder.write(CalibrationCSV.text(record), to: CalibrationCSV.fileName)
  }
}
