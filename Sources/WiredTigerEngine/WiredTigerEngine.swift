// The adapter for WiredTiger: what it is, what it can do, and how a session of it opens.
package import EngineInterface
import MetricModel
package import SystemIO

/// WiredTiger under test: B-trees in a file each, whose changed pages checkpoints write to other blocks. Versions that only old
/// snapshots see go into a file of their own, the history store.
package struct WiredTigerEngine: Engine {
  private let library: WiredTigerLibrary

  /// Opens WiredTiger. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { library = try WiredTigerLibrary.load() }

  package static let entry = EngineEntry(
    .wiredTiger, library: WiredTigerLibrary.request,
    fileMark: FileMark("a file of a WiredTiger database", at: 0, [0x41, 0xD8, 0x01, 0x00]),
    folderMark: FolderMark(
      "a WiredTiger database",
      [("WiredTiger", Array("WiredTiger".utf8)), ("WiredTiger.turtle", [])]),
    declared: capabilities(version: "")
  ) { () throws(LibraryAbsence) in try WiredTigerEngine() }

  package static let id = wiredTigerID
  package var id: String { Self.id }
  /// A folder with all files but the log.
  package let mainFile = WiredTigerFolder.name
  package let sidecarFiles = [WiredTigerFolder.logName]

  package var capabilities: EngineCapabilities { Self.capabilities(version: library.version) }

  /// Returns the engine's capabilities in a version.
  private static func capabilities(version: String) -> EngineCapabilities {
    var capabilities = EngineCapabilities(
      summary: "WiredTiger: B-trees in files, written by checkpoints, and a write-ahead log",
      version: version,
      accounting: .partial(
        """
        files and log are exact; live and free are the blocks that WiredTiger counts, exact as of the last checkpoint; pinned \
        is the whole history store while a snapshot is older than the newest version, so at most too much; lists of extents \
        are in no part
        """),
      never: .supported(
        by: "checkpoints use freed blocks again, and cut those off that are at a file's end"),
      automatic: .supported(
        by: "background compaction: `WT_SESSION::compact` of each table with 1 MiB of free blocks"),
      onLaunch: .supported(
        by: "`WT_SESSION::compact` of each table: moves blocks from a file's end to its front"),
      otherProcesses: .notApplicable(reason: "WiredTiger locks a database for one process"),
      otherOpenings: .notApplicable(
        reason: "WiredTiger refuses to open a database twice in a process"),
      savepoints: .supported(by: "checkpoints that are stored by name"))
    capabilities.log = .notApplicable(
      reason: "checkpoints write pages from the cache: none moves its log into a file")
    capabilities.busyTimeout = .notApplicable(
      reason: "its writers wait only for each other, and for a cache that is full")
    capabilities.undurableSyncs = .some
    // Opening makes a checkpoint of the metadata before anything can be asked.
    capabilities.commitsBeforeLaunchCallback = true
    capabilities.cutsFreeEnd = true
    // A log file is removed when it is full and a checkpoint follows.
    capabilities.logInterval = ByteCount(
      WiredTigerSetup.checkpointInterval + WiredTigerSetup.logFile)
    // The texts that it writes with each checkpoint have checksums, and so lengths, that differ from run to run.
    capabilities.writesThroughCalls = false
    capabilities.uncompactedBytes = ByteCount(WiredTigerSetup.maxUncompacted)
    capabilities.settings = WiredTigerSetup.settings
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseKey(options)
    try refuseLimits(options)
    let gate = try lockOpening(of: folder)
    defer { gate.release() }
    let setup = WiredTigerSetup(
      library: library, files: WiredTigerFolder(in: folder),
      tables: options.tables.map { TableName($0).text },
      durability: options.durability, compactsAutomatically: options.automaticCompaction,
      worksInBackground: options.worksInBackground)
    let isNew = try isAbsent(setup.files)
    var database = try WiredTigerDatabase(setup)
    var launch = LaunchOutcome.notAsked
    if let wantsCompaction = options.compactOnLaunch {
      launch =
        isNew
        ? .notCalled(reason: "the database is new") : try compact(&database, wantsCompaction)
    }
    let session = try WiredTigerSession(database, onCheckpoint: options.onCheckpoint)
    return OpenedSession(session: session, launch: try launch.completed(by: session))
  }

  private func isAbsent(_ files: WiredTigerFolder) throws(EngineError) -> Bool {
    let finding: WiredTigerFolder.Finding
    do throws(SystemError) { finding = try files.inspect() } catch {
      throw EngineError(engine: id, error, while: "opening \(files.data)")
    }
    switch finding {
    case .absent: return true
    case .database: return false
    case .foreign(let what):
      throw EngineError(
        engine: id, code: .corrupt,
        message: "opening \(files.data): \(what); restore it from a copy, or give an empty folder")
    }
  }

  /// Calls the callback once and acts on its result. Where the disk is full the database is opened again, since WiredTiger may
  /// refuse everything after an error that it cannot undo.
  private func compact(
    _ database: inout WiredTigerDatabase, _ wantsCompaction: (SpaceUsage) -> Bool
  ) throws(EngineError) -> LaunchOutcome {
    let before = try database.usage(isHistoryRead: false)
    guard wantsCompaction(before) else { return .declined(before) }
    do throws(EngineError) {
      let rewritten = try database.compactAll()
      return .compacted(before: before, after: before, rewritten: rewritten)
    } catch  where error.code == .outOfSpace {
      try? database.close()
      database = try WiredTigerDatabase(database.setup)
      return .skipped(before, reason: "no disk space to move blocks: \(error.message)")
    }
  }
}
