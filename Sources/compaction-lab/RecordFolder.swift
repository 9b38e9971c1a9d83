// What a run left in a folder, loaded and held against its own fingerprints.
import Analysis
import MetricModel
import RecordModel
import SystemIO

import struct Foundation.Data

struct RecordFolder {
  let folder: FilePath
  let record: RunRecord
  let samples: [CellRows<Sample>]

  var analysis: ScenarioAnalysis { ScenarioAnalysis(record: record, samples: samples) }

  /// - Parameter path: the folder, or a file in it.
  static func load(_ path: String) throws -> Self {
    let path = FilePath(path)
    guard FileSystem.exists(path) else {
      throw couldNotRun("\(path): there is no such file or folder")
    }
    let folder = FileSystem.isFolder(path) ? path : path.removingLastComponent()
    do {
      let record = try RunRecord(
        json: Data(try FileSystem.read(folder.appending(RunRecord.fileName))),
        name: folder.appending(RunRecord.fileName).string)
      let file = folder.appending(SampleCSV.fileName)
      let samples = try SampleCSV.read(try FileSystem.readText(file), name: file.string)
      try check(samples, against: record, file)
      return Self(folder: folder, record: record, samples: samples)
    } catch { throw couldNotRun("\(error)") }
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
