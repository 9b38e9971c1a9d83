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

  /// A folder below `output` that may be written. No component of `names` may be a symbolic link: `output` is the user's
  /// choice, what lies below it may come from elsewhere and lead anywhere.
  package init(below output: FilePath, _ names: [String]) throws(OutputError) {
    var path = output
    for name in names {
      path.append(name)
      try Self.refuseLink(path)
    }
    try self.init(checking: path)
  }

  /// A folder that may be written: absent, empty, or holding a record of ours.
  package init(checking path: FilePath) throws(OutputError) {
    self.path = path
    guard FileSystem.exists(path) else { return }
    // Another run that is writing here is waited for: its files come before its record. Where the file system has no locks
    // it goes on without.
    let lock = try? FolderLock(path)
    defer { lock?.release() }
    let found: [String]
    do { found = try FileSystem.list(path) } catch {
      throw OutputError(description: "\(path): cannot be used as output folder: \(error)")
    }
    guard !found.isEmpty else { return }
    // Known before the run, not after hours of it: links to files are replaced, those to folders would be followed.
    for folder in found.map(path.appending) where FileSystem.isFolder(folder) {
      try Self.refuseLink(folder)
    }
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
    let probe = path.appending(".writable")
    do throws(SystemError) {
      try FileSystem.makeFolders(path)
      let lock = try? FolderLock(path)
      defer { lock?.release() }
      try FileSystem.write([], to: probe)
      try FileSystem.removeFile(probe)
    } catch {
      let path = error.path == probe.string ? path.string : error.path
      throw OutputError(
        description: """
          \(SystemError(code: error.code, call: error.call, path: path)): nothing can be written there; \
          choose another folder with --output
          """)
    }
  }

  /// Makes the folder and locks it while `body` writes: of two runs that end at once, all files are those of one.
  package func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    try FileSystem.makeFolders(path)
    let lock = try? FolderLock(path)
    defer { lock?.release() }
    return try body()
  }

  /// Makes the folder, and removes from it what a run before left under these names; nothing else.
  package func prepare(removing names: [String]) throws {
    try FileSystem.makeFolders(path)
    for file in try names.map(file) { try FileSystem.removeFile(file) }
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    let file = try file(name)
    try FileSystem.makeFolders(file.removingLastComponent())
    try FileSystem.write(bytes, to: file)
  }

  /// The file of this name, which may begin with a folder: `plots/growth.svg`. That folder may not be a symbolic link, or
  /// files outside would be written and removed.
  private func file(_ name: String) throws(OutputError) -> FilePath {
    let file = path.pushing(FilePath(name))
    let folder = file.removingLastComponent()
    if folder != path { try Self.refuseLink(folder) }
    return file
  }

  private static func refuseLink(_ path: FilePath) throws(OutputError) {
    guard FileSystem.isLink(path) else { return }
    throw OutputError(
      description:
        "\(path): is a symbolic link, which is not followed; remove it, or choose another folder")
  }
}
