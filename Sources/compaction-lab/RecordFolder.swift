// The output folder of a run, loaded and checked against the digests in its record.
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

  /// Loads a run's record and samples.
  ///
  /// - Parameters:
  ///   - path: the folder, or a file in it.
  ///   - acceptsChanged: whether files that were changed after the run are read all the same; the record is then marked.
  static func load(_ path: String, acceptsChanged: Bool = false) throws -> Self {
    let path = FilePath(path)
    guard FileSystem.exists(path) else {
      throw couldNotRun("\(path): no such file or folder")
    }
    let folder = FileSystem.isFolder(path) ? path : path.removingLastComponent()
    do {
      var record = try RunRecord(
        json: Data(try FileSystem.read(folder.appending(RunRecord.fileName))),
        name: folder.appending(RunRecord.fileName).string, acceptsChanged: acceptsChanged)
      for file in record.files ?? [] {
        let path = folder.appending(file.name)
        let content = FileSystem.exists(path) ? try FileSystem.read(path) : nil
        guard let difference = file.difference(to: content) else { continue }
        guard acceptsChanged else { throw RecordError.changed(path.string, difference) }
        record.integrity.add(changed: file.name)
      }
      let file = folder.appending(SampleCSV.fileName)
      let samples = try SampleCSV.read(try FileSystem.readText(file), name: file.string)
      if acceptsChanged {
        try checkRange(samples, file)
      } else {
        try check(samples, against: record, file)
      }
      return Self(folder: folder, record: record, samples: samples)
    } catch { throw couldNotRun("\(error)") }
  }

  private static func checkRange(_ samples: [CellRows<Sample>], _ file: FilePath) throws {
    for cell in samples {
      guard let row = cell.impossibleRow else { continue }
      throw RecordError(
        code: .malformed,
        message: """
          \(file): row \(row) of \(cell.key.engine), \(cell.key.policy), \(cell.key.arm) cannot have been measured: a \
          figure is out of range, or its time is before that of the previous row; correct it, or restore the file
          """)
    }
  }

  /// Checks the samples against the digests of each repetition's rows, or a report of edited samples would look like a
  /// measured one. It is the only check for records of earlier versions.
  private static func check(
    _ samples: [CellRows<Sample>], against record: RunRecord, _ file: FilePath
  ) throws {
    for cell in record.cells {
      guard let first = cell.repetitions.first ?? cell.allRepetitions.first else { continue }
      let rows = samples.filter { $0.key == cell.key }
      let isWhole =
        rows.contains { $0.repetition == first.index }
        && rows.allSatisfy { rows in
          let measured = cell.allRepetitions.first { $0.index == rows.repetition }
          return measured?.exact.samplesDigest == SampleDigest.of(rows.rows)
        }
      guard !isWhole else { continue }
      throw RecordError(
        code: .malformed,
        message: """
          \(file): the rows of \(cell.key.engine), \(cell.key.policy), \(cell.key.arm) are not those that \
          the run measured; run the scenario again
          """)
    }
  }
}

extension RecordFolder {
  /// Returns the folders of all records below these folders, in the order of paths and without duplicates; a file stands
  /// for its folder. Throws where a path holds no record.
  static func find(_ paths: [String]) throws -> [FilePath] {
    var found: [FilePath] = []
    for path in paths.map({ FilePath($0) }) {
      guard FileSystem.exists(path) else {
        throw couldNotRun("\(path): no such file or folder")
      }
      let files: [FilePath]
      if FileSystem.isFolder(path) {
        do { files = try FileSystem.files(named: RunRecord.fileName, below: path) } catch {
          throw couldNotRun("\(error)")
        }
      } else {
        let record = path.removingLastComponent().appending(RunRecord.fileName)
        files = FileSystem.exists(record) ? [record] : []
      }
      guard !files.isEmpty else {
        throw couldNotRun("\(path): contains no \(RunRecord.fileName); run scenarios first")
      }
      found += files.map { $0.removingLastComponent() }
    }
    var seen: Set<FilePath> = []
    return found.filter { seen.insert($0.lexicallyNormalized()).inserted }
  }

  /// Whether there is the record of a run in or below the folder.
  static func exists(below path: String) -> Bool {
    let files = try? FileSystem.files(named: RunRecord.fileName, below: FilePath(path))
    return files?.isEmpty == false
  }

  /// Prints a note for records without digests, and for those accepted although files were changed.
  static func note(_ loaded: [RecordFolder]) {
    let unknown = loaded.filter { $0.record.integrity == .unknown }.map(\.folder.string)
    if let first = unknown.first {
      Console.error(
        "note: \(unknown.count == 1 ? first : "\(first) and \(unknown.count - 1) more"): made by an earlier version, "
          + "without digests, so that changes to its files would not be found; run again to be sure"
      )
    }
    for loaded in loaded { note(loaded.record.integrity, loaded.folder) }
  }

  /// Prints a note if files of the folder were changed.
  static func note(_ integrity: RecordIntegrity, _ folder: FilePath) {
    guard case .changed(let files) = integrity else { return }
    Console.error("note: \(folder): changed after the run: \(files.joined(separator: ", "))")
  }
}
