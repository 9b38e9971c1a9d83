// The adapter for libmdbx: what it is, what it can do, and how a session of it opens.
package import EngineInterface
import MetricModel
package import SystemIO

/// libmdbx under test: copy-on-write pages in one mapped file that grows and is cut in steps, one writer, space reused
/// once no older reader is left.
package struct MDBXEngine: Engine {
  private let mdbx: MDBXLibrary

  /// Opens libmdbx. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { mdbx = try MDBXLibrary.load() }

  /// The mark stands behind a page's header of 20 bytes, above the byte with the format's number.
  package static let entry = EngineEntry(
    .mdbx, library: MDBXLibrary.request,
    fileMark: FileMark(
      "a libmdbx file", at: 21, [0x11, 0x4C, 0xEF, 0xBD, 0x9D, 0x65, 0x59]),
    declared: capabilities(version: "")
  ) { () throws(LibraryAbsence) in try MDBXEngine() }

  package static let id = mdbxID
  package var id: String { Self.id }
  package let mainFile = "data.mdbx"
  package let sidecarFiles: [String] = []

  package var capabilities: EngineCapabilities {
    var capabilities = Self.capabilities(version: mdbx.version)
    if !mdbx.defragments {
      capabilities.shortening = .notApplicable(
        reason: "\(mdbx.version) moves no pages; 0.14 does, by mdbx_env_defrag")
    }
    return capabilities
  }

  /// Returns the engine's capabilities in a version.
  private static func capabilities(version: String) -> EngineCapabilities {
    var capabilities = EngineCapabilities(
      summary:
        "libmdbx: copy-on-write B+tree in one mapped file that grows and is cut in steps, oldest-reader reclamation",
      version: version,
      accounting: .exact,
      never: .supported(
        by: "no compaction is asked for, and shrink_threshold = 0: the file is not cut"),
      automatic: .notApplicable(reason: noAutomatic),
      onLaunch: .supported(by: "mdbx_env_copy2fd with MDBX_CP_COMPACT, renamed over the file"),
      otherProcesses: .supported(
        by: """
          a lock file with a reader table; a dead process's places stay until mdbx_reader_check, or until a commit \
          finds no free page
          """),
      otherOpenings: .notApplicable(
        reason: "libmdbx refuses to open an environment twice in a process"))
    capabilities.addressLimit = .supported(by: "the geometry's upper bound")
    capabilities.geometry = .supported(by: "mdbx_env_set_geometry")
    capabilities.shortening = .supported(by: "mdbx_env_defrag, from version 0.14 on")
    capabilities.undurableSyncs = .some
    capabilities.copyRepacksPages = false
    capabilities.canDoWithoutReservations = true
    // There a version is durable as soon as it is committed.
    capabilities.differsInMemory = true
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
    // One process opens at a time, so that no process opens the file that a compaction is about to replace.
    let gate = try lockOpening(of: folder)
    defer { gate.release() }
    let file = folder.appending(mainFile)
    let isNew = try look(at: file) == .absent
    let setup = EnvironmentSetup(mdbx: mdbx, file: file, options: options)
    var launch = LaunchOutcome.notAsked
    try LaunchCompaction(setup: setup) { _ in false }.removeUnfinishedCopy()
    if let wantsCompaction = options.compactOnLaunch {
      launch =
        isNew
        ? .notCalled(reason: "the database is new")
        : try LaunchCompaction(setup: setup, wantsCompaction: wantsCompaction).run()
    }
    let session = try MDBXSession(
      environment: try Environment(setup), observesShrinks: setup.cuts)
    return OpenedSession(session: session, launch: try launch.completed(by: session))
  }

  private func look(at file: FilePath) throws(EngineError) -> FileFinding {
    let finding: FileFinding
    do throws(SystemError) {
      finding = try FileFinding(file)
    } catch {
      throw EngineError(engine: id, error, while: "opening \(file)")
    }
    if let error = EngineError(finding, file) { throw error }
    return finding
  }
}

private let noAutomatic =
  "libmdbx moves nothing to make its file shorter: it only cuts what happens to be free at the end, where one asks for it"
