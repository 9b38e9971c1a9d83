// The adapter for DuckDB: what it is, what it can do, and how a session of it opens.
package import EngineInterface
import MetricModel
package import SystemIO

/// DuckDB under test: columns in row groups, in blocks of one file, with a write-ahead log that checkpoints move into it.
package struct DuckDBEngine: Engine {
  private let duck: DuckDBLibrary

  /// Opens DuckDB. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { duck = try DuckDBLibrary.load() }

  package static let entry = EngineEntry(
    .duckDB, library: DuckDBLibrary.request,
    fileMark: FileMark("a DuckDB database", at: 8, Array("DUCK".utf8)),
    declared: capabilities(version: "")
  ) { () throws(LibraryAbsence) in try DuckDBEngine() }

  package static let id = duckDBID
  package var id: String { Self.id }
  package let mainFile = DatabaseFiles.name
  package let sidecarFiles = DatabaseFiles.sidecarNames

  package var capabilities: EngineCapabilities { Self.capabilities(version: duck.version) }

  /// Returns the engine's capabilities in a version.
  private static func capabilities(version: String) -> EngineCapabilities {
    var capabilities = EngineCapabilities(
      summary: "DuckDB: columns in row groups, one file and a write-ahead log beside it",
      version: version,
      accounting: .partial(
        """
        file, log and overhead (headers and blocks of metadata) are exact; live is an estimate: the bytes of the newest \
        rows with their keys and index entries; free is the rest, free blocks and deleted rows in used ones; old versions \
        are in memory, so pinned is not there
        """),
      never: .supported(
        by: "max_vacuum_tasks = 0: checkpoints move the log into the file and merge no row groups"),
      automatic: .supported(
        by: "the checkpoints of commits merge row groups with deleted rows, DuckDB's default"),
      onLaunch: .supported(
        by: "COPY FROM DATABASE into a new file, renamed over the file; VACUUM does nothing"),
      otherProcesses: .notApplicable(reason: "DuckDB locks its file for one process"),
      otherOpenings: .notApplicable(
        reason: "DuckDB's lock is of the process: closing one session would drop it for all"),
      savepoints: .notApplicable(
        reason: "versions are in memory only, and gone when the database closes"),
      encryption: .notApplicable(
        reason: "DuckDB has encryption, and this adapter does not offer it"))
    capabilities.log = .notApplicable(
      reason: "its checkpoints are its compaction, and commits make them at a length of the log")
    capabilities.busyTimeout = .notApplicable(reason: "its writers wait only for each other")
    capabilities.unfinishedCopy = DatabaseFiles.name + ".compacting"
    // Freed blocks are used again, but deleted rows in used ones are not.
    capabilities.reusesSpaceUncompacted = false
    capabilities.retainsVersionsInFiles = false
    // The system's count differs by up to 0.4 % from run to run, and DuckDB has none of its own.
    capabilities.writesThroughCalls = false
    capabilities.cutsFreeEnd = true
    capabilities.logInterval = ByteCount(DatabaseSetup.checkpointThreshold)
    capabilities.settings = DatabaseSetup.settings
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseKey(options)
    try refuseLimits(options)
    let claim = try FolderClaim(folder)
    let gate = try lockOpening(of: folder)
    defer { gate.release() }
    let setup = DatabaseSetup(
      duck: duck, files: DatabaseFiles(in: folder), durability: options.durability,
      vacuums: options.automaticCompaction)
    let isNew = try isAbsent(setup.files.data)
    var launch = LaunchOutcome.notAsked
    if let wantsCompaction = options.compactOnLaunch {
      launch =
        isNew
        ? .notCalled(reason: "the database is new")
        : try LaunchCompaction(
          setup: setup, tables: options.tables, wantsCompaction: wantsCompaction
        ).run()
    }
    let instance = try DuckDBInstance(setup, isNew: isNew)
    try instance.makeTables(options.tables)
    let session = try DuckDBSession(instance, setup, options, claim: claim)
    return OpenedSession(session: session, launch: try launch.completed(by: session))
  }

  private func isAbsent(_ file: FilePath) throws(EngineError) -> Bool {
    let finding: FileFinding
    do throws(SystemError) { finding = try FileFinding(file) } catch {
      throw EngineError(engine: id, error, while: "opening \(file)")
    }
    guard case .foreign(let what) = finding else { return finding == .absent }
    throw EngineError(
      engine: id, code: .corrupt,
      message: "opening \(file): \(what); restore it from a copy, or give an empty folder")
  }
}
