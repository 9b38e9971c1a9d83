// The repository as tests read it, and the programs that are built beside them.
package import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package enum Repository {
  /// The repository's top level, found from this file's path.
  package static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent()

  /// The text of a file, by its path from the root.
  package static func text(_ path: String) throws -> String {
    try FileSystem.readText(root.pushing(FilePath(path)))
  }

  /// Replaces or creates a file, by its path from the root.
  package static func write(_ text: String, to path: String) throws {
    try FileSystem.write(text: text, to: root.pushing(FilePath(path)))
  }

  /// Whether files that the code makes are written anew in place of compared: `UPDATE_GOLDEN=1`.
  package static let isUpdating = getenv("UPDATE_GOLDEN").map { String(cString: $0) } == "1"

  /// A program of this package: beside the running tests where they are a program themselves, else where debug builds
  /// put it (the tests of an Xcode bundle lie deeper).
  package static func program(_ name: String) throws -> FilePath {
    let beside = try ProcessMetrics.executablePath().removingLastComponent().appending(name)
    return FileSystem.exists(beside) ? beside : root.pushing(FilePath(".build/debug/\(name)"))
  }
}
