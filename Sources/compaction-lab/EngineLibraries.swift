// Options that name the libraries of engines which no distribution packages. They set the environment variables that the
// processes of the cells inherit.
import ArgumentParser
import SystemIO

struct EngineLibraries: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The library of Realm Core 14, in place of COMPACTION_LAB_REALM: any that exports realm.h.",
      valueName: "path"))
  var realmLibrary: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The library of libmdbx, in place of COMPACTION_LAB_MDBX.", valueName: "path"))
  var mdbxLibrary: String?

  /// Sets environment variables, which is safe only while the process has one thread: before the command runs.
  func validate() throws {
    let named = [("COMPACTION_LAB_REALM", realmLibrary), ("COMPACTION_LAB_MDBX", mdbxLibrary)]
    for case (let variable, let library?) in named {
      // The system's loader searches for a bare name, unless a file of that name is in the current folder.
      let path = FilePath(library)
      LibraryRequest.name(
        FileSystem.exists(path) ? try FileSystem.absolute(path).string : library, by: variable)
    }
  }
}
