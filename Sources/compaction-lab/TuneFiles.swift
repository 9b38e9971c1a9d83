// The files of `tune`: its record, and what is rendered of it, also again.
import Experiments
import LaunchSchedules
import RecordModel
import ReportRendering
import SystemIO

struct TuneFiles {
  let analysis: TuneAnalysis

  init(_ analysis: TuneAnalysis) { self.analysis = analysis }

  /// Writes all files; the record last, so that a folder with a record is complete.
  func write(to folder: OutputFolder) throws {
    let record = try analysis.record.json()
    try folder.prepare(removing: [TuneRecord.fileName] + rendered)
    try writeRendered(to: folder)
    try folder.write(record, to: TuneRecord.fileName)
  }

  /// Writes the files that are made of the record.
  func render(to folder: OutputFolder) throws {
    try folder.prepare(removing: rendered)
    try writeRendered(to: folder)
  }

  private func writeRendered(to folder: OutputFolder) throws {
    for picture in pictures {
      try folder.write(Array(picture.svg.utf8), to: picture.name)
    }
    try folder.write(TuneCSV.text(analysis), to: TuneCSV.fileName)
    try folder.write(Array(TuneMarkdown.text(analysis).utf8), to: TuneMarkdown.fileName)
  }

  private var pictures: [TunePicture.File] { TunePicture.all(analysis) }

  private var rendered: [String] {
    [TuneCSV.fileName, TuneMarkdown.fileName] + pictures.map(\.name)
  }

  /// Renders a folder of `tune` again from its record.
  static func render(_ folder: FilePath) throws {
    do {
      let file = folder.appending(TuneRecord.fileName)
      let record = try TuneRecord(json: try FileSystem.read(file), name: file.string)
      let output = try OutputFolder(checking: folder)
      let files = TuneFiles(TuneAnalysis(record))
      try output.whileLocked { try files.render(to: output) }
    } catch { throw couldNotRun("\(error)") }
  }
}
