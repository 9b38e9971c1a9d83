// Libraries of engines that no distribution has, named on the command line. The processes of the cells find them as the
// variable does it, which they inherit.
import ArgumentParser
import SystemIO

struct EngineLibraries: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The library of Realm Core 14, as COMPACTION_LAB_REALM names it: any that exports realm.h.",
      valueName: "path"))
  var realmLibrary: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The library of libmdbx, as COMPACTION_LAB_MDBX names it.", valueName: "path"))
  var mdbxLibrary: String?

  /// Called before a command begins its work, and so before there are threads.
  func validate() throws {
    let named = [("COMPACTION_LAB_REALM", realmLibrary), ("COMPACTION_LAB_MDBX", mdbxLibrary)]
    for case (let variable, let library?) in named {
      // A name without a folder is for the system's loader, unless there is such a file here.
      let path = FilePath(library)
      LibraryRequest.name(
        FileSystem.exists(path) ? try FileSystem.absolute(path).string : library, by: variable)
    }
  }
}
