// Loads the records of runs below the given paths, and the baselines that belong to them.
import RecordModel
import Regression
import SystemIO

enum MeasuredRuns {
  /// Returns all records below the paths, grouped by scenario and sorted by name; throws where a path holds none.
  static func load(_ paths: [String]) throws -> [(scenario: String, runs: [MeasuredRun])] {
    let loaded = try RecordFolder.find(paths).map { try RecordFolder.load($0.string) }
    RecordFolder.note(loaded)
    let runs = loaded.map {
      MeasuredRun(record: $0.record, samples: $0.samples, folder: $0.folder.string)
    }
    return Dictionary(grouping: runs) { $0.record.scenario.name }
      .sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.sorted { $0.record.provenance.seed < $1.record.provenance.seed }) }
  }

  /// Reads the baseline of a scenario; nil where there is none.
  static func baseline(of scenario: String, in folder: FilePath) throws -> Baseline? {
    let file = folder.appending(BaselineFile.name(of: scenario))
    guard FileSystem.exists(file) else { return nil }
    let baseline: Baseline
    do {
      baseline = try BaselineFile.read(try FileSystem.readText(file), name: file.string)
    } catch { throw couldNotRun("\(error)") }
    guard baseline.scenario == scenario else {
      throw couldNotRun(
        "\(file): holds the baseline of \(baseline.scenario); give the file that name, or save the baseline of "
          + "\(scenario) again")
    }
    if !baseline.isChecked {
      Console.error(
        "note: \(file) is a baseline of an earlier version and has no checksum, so that damage would not be found; save it "
          + "again")
    }
    return baseline
  }

  /// Returns the names of the scenarios that have a baseline in the folder, sorted.
  static func baselines(in folder: FilePath) throws -> [String] {
    guard FileSystem.isFolder(folder) else {
      throw couldNotRun("\(folder): no such folder; save a baseline first")
    }
    do {
      return try FileSystem.list(folder).filter { $0.hasSuffix(BaselineFile.ending) }
        .map { String($0.dropLast(BaselineFile.ending.count)) }
    } catch { throw couldNotRun("\(error)") }
  }
}
