// `--calibration`: the record that times of launches are predicted by.
import ArgumentParser
import Calibration
import RecordModel
import SystemIO

struct CalibrationOption: ParsableArguments {
  @Option(
    name: .customLong("calibration"),
    help: ArgumentHelp(
      """
      The record of calibrate by which times of launches are predicted, or its folder: with it the objective may price \
      blocked and limit max-launch.
      """, valueName: "file"))
  var path: String?

  /// Returns the calibration, and what a report names it; nil if none was given.
  func calibration() throws -> ChosenCalibration? {
    guard let path else { return nil }
    let given = FilePath(path)
    guard FileSystem.exists(given) else {
      throw couldNotRun("\(path): no such file or folder; compaction-lab calibrate writes one")
    }
    let folder = FileSystem.isFolder(given) ? given : given.removingLastComponent()
    let record: CalibrationRecord = try RecordedFolders.load(folder)
    return ChosenCalibration(
      record: record,
      source: "\(folder.appending(CalibrationRecord.fileName)) of \(record.origin.startedAt)")
  }
}

/// A calibration, and what a report names it.
struct ChosenCalibration {
  let record: CalibrationRecord
  let source: String
}
