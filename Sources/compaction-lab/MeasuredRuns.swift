// Loads the records of runs and optima below the given paths, and the baselines that belong to them.
import RecordModel
import Regression
import SystemIO

enum MeasuredRuns {
  /// Returns all records below the paths, grouped by scenario and kind and sorted by name; throws where a path holds none.
  static func load(_ paths: [String]) throws -> [MeasuredScenario] {
    var optima: [MeasuredOptimum] = []
    var withRuns: [String] = []
    var seen: Set<FilePath> = []
    for path in paths {
      let folders = try RecordedFolders.find(FilePath(path), named: OptimumRecord.fileName)
      for folder in folders where seen.insert(folder.lexicallyNormalized()).inserted {
        let record: OptimumRecord = try RecordedFolders.load(folder)
        optima.append(MeasuredOptimum(record: record, folder: folder.string))
      }
      // A path with optima need not have runs.
      if folders.isEmpty || RecordFolder.exists(below: path) { withRuns.append(path) }
    }
    return grouped(try runs(withRuns), \.record.scenario.name, \.record.provenance.seed)
      .map { .runs($0) }
      + grouped(optima, \.record.scenario.name, \.record.provenance.seed).map { .optima($0) }
  }

  /// Returns the records of runs below the paths; throws where a path holds none.
  static func runs(_ paths: [String]) throws -> [MeasuredRun] {
    guard !paths.isEmpty else { return [] }
    let loaded = try RecordFolder.find(paths).map { try RecordFolder.load($0.string) }
    RecordFolder.note(loaded)
    return loaded.map {
      MeasuredRun(record: $0.record, samples: $0.samples, folder: $0.folder.string)
    }
  }

  private static func grouped<Measured>(
    _ all: [Measured], _ name: (Measured) -> String, _ seed: (Measured) -> UInt64
  ) -> [[Measured]] {
    Dictionary(grouping: all, by: name).sorted { $0.key < $1.key }
      .map { $0.value.sorted { seed($0) < seed($1) } }
  }

  /// Reads the baseline of a scenario; nil where there is none.
  static func baseline(
    of scenario: String, _ kind: BaselineKind, in folder: FilePath
  ) throws -> Baseline? {
    let file = folder.appending(BaselineFile.name(of: scenario, kind))
    guard FileSystem.exists(file) else { return nil }
    let baseline: Baseline
    do {
      baseline = try BaselineFile.read(try FileSystem.readText(file), name: file.string)
    } catch { throw couldNotRun("\(error)") }
    guard baseline.scenario == scenario, baseline.kind == kind else {
      throw couldNotRun(
        "\(file): holds the baseline of \(BaselineFile.title(baseline.scenario, baseline.kind)); give the file that name, "
          + "or save the baseline of \(BaselineFile.title(scenario, kind)) again")
    }
    if !baseline.isChecked {
      Console.error(
        "note: \(file) is a baseline of an earlier version and has no checksum, so that damage would not be found; save it "
          + "again")
    }
    return baseline
  }

  /// Returns the names of the baselines in the folder, sorted: of scenarios, and `NAME.optimum` of their regrets.
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
