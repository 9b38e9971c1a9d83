// A compacted copy: every row is read in the order of keys, and loaded into a new database.
import CWiredTiger
import EngineInterface
import MetricModel
import SystemIO

extension WiredTigerDatabase {
  /// Loads the newest version of every table into a new database beside `path`, and gives it that name. A backup would copy the
  /// files with their free blocks, and compaction moves blocks and leaves pages as full as they are.
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    if FileSystem.exists(path) {
      throw .copyExists(path, of: wiredTigerID)
    }
    let draft = FilePath(path.string + ".compacting")
    do throws(EngineError) {
      try copyFiles { () throws(SystemError) in try FileSystem.removeTree(draft) }
      try load(into: draft)
      try copyFiles { () throws(SystemError) in
        try FileSystem.inheritAccess(of: setup.files.data, to: draft, as: .copy)
        try FileSystem.rename(draft, to: path)
        try FileSystem.syncFolder(path.removingLastComponent())
      }
    } catch {
      // The partial copy is of no use. A failure to remove it is not the error to report.
      try? FileSystem.removeTree(draft)
      throw error
    }
  }

  private func load(into draft: FilePath) throws(EngineError) {
    let tables = try files { () throws(SystemError) in try setup.files.tables() }
    let source = try TableCursors(connection, tables: tables)
    defer { source.end() }
    let copy = try WiredTigerDatabase(
      WiredTigerSetup(
        library: setup.library, files: WiredTigerFolder(draft: draft), tables: tables,
        durability: .none, compactsAutomatically: false, worksInBackground: false))
    try source.begin()
    defer { source.rollBack() }
    let target = try copy.connection.openSession()
    for (index, table) in tables.enumerated() {
      let cursor = try copy.connection.openCursor(
        target, WiredTigerSetup.uri(ofTable: table), options: "bulk")
      _ = try source.scan(index, from: .min, limit: .max) { key, value throws(EngineError) in
        wt_cursor_set_key(cursor, key)
        wt_cursor_set_value(cursor, value.baseAddress, value.count)
        try copy.connection.check("loading a row", cursor.pointee.insert(cursor))
      }
      try copy.connection.check("loading \(table)", cursor.pointee.close(cursor))
    }
    // The checkpoint at closing syncs the files.
    try copy.close()
  }

  private func copyFiles(_ body: () throws(SystemError) -> Void) throws(EngineError) {
    do throws(SystemError) { try body() } catch {
      throw EngineError(engine: wiredTigerID, error, while: "making a compacted copy")
    }
  }
}
