// Renders a report again from what a run left, without running anything.
import ArgumentParser
import Experiments
import RecordModel
import ReportRendering
import SystemIO

import struct Foundation.Data

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Renders a report again from the record and sample files that a run left.")

  @Argument(help: "Folders that hold a record.json, or the files themselves.")
  var records: [String]

  func run() async throws {
    for path in records.map({ FilePath($0) }) {
      guard FileSystem.exists(path) else {
        throw couldNotRun("\(path): there is no such file or folder")
      }
      let folder = FileSystem.isFolder(path) ? path : path.removingLastComponent()
      do {
        try await Self.render(folder)
      } catch {
        throw couldNotRun("\(error)")
      }
      Console.print("report: \(folder.appending(ReportMarkdown.fileName))")
    }
  }

  private static func render(_ folder: FilePath) async throws {
    let record = try RunRecord(
      json: Data(try FileSystem.read(folder.appending(RunRecord.fileName))),
      name: folder.appending(RunRecord.fileName).string)
    let samplesFile = folder.appending(SampleCSV.fileName)
    let samples = try SampleCSV.read(
      try FileSystem.readText(samplesFile), name: samplesFile.string)
    let output = try OutputFolder(checking: folder)
    try await ReportFiles(record: record, samples: samples).writeReport(to: output)
  }
}
