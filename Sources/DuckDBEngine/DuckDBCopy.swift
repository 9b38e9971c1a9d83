// A compacted copy: a new database into which DuckDB copies all tables, `COPY FROM DATABASE`.
import CDuckDB
import EngineInterface
import MetricModel
import SystemIO

/// A copy in the making. DuckDB creates the file itself and takes no empty one, so that it is made in a folder that only its
/// owner may enter.
struct DatabaseCopy {
  private let files: DatabaseFiles
  private let path: FilePath
  private let folder: FilePath
  private let draft: DatabaseFiles

  /// Of a database at `path`, which does not exist.
  init(_ files: DatabaseFiles, at path: FilePath) {
    self.files = files
    self.path = path
    folder = FilePath(path.string + ".compacting")
    draft = DatabaseFiles(in: folder)
  }

  /// Writes a copy that replaces nothing.
  func write(by connection: Connection) throws(EngineError) {
    if FileSystem.exists(path) {
      throw .copyExists(path, of: duckDBID)
    }
    try fill(by: connection)
    _ = try install(.copy)
  }

  /// Makes the copy in its folder. Leaves nothing of it if that fails.
  func fill(by connection: Connection) throws(EngineError) {
    try discard()
    try inFiles { () throws(SystemError) in try FileSystem.makePrivateFolder(folder) }
    do throws(EngineError) {
      try connection.makeFile(draft)
      try connection.attach(draft, as: "copy")
      do throws(EngineError) {
        try connection.run("COPY FROM DATABASE \(DatabaseSetup.catalog) TO copy")
        try connection.run("CHECKPOINT copy")
      } catch {
        try? connection.run("DETACH copy")
        throw error
      }
      try connection.run("DETACH copy")
    } catch {
      // The partial copy is of no use. A failure to remove it is not the error to report.
      try? discard()
      throw error
    }
  }

  /// Gives the copy the file's access rights and its name, and returns its bytes. No part of the process has the file open that
  /// it replaces.
  func install(_ role: AccessRole) throws(EngineError) -> ByteCount {
    do throws(EngineError) {
      let bytes = try draft.fileBytes()
      try inFiles { () throws(SystemError) in
        try FileSystem.inheritAccess(of: files.data, to: draft.data, as: role)
        try FileSystem.rename(draft.data, to: path)
        try FileSystem.syncFolder(path.removingLastComponent())
      }
      try discard()
      return bytes
    } catch {
      try? discard()
      throw error
    }
  }

  /// Removes what a copy that was broken off left behind.
  private func discard() throws(EngineError) {
    try inFiles { () throws(SystemError) in try FileSystem.removeTree(folder) }
  }

  private func inFiles(_ body: () throws(SystemError) -> Void) throws(EngineError) {
    do throws(SystemError) { try body() } catch {
      throw EngineError(engine: duckDBID, error, while: "making a compacted copy")
    }
  }
}
