// The output folder of a run. It is overwritten only if it has the record of an earlier run, so that a mistyped path never
// deletes other files.
import Calibration
import RecordModel
import RunJournal
package import SystemIO

import struct Foundation.Data

/// Why an output folder was refused or could not be written.
package struct OutputError: Error, Sendable, CustomStringConvertible {
  package let description: String
}

package struct OutputFolder: Sendable {
  package let path: FilePath

  /// Checks a folder below `output`. No component of `names` may be a symbolic link: the user chose `output`, but a link
  /// below it may lead anywhere.
  package init(below output: FilePath, _ names: [String]) throws(OutputError) {
    var path = output
    for name in names {
      path.append(name)
      try Self.refuseLink(path)
    }
    try self.init(checking: path)
  }

  /// Checks that the folder may be written: it is missing or empty, or has the record or the journal of an earlier run.
  package init(checking path: FilePath) throws(OutputError) {
    self.path = path
    guard FileSystem.exists(path) else { return }
    // Waits for another run that is writing here: it writes its record last. On a file system without locks the check goes on
    // without one.
    let lock = try? FolderLock(path)
    defer { lock?.release() }
    let found: [String]
    do { found = try FileSystem.list(path) } catch {
      throw OutputError(description: "\(path): cannot be used as output folder: \(error)")
    }
    // The shards of a run, and the parts of `tune`, are in folders of their own within that of the record, each checked as it
    // is written.
    let others = found.filter {
      !Self.isLeftover($0) && !Shard.isFolderName($0) && !Self.tuneParts.contains($0)
    }
    guard !others.isEmpty else { return }
    // Checked before the run, not after hours of it. Links to files are replaced, but those to folders would be followed.
    for folder in found.map(path.appending) where FileSystem.isFolder(folder) {
      try Self.refuseLink(folder)
    }
    guard Self.holdsRecord(path, found) else {
      throw OutputError(
        description: """
          \(path): holds other content (\(others.sorted()[0])) and no record of a run; \
          choose another folder with --output
          """)
    }
  }

  /// Where `tune` has the runs of its training seeds, of the held-out ones, and of the points around the scenarios.
  package static let (trainingFolder, heldOutFolder) = ("training", "held-out")
  package static let robustnessFolder = "robustness"
  package static let tuneParts = [trainingFolder, heldOutFolder, robustnessFolder]
  private static let probe = ".writable"

  /// Whether a file is one that this program removes again, and left where it was killed: a probe, or the draft of a file.
  private static func isLeftover(_ name: String) -> Bool {
    name == probe || (name.hasPrefix(".") && name.hasSuffix(".draft"))
  }

  private static func holdsRecord(_ path: FilePath, _ found: [String]) -> Bool {
    if found.contains(Journal.fileName), Journal.isJournal(path.appending(Journal.fileName)) {
      return true
    }
    let recognizers: [(name: String, isRecord: ([UInt8]) -> Bool)] = [
      (SweepRecord.fileName, SweepRecord.isRecord),
      (OptimumRecord.fileName, OptimumRecord.isRecord),
      (CalibrationRecord.fileName, CalibrationRecord.isRecord),
      (TuneRecord.fileName, TuneRecord.isRecord),
      (FleetRecord.fileName, FleetRecord.isRecord),
      (SimulationRecord.fileName, SimulationRecord.isRecord),
      (AgreementRecord.fileName, AgreementRecord.isRecord),
    ]
    for recognizer in recognizers {
      for name in [recognizer.name, unfinishedName(recognizer.name)] where found.contains(name) {
        if let bytes = try? FileSystem.read(path.appending(name)) {
          return recognizer.isRecord(bytes)
        }
      }
    }
    guard found.contains(RunRecord.fileName),
      let bytes = try? FileSystem.read(path.appending(RunRecord.fileName))
    else { return false }
    return RunRecord.isRecord(Data(bytes))
  }

  /// Creates the folder and a file in it, so that a run of hours cannot fail to write its report in the end. Where that fails,
  /// no folder is left.
  package func make() throws(OutputError) {
    let probe = path.appending(Self.probe)
    var made: [FilePath] = []
    do throws(SystemError) {
      made = try FileSystem.makeFolders(path)
      let lock = try? FolderLock(path)
      defer { lock?.release() }
      // Under the lock no other process has a draft here.
      for name in try FileSystem.list(path) where Self.isLeftover(name) {
        try FileSystem.removeFile(path.appending(name))
      }
      try FileSystem.write([], to: probe)
      try FileSystem.removeFile(probe)
    } catch {
      FileSystem.removeEmptyFolders(made)
      let path = error.path == probe.string ? path.string : error.path
      throw OutputError(
        description: """
          \(SystemError(code: error.code, call: error.call, path: path)): nothing can be written there; \
          choose another folder with --output
          """)
    }
  }

  /// Creates the folder and locks it while `body` writes: if two runs end at the same time, all files are of one of them.
  package func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    try FileSystem.makeFolders(path)
    let lock = try? FolderLock(path)
    defer { lock?.release() }
    return try body()
  }

  /// Creates the folder, and removes from it the files of these names that an earlier run left, and no others.
  package func prepare(removing names: [String]) throws {
    try FileSystem.makeFolders(path)
    for file in try names.map(file) { try FileSystem.removeFile(file) }
  }

  /// The name of a record until the files that are rendered of it are written.
  package static func unfinishedName(_ record: String) -> String { ".\(record).unfinished" }

  /// Gives an unfinished record its name.
  package func finish(_ record: String) throws {
    try FileSystem.rename(try file(Self.unfinishedName(record)), to: try file(record))
    try FileSystem.syncFolder(path)
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    let file = try file(name)
    try FileSystem.makeFolders(file.removingLastComponent())
    try FileSystem.write(bytes, to: file)
  }

  /// Returns the path of the file, whose name may begin with a folder, as in `plots/growth.svg`. That folder must not be a
  /// symbolic link, or files outside would be written and removed.
  private func file(_ name: String) throws(OutputError) -> FilePath {
    let file = path.pushing(FilePath(name))
    let folder = file.removingLastComponent()
    if folder != path { try Self.refuseLink(folder) }
    return file
  }

  private static func refuseLink(_ path: FilePath) throws(OutputError) {
    guard FileSystem.isLink(path) else { return }
    throw OutputError(
      description:
        "\(path): is a symbolic link, which is not followed; remove it, or choose another folder")
  }
}
