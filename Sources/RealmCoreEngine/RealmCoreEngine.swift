// The adapter for Realm Core: what it is, what it can do, and how a session of it opens.
package import EngineInterface
import FileFormats
import MetricModel
package import SystemIO

/// Realm Core under test, through its C interface: each row is an object with the key as its primary key, each snapshot
/// a live or frozen instance.
package struct RealmCoreEngine: Engine {
  private let realm: RealmCoreLibrary

  /// Opens Realm Core's library. Where that cannot be, the engine is not on this machine, for the reason that is thrown.
  package init() throws(LibraryAbsence) { realm = try RealmCoreLibrary.load() }

  package static let entry = EngineEntry(
    .realmCore, library: RealmCoreLibrary.request, declared: declared
  ) { () throws(LibraryAbsence) in try RealmCoreEngine() }

  package static let id = realmCoreID
  package var id: String { Self.id }
  package let mainFile = "data.realm"
  package let sidecarFiles: [String] = []

  /// The engine's capabilities, for every version.
  private static let declared: EngineCapabilities = {
    var capabilities = EngineCapabilities(
      summary:
        "Realm Core: copy-on-write arrays in one mapped file; rows as objects, snapshots as live or frozen instances; "
        + "syncs each commit, also under durability none",
      version: "14",
      accounting: .exact,
      never: .notApplicable(
        reason: "Realm Core's automatic compaction cannot be switched off"),
      automatic: .supported(
        by: "moves data below a limit within commits once free space is more than twice the used "
          + "space and the file has 1 MiB; the disk gets its space back at the next opening"),
      automaticPresets: [.realmCompatible],
      onLaunch: .supported(
        by: "shouldCompactOnLaunch: a compacted copy, synced and renamed over the file; automatic "
          + "compaction goes on beside it"),
      otherProcesses: .supported(
        by:
          "a lock file with a list of versions; what a dead process holds stays until all have closed"
      ),
      otherOpenings: .supported(by: "openings in one process share one database of Realm Core's"),
      encryption: .supported(by: "AES-256-CBC with HMAC-SHA224 over pages of 4 KiB"))
    capabilities.automaticThresholds = .notApplicable(
      reason: "the thresholds of Realm Core's automatic compaction are constants of its code")
    capabilities.versionLimit = .supported(
      by:
        "maximumNumberOfActiveVersions, counted at commits: versions released since the last one count too"
    )
    capabilities.addressLimit = .notApplicable(
      reason: "nothing limits what it maps, section by section")
    capabilities.shapes = .supported(by: "links, lists, embedded objects and indexes of its own")
    capabilities.writesThroughCalls = false
    capabilities.undurableSyncs = .all
    capabilities.commitsBeforeLaunchCallback = true
    capabilities.freesDeadReadersWhileOpen = false
    // DB::compact removes it before it begins, and nothing else does (db.cpp).
    capabilities.unfinishedCopy = "data.realm.tmp_compaction_space"
    capabilities.settings = EngineCapabilities.Setting.ofRealmCore
    return capabilities
  }()

  package var capabilities: EngineCapabilities {
    var capabilities = Self.declared
    capabilities.version = realm.version
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseLimits(options)
    let file = folder.appending(mainFile)
    let isNew = try isAbsent(file)
    let earlier = isNew || options.encryptionKey != nil ? nil : try books(file)
    let question = isNew ? nil : options.compactOnLaunch.map { LaunchQuestion(file, $0) }
    let opening = RealmOpening(realm, file, options, asking: question)
    let session = try opening.open(after: earlier)
    var launch = LaunchOutcome.notAsked
    if options.compactOnLaunch != nil {
      launch =
        isNew ? .notCalled(reason: "the database is new") : try opening.outcome(of: session)
    }
    return OpenedSession(session: session, launch: launch)
  }

  /// Opens a database in memory: Realm Core maps a file for it, which it never syncs and removes when the last has closed
  /// it. Its header is not updated, so that only its length is known.
  func openInMemory(_ folder: FilePath, _ options: SessionOptions) throws(EngineError)
    -> any EngineSession
  {
    try RealmOpening(realm, folder.appending(mainFile), options, asking: nil, isInMemory: true)
      .open(after: nil)
  }

  private func isAbsent(_ file: FilePath) throws(EngineError) -> Bool {
    do throws(SystemError) {
      return try FileSystem.size(of: [file]).bytes == 0
    } catch {
      throw EngineError(engine: id, error, while: "opening \(file)")
    }
  }

  /// The file's books, where it has any. A file that ends too early is refused: Realm Core maps it and would die of a
  /// bus error.
  private func books(_ file: FilePath) throws(EngineError) -> RealmBooks? {
    let bytes: Int
    let books: RealmBooks
    do throws(SystemError) {
      guard let read = try RealmFile(file).books() else { return nil }
      books = read
      bytes = try FileSystem.size(of: file).bytes
    } catch {
      throw EngineError(engine: id, error, while: "opening \(file)")
    }
    let needed = books.logicalSize
    if bytes >= needed { return books }
    throw EngineError(
      engine: id, code: .corrupt,
      message: """
        \(file) is truncated: it has \(bytes) bytes and its newest version reaches to byte \(needed); restore it \
        from a copy
        """)
  }
}
