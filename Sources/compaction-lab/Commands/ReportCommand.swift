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
    try check(samples, against: record, samplesFile)
    let output = try OutputFolder(checking: folder)
    try await ReportFiles(record: record, samples: samples).writeReport(to: output)
  }

  /// The record knows what rows each repetition had: a report of edited samples would look like a measured one.
  private static func check(
    _ samples: [CellRows<Sample>], against record: RunRecord, _ file: FilePath
  ) throws {
    for cell in record.cells {
      guard let first = cell.repetitions.first else { continue }
      let rows = samples.filter { $0.key == cell.key }
      let isWhole =
        rows.contains { $0.repetition == first.index }
        && rows.allSatisfy { rows in
          let measured = cell.repetitions.first { $0.index == rows.repetition }
          return measured?.exact.samplesDigest == SampleDigest.of(rows.rows)
        }
      guard !isWhole else { continue }
      throw RecordError(
        code: .malformed,
        message: """
          \(file): the rows of \(cell.key.engine), \(cell.key.policy), \(cell.key.arm) are not those that the \
          run measured; run the scenario again
          """)
    }
  }
}
