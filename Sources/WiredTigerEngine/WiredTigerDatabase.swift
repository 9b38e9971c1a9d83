// An open WiredTiger database with its tables: how it is opened and closed, its checkpoints, and what it reports of itself.
import CWiredTiger
import EngineInterface
import MetricModel
import SystemIO

/// An open database. Closes when it goes.
final class WiredTigerDatabase: @unchecked Sendable {
  let setup: WiredTigerSetup
  let connection: WiredTigerConnection
  /// Guards the session for checkpoints and statistics, and what follows.
  private let mutex = ThreadMutex()
  private let session: UnsafeMutablePointer<wt_session>
  private let evictor: PageEvictor
  private let fileStatistics: WiredTigerStatistics
  private let connectionStatistics: WiredTigerStatistics
  /// The bytes of rows that were changed since the last checkpoint.
  private var changedBytes = 0
  private var changedRows: [RowAddress] = []

  init(_ setup: WiredTigerSetup) throws(EngineError) {
    self.setup = setup
    do throws(SystemError) { try setup.files.makeFolders() } catch {
      throw EngineError(engine: wiredTigerID, error, while: "opening \(setup.files.data)")
    }
    connection = try WiredTigerConnection(setup)
    session = try connection.openSession()
    for table in setup.tables {
      try connection.check(
        "creating the table \(table)",
        session.pointee.create(
          session, WiredTigerSetup.uri(ofTable: table), setup.tableOptions))
    }
    evictor = try PageEvictor(connection, tables: setup.evictedTables)
    let metadata = WiredTigerStatistics.uri(ofFile: WiredTigerFolder.metadataFile)
    fileStatistics = try WiredTigerStatistics(
      WiredTigerStatistics.ofFile, sample: metadata, connection, session)
    connectionStatistics = try WiredTigerStatistics(
      WiredTigerStatistics.ofConnection, sample: WiredTigerStatistics.uri(ofFile: nil),
      connection, session)
    try settle()
    if setup.worksInBackground, setup.compactsAutomatically { try compactInBackground() }
  }

  /// Makes a checkpoint of all that was not written and closes; every session ends.
  func close() throws(EngineError) {
    try connection.close()
    try files { () throws(SystemError) in try setup.files.pad() }
  }

  /// Writes what WiredTiger has in its buffers for the log, which it would write at a time of its own, and pads the files. Then
  /// all lengths are the same in each run.
  private func settle() throws(EngineError) {
    if setup.files.log != nil {
      try connection.check(
        "writing the log", session.pointee.log_flush(session, "sync=off"))
    }
    try files { () throws(SystemError) in try setup.files.pad() }
  }

  /// Adds the rows that a commit changed, and makes a checkpoint once they are enough. Returns whether it made one.
  /// Called by one writer at a time.
  func committed(bytes: Int, rows: [RowAddress]) throws(EngineError) -> Bool {
    if setup.worksInBackground { return false }
    changedBytes += bytes
    changedRows.append(contentsOf: rows)
    if changedBytes < WiredTigerSetup.checkpointInterval { return false }
    try checkpoint()
    return true
  }

  /// Writes the changed pages of every table, and removes the logs that are then not needed.
  func checkpoint(_ options: String? = nil) throws(EngineError) {
    try mutex.withLock { () throws(EngineError) in
      changedBytes = 0
      try connection.check("making a checkpoint", session.pointee.checkpoint(session, options))
      if !setup.worksInBackground, setup.files.log != nil {
        try connection.check(
          "removing logs", session.pointee.truncate(session, "log:", nil, nil, nil))
        try evictor.evict(changedRows)
        changedRows.removeAll(keepingCapacity: true)
      }
      try settle()
    }
  }

