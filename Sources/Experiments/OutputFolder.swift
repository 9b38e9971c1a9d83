// The folder that a run leaves behind. It is overwritten only where it holds a record of ours, so that a slip of the
// hand never deletes somebody's work.
import RecordModel
package import SystemIO

import struct Foundation.Data

/// Why an output folder was refused or could not be written.
package struct OutputError: Error, Sendable, CustomStringConvertible {
  package let description: String
}

package struct OutputFolder: Sendable {
  package let path: FilePath

  /// A folder that may be written: absent, empty, or holding a record of ours.
  package init(checking path: FilePath) throws(OutputError) {
    self.path = path
    guard FileSystem.exists(path) else { return }
    let found: [String]
    do { found = try FileSystem.list(path) } catch {
      throw OutputError(description: "\(path): cannot be used as output folder: \(error)")
    }
    guard !found.isEmpty else { return }
    guard Self.holdsRecord(path, found) else {
      throw OutputError(
        description: """
          \(path): holds other content (\(found.sorted()[0])) and no record of a run; \
          choose another folder with --output
          """)
    }
  }

  private static func holdsRecord(_ path: FilePath, _ found: [String]) -> Bool {
    guard found.contains(RunRecord.fileName),
      let bytes = try? FileSystem.read(path.appending(RunRecord.fileName))
    else { return false }
    return RunRecord.isRecord(Data(bytes))
  }

  /// Makes the folder and tries whether files can be made in it, so that a run of hours does not end without a place for
  /// its report.
  package func make() throws(OutputError) {
    let probe = file(".writable")
    do {
      try FileSystem.makeFolders(path)
      try FileSystem.write([], to: probe)
      try FileSystem.removeFile(probe)
    } catch {
      throw OutputError(
        description: "\(error): nothing can be written there; choose another folder with --output")
    }
  }

  /// Makes the folder, and removes from it what a run before left under these names; nothing else.
  package func prepare(removing names: [String]) throws(SystemError) {
    try FileSystem.makeFolders(path)
    for name in names { try FileSystem.removeFile(file(name)) }
  }

  package func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
    let file = file(name)
    try FileSystem.makeFolders(file.removingLastComponent())
    try FileSystem.write(bytes, to: file)
  }

  /// The file of this name, which may begin with a folder: `plots/growth.gp`.
  private func file(_ name: String) -> FilePath { path.pushing(FilePath(name)) }
}
