// `--keep-files`: keeps the database files of a run.
import ArgumentParser
import Experiments
import SystemIO

struct KeepFilesOption: ParsableArguments {
  @Option(
    name: .long,
    help: """
      Keeps the database files of each cell's first repetition in this folder, which must be absent or empty: \
      SCENARIO/ENGINE/POLICY/ARM, for inspect, verify and compact.
      """)
  var keepFiles: String?

  /// The whole path of the folder; nil where no files are retained.
  func path() throws -> FilePath? {
    do { return try keepFiles.map { try FileSystem.absolute(FilePath($0)) } } catch {
      throw couldNotRun("\(error)")
    }
  }

  /// Checks the folder and creates it; throws where it is not empty or cannot be written.
  func makeFolder() throws -> KeptFiles? {
    do {
      let kept = try keepFiles.map { path throws(OutputError) in
        try KeptFiles(checking: FilePath(path))
      }
      try kept?.make()
      return kept
    } catch { throw couldNotRun("\(error)") }
  }
}
