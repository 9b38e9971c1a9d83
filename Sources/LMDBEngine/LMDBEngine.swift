// The adapter for LMDB: what it is, what it can do, and how a session of it opens.
package import EngineInterface
package import SystemIO

/// LMDB under test: copy-on-write pages in one mapped file, one writer, space reused once no older reader is left.
package struct LMDBEngine: Engine {
  private let lmdb: LMDBLibrary

  /// Opens LMDB's library. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { lmdb = try LMDBLibrary.load() }

  package static let entry = EngineEntry(
    .lmdb, library: LMDBLibrary.request,
    fileMark: FileMark("an LMDB file", at: 16, [0xDE, 0xC0, 0xEF, 0xBE]),
    declared: capabilities(version: "")
  ) { () throws(LibraryAbsence) in try LMDBEngine() }

  package static let id = lmdbID
  package var id: String { Self.id }
  package let mainFile = "data.mdb"
  package let sidecarFiles: [String] = []

  package var capabilities: EngineCapabilities { Self.capabilities(version: lmdb.version) }

  private static func capabilities(version: String) -> EngineCapabilities {
    var capabilities = EngineCapabilities(
      summary: "LMDB: copy-on-write B+tree in one mapped file, oldest-reader reclamation",
      version: version,
      accounting: .exact,
      automatic: .notApplicable(reason: noAutomatic),
      onLaunch: .supported(by: "mdb_env_copyfd2 with MDB_CP_COMPACT, renamed over the file"),
      otherProcesses: .supported(
        by: "a lock file with a reader table; a dead process's places stay until mdb_reader_check"),
      otherOpenings: .notApplicable(
        reason: "LMDB demands that a process opens an environment once"))
    capabilities.addressLimit = .supported(by: "the map's size, which a file cannot outgrow")
    capabilities.copyRepacksPages = false
    capabilities.settings = EnvironmentSetup.settings
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseKey(options)
    try refuseLimits(options)
    if options.automaticCompaction {
      throw EngineError(
        engine: id, code: .unsupported, message: "automatic compaction: \(noAutomatic)")
    }
    let claim = try FolderClaim(folder)
    // One process opens at a time. A process that waits for LMDB's own lock, and gets it from a compaction that has just
    // replaced the file, takes the lock file for that of a database in use: its newest version would be that of the old
    // file.
    let gate = try lockOpening(of: folder)
    defer { gate.release() }
    let file = folder.appending(mainFile)
    let isNew = try look(at: file) == .absent
    let setup = EnvironmentSetup(lmdb: lmdb, file: file, options: options)
    var launch = LaunchOutcome.notAsked
    try LaunchCompaction(setup: setup) { _ in false }.removeUnfinishedCopy()
    if let wantsCompaction = options.compactOnLaunch {
      launch =
        isNew
        ? .notCalled(reason: "the database is new")
        : try LaunchCompaction(setup: setup, wantsCompaction: wantsCompaction).run()
    }
    let session = LMDBSession(environment: try Environment(setup), claim: claim)
    return OpenedSession(session: session, launch: try launch.completed(by: session))
  }

  private func look(at file: FilePath) throws(EngineError) -> FileFinding {
    let finding: FileFinding
    do throws(SystemError) {
      finding = try FileFinding(file)
    } catch {
      throw EngineError(engine: id, error, while: "opening \(file)")
    }
    if case .truncated(let bytes, let needed) = finding {
      throw .truncated(file, bytes: bytes, needed: needed)
    }
    return finding
  }
}

private let noAutomatic =
  "LMDB never shrinks its file in place: pages may be mapped by any reader; only a copy is smaller"
