// The folders of records of one kind, and those of sweeps, whose files are rendered again from sweep.json.
import Analysis
import Experiments
import RecordModel
import SystemIO

enum SweepFolder {
  /// Writes the page, the tables and the pictures again.
  static func render(
    _ folder: FilePath, _ metric: SummaryMetric, acceptsChanged: Bool
  ) throws {
    do {
      let file = folder.appending(SweepRecord.fileName)
      let record = try SweepRecord(
        json: try FileSystem.read(file), name: file.string, acceptsChanged: acceptsChanged)
      RecordFolder.note(record.integrity, folder)
      let output = try OutputFolder(checking: folder)
      try output.whileLocked { try SweepFiles(SweepAnalysis(record), metric).render(to: output) }
    } catch { throw couldNotRun("\(error)") }
  }
}

enum RecordedFolders {
  /// Returns the folders of all records of this name in or below the path; a file stands for its folder.
  static func find(_ path: FilePath, named name: String) throws -> [FilePath] {
    guard FileSystem.exists(path) else { return [] }
    guard FileSystem.isFolder(path) else {
      return path.lastComponent?.string == name ? [path.removingLastComponent()] : []
    }
    do {
      return try FileSystem.files(named: name, below: path).map { $0.removingLastComponent() }
    } catch { throw couldNotRun("\(error)") }
  }
}
