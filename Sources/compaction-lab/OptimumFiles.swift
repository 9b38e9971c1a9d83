// The files of an optimum: its record, and what is rendered of it, also again and with another objective.
import Experiments
import LaunchSchedules
import Objective
import RecordModel
import ReportRendering
import SystemIO

struct OptimumFiles {
  private static let pictureFolder = "plots"

  let analysis: OptimumAnalysis

  init(_ analysis: OptimumAnalysis) { self.analysis = analysis }

  /// Writes all files; the record last, so that a folder with a record is complete.
  func write(to folder: OutputFolder) throws {
    let record = try analysis.record.json()
    try folder.prepare(removing: [OptimumRecord.fileName] + rendered(in: folder))
    try writeRendered(to: folder)
    try folder.write(record, to: OptimumRecord.fileName)
  }

  /// Writes the files that are made of the record.
  func render(to folder: OutputFolder) throws {
    try folder.prepare(removing: rendered(in: folder))
    try writeRendered(to: folder)
  }

  private func writeRendered(to folder: OutputFolder) throws {
    let pictures = OptimumPicture.all(analysis)
    for picture in pictures {
      try folder.write(Array(picture.svg.utf8), to: "\(Self.pictureFolder)/\(picture.name)")
    }
    try folder.write(OptimumCSV.text(analysis), to: OptimumCSV.fileName)
    try folder.write(OptimumCSV.matrix(analysis), to: OptimumCSV.matrixFileName)
    let page = OptimumMarkdown.text(analysis, pictures: pictures, folder: Self.pictureFolder)
    try folder.write(Array(page.utf8), to: OptimumMarkdown.fileName)
  }

  private func rendered(in folder: OutputFolder) -> [String] {
    let names = (try? FileSystem.list(folder.path.appending(Self.pictureFolder))) ?? []
    return [OptimumCSV.fileName, OptimumCSV.matrixFileName, OptimumMarkdown.fileName]
      + names.filter { $0.hasPrefix("schedules-") && $0.hasSuffix(".svg") }
      .map { "\(Self.pictureFolder)/\($0)" }
  }
}

/// The folders of optima, whose files are rendered again from optimum.json.
enum OptimumFolder {
  /// Writes the page, the tables and the pictures again.
  static func render(_ folder: FilePath, _ objective: Objective?) throws {
    do {
      let file = folder.appending(OptimumRecord.fileName)
      let record = try OptimumRecord(json: try FileSystem.read(file), name: file.string)
      let output = try OutputFolder(checking: folder)
      let files = OptimumFiles(OptimumAnalysis(record, objective))
      try output.whileLocked { try files.render(to: output) }
    } catch { throw couldNotRun("\(error)") }
  }
}
