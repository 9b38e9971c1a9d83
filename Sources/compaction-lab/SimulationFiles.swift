// The files of a simulation of a fleet, rendered of its record, also again.
import Experiments
import RecordModel
import ReportRendering

struct SimulationFiles: RecordFiles {
  static let page = FleetHTML.fileName
  static let tables = [FleetCSV.fileName, FleetMarkdown.fileName]
  static let pictures = FleetPicture.names

  let record: SimulationRecord

  func writeRendered(to folder: OutputFolder) throws {
    let summary = record.summary
    for picture in FleetPicture.all(summary) {
      try writePicture(picture.svg, picture.name, to: folder)
    }
    let page = FleetMarkdown.text(
      summary, repeatedBy: record.repeatedBy, pictureFolder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: FleetMarkdown.fileName)
    let html = FleetHTML.text(summary, repeatedBy: record.repeatedBy)
    try folder.write(Array(html.utf8), to: FleetHTML.fileName)
    try folder.write(FleetCSV.text(summary), to: FleetCSV.fileName)
  }
}
