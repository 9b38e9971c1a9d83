// A database of another engine that a command for files of the native engine was given: what it is, and which command is
// for it.
import ArgumentParser
import EngineInterface
import Engines
import FileFormats
import MetricModel
import SystemIO

/// What a file or folder was recognized as.
struct ForeignDatabase {
  private let engine: EngineIdentifier
  private let title: String
  /// Whether `inspect` reads the format.
  private let isRead: Bool

  /// Recognizes a file by its first bytes.
  init?(prefix: [UInt8]) {
    let entry = EngineCatalog.entries.first { $0.fileMark?.matches(prefix) ?? false }
    guard let entry, let mark = entry.fileMark else { return nil }
    engine = entry.id
    title = mark.title
    isRead = DatabaseFileReader.format(of: prefix) != nil
  }

  /// Recognizes a folder by the files in it.
  init?(folder: FilePath) {
    let entry = EngineCatalog.entries.first { $0.folderMark?.matches(folder) ?? false }
    guard let entry, let mark = entry.folderMark else { return nil }
    engine = entry.id
    title = mark.title
    isRead = false
  }

  /// Why a file or folder of an engine has no figures: `a DuckDB database, which no command reads`.
  var notRead: String { "\(title), which no command reads" }

  /// The error of a command that does not read it. A file that is part of a database is named as such.
  func refusal(_ path: FilePath, isPart: Bool = false) -> ExitCode {
    let what = isPart ? "a file in the folder of \(title)" : title
    guard !isRead else {
      return couldNotRun(
        "\(path) is \(what); this command reads files of the native engine, and "
          + "compaction-lab inspect reads this one too")
    }
    return couldNotRun(
      """
      \(path) is \(what), and no command reads its bytes. What it costs is measured by running scenarios on the engine: \
      compaction-lab run SCENARIO --engine \(engine.rawValue) (compaction-lab scenarios lists them)
      """)
  }
}