  /// Compacts each table and the history store, file by file, and makes a checkpoint of all files, also of those without
  /// changes: only a checkpoint cuts free blocks off a file's end. Returns the bytes that were written for it.
  func compactAll() throws(EngineError) -> ByteCount {
    let before = try writtenToFiles
    let tables = try files { () throws(SystemError) in try setup.files.tables() }
    try mutex.withLock { () throws(EngineError) in
      for table in tables { try compact(WiredTigerSetup.uri(ofTable: table)) }
      try compact("file:\(WiredTigerFolder.historyFile)")
    }
    try checkpoint("force=true")
    return try writtenToFiles - before
  }

  /// Compacts each table that has enough free blocks, as WiredTiger's thread for compaction does in its passes. Returns what
  /// came of it; nil where no file became shorter.
  func compactAutomatically() throws(EngineError) -> CompactionEvent? {
    let (length, written) = (try length, try writtenToFiles)
    for table in try files({ () throws(SystemError) in try setup.files.tables() })
    where try blocks(ofFile: WiredTigerFolder.file(ofTable: table)).free.bytes
      >= WiredTigerSetup.compactionTarget
    {
      try mutex.withLock { () throws(EngineError) in
        try compact(WiredTigerSetup.uri(ofTable: table))
        try settle()
      }
    }
    let after = try self.length
    if after >= length { return nil }
    return CompactionEvent(
      kind: .automatic, outcome: .finished,
      reason: "blocks were moved from the ends of files to free blocks before them",
      before: length, after: after, rewritten: try writtenToFiles - written)
  }

  private func compact(_ uri: String) throws(EngineError) {
    let options = "free_space_target=\(WiredTigerSetup.compactionTarget),timeout=0"
    try connection.check("compacting \(uri)", session.pointee.compact(session, uri, options))
  }

  /// Begins compaction by WiredTiger's own thread, until the database is closed.
  private func compactInBackground() throws(EngineError) {
    let options = "background=true,free_space_target=\(WiredTigerSetup.compactionTarget)"
    try connection.check(
      "beginning compaction", session.pointee.compact(session, nil, options))
  }

  /// The bytes of a file's checkpoint, and those that the next one may use.
  func blocks(ofFile name: String) throws(EngineError) -> (used: ByteCount, free: ByteCount) {
    try mutex.withLock { () throws(EngineError) in
      let values = try fileStatistics.read(WiredTigerStatistics.uri(ofFile: name))
      return (ByteCount(max(0, values[0])), ByteCount(max(0, values[1])))
    }
  }

  /// What WiredTiger wrote since it was opened: to the files of tables and its own, and to the log.
  var written: (toFiles: ByteCount, toLog: ByteCount) {
    get throws(EngineError) {
      try mutex.withLock { () throws(EngineError) in
        let values = try connectionStatistics.read(WiredTigerStatistics.uri(ofFile: nil))
        return (ByteCount(values[0]), ByteCount(values[1]))
      }
    }
  }

  private var writtenToFiles: ByteCount { get throws(EngineError) { try written.toFiles } }

  /// The names of the checkpoints that are stored by name, from the metadata of a table's file.
  func savepoints(ofFile name: String) throws(EngineError) -> [String] {
    try mutex.withLock { () throws(EngineError) in
      let cursor = try connection.openCursor(session, "metadata:")
      defer { _ = cursor.pointee.close(cursor) }
      var text: UnsafePointer<CChar>?
      let result = "file:\(name)".withCString { key in
        wt_metadata_set_key(cursor, key)
        return cursor.pointee.search(cursor)
      }
      if result == WT_NOTFOUND { return [] }
      try connection.check("reading metadata", result)
      try connection.check("reading metadata", wt_metadata_get_value(cursor, &text))
      return text.map { Checkpoints(metadata: String(cString: $0)).names } ?? []
    }
  }

  /// Carries out something on the files.
  func files<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(EngineError) -> Result {
    do throws(SystemError) { return try body() } catch {
      throw EngineError(engine: wiredTigerID, error, while: "reading \(setup.files.data)")
    }
  }
}
