// The adapter for RocksDB: what it is, what it can do, and how a session of it opens.
package import EngineInterface
import MetricModel
package import SystemIO

/// RocksDB under test: a log-structured merge tree. Commits go to a log and a memtable, memtables are flushed to sorted runs,
/// and compaction merges runs; until then nothing that was written is freed.
package struct RocksDBEngine: Engine {
  private let rocks: RocksDBLibrary

  /// Opens RocksDB. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { rocks = try RocksDBLibrary.load() }

  package static let entry = EngineEntry(
    .rocksDB, library: RocksDBLibrary.request,
    // LevelDB has CURRENT too, and no IDENTITY.
    folderMark: FolderMark(
      "a RocksDB database", [("CURRENT", Array("MANIFEST-".utf8)), ("IDENTITY", [])]),
    declared: capabilities(version: "")
  ) { () throws(LibraryAbsence) in try RocksDBEngine() }

  package static let id = rocksDBID
  package var id: String { Self.id }
  /// A folder with all files but the log.
  package let mainFile = DatabaseFolder.name
  package let sidecarFiles = [DatabaseFolder.logName]

  package var capabilities: EngineCapabilities { Self.capabilities(version: rocks.version) }

  /// Returns the engine's capabilities in a version.
  private static func capabilities(version: String) -> EngineCapabilities {
    var capabilities = EngineCapabilities(
      summary:
        "RocksDB: log-structured merge tree of sorted runs, many files and a write-ahead log",
      version: version,
      accounting: .partial(
        """
        files, log and overhead are exact; pinned are whole runs that iterators retain, exact; live is an estimate: the \
        share that the newest rows have of all entries' bytes; free is what compaction frees, the rest of the runs and \
        memtables
        """),
      never: .supported(
        by: "disable_auto_compactions: memtables are flushed, and runs never merged"),
      automatic: .supported(
        by: "leveled compaction in the background, RocksDB's default; presets: universal, fifo"),
      automaticPresets: CompactionStyle.presets,
      onLaunch: .supported(
        by: "CompactRange over all keys, the last level too (kForceOptimized), in place"),
      otherProcesses: .notApplicable(
        reason: """
          RocksDB locks a database for one process; others can only follow it read-only, as secondary instances that do \
          not keep it from deleting their files
          """),
      otherOpenings: .notApplicable(
        reason: "RocksDB refuses to open a database twice in a process"),
      savepoints: .notApplicable(
        reason:
          "a snapshot is in memory and gone when the database closes; a checkpoint is another database"
      ))
    capabilities.log = .notApplicable(
      reason: "a flush ends its log, at bytes of its own: no checkpoint moves it into a file")
    capabilities.busyTimeout = .notApplicable(
      reason: "its writers wait only for each other, and for compaction that is behind")
    capabilities.undurableSyncs = .some
    // It writes a new manifest before anything can be asked.
    capabilities.commitsBeforeLaunchCallback = true
    capabilities.reusesSpaceUncompacted = false
    capabilities.settings = DatabaseSetup.settings
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseKey(options)
    try refuseLimits(options)
    let gate = try lockOpening(of: folder)
    defer { gate.release() }
    var setup = DatabaseSetup(
      rocks: rocks, files: DatabaseFolder(in: folder), tables: options.tables,
      durability: options.durability,
      style: CompactionStyle(
        automatic: options.automaticCompaction, preset: options.automaticPreset),
      worksInBackground: options.worksInBackground)
    let style = setup.style
    if options.compactOnLaunch != nil { setup.style = style.forFullCompaction }
    let isNew = try isAbsent(setup.files)
    var launch = LaunchOutcome.notAsked
    var database: RocksDBDatabase? = try open(setup, isNew: isNew)
    if let wantsCompaction = options.compactOnLaunch {
      launch =
        isNew ? .notCalled(reason: "the database is new") : try compact(&database, wantsCompaction)
    }
    var writtenBefore = ByteCount.zero
    if setup.style != style {
      writtenBefore = database?.counters.written ?? .zero
      database = nil
      setup.style = style
    }
    if database == nil { database = try open(setup, isNew: false) }
    guard let database else { preconditionFailure("A database was opened.") }
    let session = try RocksDBSession(
      database, writtenBefore: writtenBefore,
      stalls: options.onStall.map { StallObserver(database, onStall: $0) })
    return OpenedSession(session: session, launch: try launch.completed(by: session))
  }

  private func open(_ setup: DatabaseSetup, isNew: Bool) throws(EngineError) -> RocksDBDatabase {
    let database = try RocksDBDatabase(setup, isNew: isNew)
    if !setup.worksInBackground { database.awaitRest() }
    return database
  }

  private func isAbsent(_ files: DatabaseFolder) throws(EngineError) -> Bool {
    let finding: DatabaseFolder.Finding
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

  /// Calls the callback once and acts on its result. Where the disk is full the database is closed: RocksDB refuses all writes
  /// until it is opened again.
  private func compact(
    _ database: inout RocksDBDatabase?, _ wantsCompaction: (SpaceUsage) -> Bool
  ) throws(EngineError) -> LaunchOutcome {
    guard let opened = database else { return .notAsked }
    let before = try SpaceAccount().usage(of: opened)
    guard wantsCompaction(before) else { return .declined(before) }
    do throws(EngineError) {
      let rewritten = try opened.compactAll()
      return .compacted(before: before, after: before, rewritten: rewritten)
    } catch  where error.code == .outOfSpace {
      database = nil
      return .skipped(before, reason: "no disk space to merge the runs: \(error.message)")
    }
  }
}
