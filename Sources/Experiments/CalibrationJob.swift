// One measurement of a calibration, in a process of its own: it can be ended at any moment, and its memory is its own. The
// process reads the job as JSON, writes a line for each stage, and the result as the last line.
package import Calibration
package import EngineInterface
package import MetricModel
import SystemIO
import WorkloadRunner

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

package struct CalibrationJob: Sendable, Codable {
  package enum Work: Sendable, Codable {
    case device(maxFile: ByteCount)
    case file(engine: String, CalibrationDesign.PlannedFile)
    case commits(engine: String, [CalibrationDesign.PlannedCommit])
  }

  package var work: Work
  /// Seeds rows, offsets and order.
  package var seed: UInt64
  /// The number of the job, by which its rows differ from those of others with the seed.
  package var index: Int
  /// The empty folder that belongs to the job.
  package var folder: String

  /// The engine; nil for the disk.
  package var engine: String? {
    switch work {
    case .device: nil
    case .file(let engine, _), .commits(let engine, _): engine
    }
  }

  /// Its name in progress and in reasons of failures.
  package var title: String {
    switch work {
    case .device: "the disk"
    case .file(_, let file): "file of \(file.file)"
    case .commits: "commits"
    }
  }

  /// An estimate of its duration, in bytes of a file of that duration.
  var weight: Int {
    switch work {
    case .device: 40_000_000
    case .file(_, let file): 4_000_000 + file.file.bytes
    case .commits: 80_000_000
    }
  }
}

/// What a job measured.
package struct CalibrationResult: Sendable, Codable {
  package var device: [DeviceFigure] = []
  package var points: [CostPoint] = []
}

extension CalibrationJob {
  private static let stage = "stage "

  /// Runs the job in a new process of `executable`. The folder is created, used and removed.
  func run(
    executable: FilePath, cancellation: Cancellation?,
    onStage: @escaping (String) -> Void
  ) throws -> CalibrationResult {
    let folder = FilePath(folder)
    try FileSystem.makeFolders(folder)
    defer { try? FileSystem.removeTree(folder) }
    var output: [UInt8] = []
    let outcome = try ChildProcess(
      executable, arguments: ["calibration-job", "--parent", "\(ProcessFacts.currentID)"],
      // A crash is reported in one line.
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    ).run(
      input: Array(try JSONEncoder().encode(self)), cancellation: cancellation,
      onOutput: { bytes in
        output += bytes
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        if let line = lines.last(where: { $0.hasPrefix(Self.stage) }) {
          onStage(String(line.dropFirst(Self.stage.count)))
        }
      })
    guard outcome.ending.isSuccess, let last = output.split(separator: UInt8(ascii: "\n")).last
    else {
      let lines = outcome.errorText.split(separator: "\n").prefix(3).joined(separator: " ")
      throw RunnerError(lines.isEmpty ? "its process ended with \(outcome.ending)" : lines)
    }
    return try JSONDecoder().decode(CalibrationResult.self, from: Data(last))
  }

  /// Runs the job that `input` contains, and writes stages and the result by `write`: the process's side.
  package static func serve(
    _ input: [UInt8], engine: (String) throws -> any Engine, write: (String) -> Void
  ) throws {
    let job = try JSONDecoder().decode(Self.self, from: Data(input))
    let folder = FilePath(job.folder)
    func onStage(_ text: String) { write(stage + text) }
    var result = CalibrationResult()
    switch job.work {
    case .device(let maxFile):
      result.device = try DeviceMeasurement(
        folder: folder, fileBytes: DeviceMeasurement.fileBytes(for: maxFile), seed: job.seed
      ).run(onStage: onStage)
    case .file(let name, let file):
      result.points = try FileMeasurement(
        engine: try engine(name), file: file, folder: folder, seed: job.seed, index: job.index
      ).run(onStage: onStage)
    case .commits(let name, let commits):
      result.points = try CommitMeasurement(
        engine: try engine(name), commits: commits, folder: folder, seed: job.seed
      ).run(onStage: onStage)
    }
    write(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
  }
}
