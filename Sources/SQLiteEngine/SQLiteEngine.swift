// The adapter for SQLite: what it is, what it can do, and how a session of it opens. Apart from the page size and the
// write-ahead log it runs with SQLite's own defaults, because those are what users meet.
package import EngineInterface
import MetricModel
package import SystemIO

/// SQLite under test: pages updated through a write-ahead log, one writer, readers at marks in the log.
package struct SQLiteEngine: Engine {
  private let sqlite: SQLiteLibrary

  /// Opens SQLite's library. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { sqlite = try SQLiteLibrary.load() }

  package static let entry = EngineEntry(
    .sqlite, library: SQLiteLibrary.request,
    fileMark: FileMark("an SQLite database", at: 0, Array("SQLite format 3\0".utf8)),
    declared: capabilities(version: "")
  ) { () throws(LibraryAbsence) in try SQLiteEngine() }

  package static let id = sqliteID
  package var id: String { Self.id }
  package let mainFile = "data.sqlite"
  /// The log or the rollback journal, depending on the journal mode.
  package let sidecarFiles = ["data.sqlite-wal", "data.sqlite-journal"]

  package var capabilities: EngineCapabilities {
    Self.capabilities(version: "SQLite \(sqlite.version)")
  }

  private static func capabilities(version: String) -> EngineCapabilities {
    var capabilities = EngineCapabilities(
      summary: "SQLite: B-tree in one file with a write-ahead log beside it",
      version: version,
      accounting: .partial(
        """
        live, free and overhead are exact in pages of the newest version; the log is counted by its length; \
        pages that the log keeps for snapshots (pinned) are not told apart
        """),
      automatic: .supported(
        by: "auto_vacuum = FULL at each commit; the file follows at the next checkpoint"),
      onLaunch: .supported(by: "VACUUM, then wal_checkpoint(TRUNCATE)"),
      otherProcesses: .supported(
        by: "shared memory beside the log; the kernel takes a dead process's locks back"),
      otherOpenings: .supported(by: "each opening has connections of its own"),
      savepoints: .notApplicable(reason: "a SAVEPOINT is part of one transaction, and gone with it")
    )
    capabilities.log = .supported(
      by: """
        wal_checkpoint in its four modes, wal_autocheckpoint and journal_size_limit; or a rollback journal in its \
        place, with which a commit waits until there is no reader
        """)
    capabilities.shortening = .supported(
      by: "incremental_vacuum, in a file that was made with auto_vacuum = INCREMENTAL")
    capabilities.busyTimeout = .supported(by: "busy_timeout")
    capabilities.settings = Connection.settings
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseKey(options)
    try refuseLimits(options)
    let file = folder.appending(mainFile)
    if options.automaticCompaction, options.isShortenable {
      throw EngineError(
        engine: id, code: .unsupported,
        message: "auto_vacuum is FULL, which leaves nothing to shorten, or INCREMENTAL; ask for one"
      )
    }
    let isNew = try isAbsent(file)
    let writer = try Connection(sqlite, file)
    let journal = options.log?.journal ?? .writeAhead
    if isNew {
      try writer.create(AutoVacuum(options), journal)
    } else {
      try writer.adopt(AutoVacuum(options), journal)
    }
    try writer.setDurability(options.durability)
    if let log = options.log { try writer.keepLog(log) }
    var launch = LaunchOutcome.notAsked
    if let wantsCompaction = options.compactOnLaunch {
      launch =
        isNew
        ? .notCalled(reason: "the database is new")
        : try writer.withoutWaiting { () throws(EngineError) in
          try LaunchCompaction(
            connection: writer, journal: journal, wantsCompaction: wantsCompaction
          ).run()
        }
    }
    try writer.makeTables(options.tables)
    if let busyTimeout = options.busyTimeout { try writer.wait(milliseconds: busyTimeout) }
    let session = try SQLiteSession(writer: writer, options: options)
    return OpenedSession(session: session, launch: launch)
  }

  private static let smallestPage = 512

  private func isAbsent(_ file: FilePath) throws(EngineError) -> Bool {
    let bytes: Int
    do throws(SystemError) {
      bytes = try FileSystem.size(of: [file]).bytes
    } catch {
      throw EngineError(engine: id, error, while: "opening \(file)")
    }
    // SQLite takes a file of one byte for an empty one and would write over it.
    if 0 < bytes, bytes < Self.smallestPage {
      throw EngineError(
        engine: id, code: .corrupt,
        message: """
          opening \(file): \(bytes) bytes are too few for a database; restore it from a copy, or give an empty \
          folder
          """)
    }
    return bytes == 0
  }
}
