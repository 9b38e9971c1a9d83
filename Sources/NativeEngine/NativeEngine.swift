// The adapter for our own engine, once for each way in which it reclaims space: what it is and how a session opens.
package import EngineInterface
package import MetricModel
import ObjectStore
import StorageEngine
package import SystemIO

/// The storage engine of this package under test.
package struct NativeEngine: Engine {
  private let reclamation: DatabaseOptions.Reclamation
  private var usesObjects = false

  /// `native`: a block is reusable as soon as no registered snapshot sees it.
  package static let exact = NativeEngine(reclamation: .exact)
  /// `native-oldest-reader`: a freed block waits for the oldest snapshot, whether or not that sees it.
  package static let oldestReader = NativeEngine(reclamation: .oldestReader)

  /// `native-objects`: as `native`, with each row an object of the object store.
  package static let objects = NativeEngine(reclamation: .exact, usesObjects: true)

  package static let exactEntry = entry(.native, exact)
  package static let oldestReaderEntry = entry(.nativeOldestReader, oldestReader)
  package static let objectsEntry = entry(.nativeObjects, objects)

  private static func entry(_ id: EngineIdentifier, _ engine: NativeEngine) -> EngineEntry {
    EngineEntry(id, declared: engine.capabilities) { () throws(LibraryAbsence) in engine }
  }

  package var id: String {
    let identifier: EngineIdentifier =
      switch reclamation {
      case .exact: usesObjects ? .nativeObjects : .native
      case .oldestReader: .nativeOldestReader
      }
    return identifier.rawValue
  }

  package let mainFile = "data.native"
  package let sidecarFiles: [String] = []

  package var capabilities: EngineCapabilities {
    let rule =
      switch reclamation {
      case .exact: "exact reclamation"
      case .oldestReader: "oldest-reader reclamation"
      }
    var capabilities = EngineCapabilities(
      summary: usesObjects
        ? "`native` through the Realm-shaped API: rows as objects, versions held as programs hold them"
        : "copy-on-write B+tree with blocks of variable size in one file, \(rule)",
      version: "file format \(Database.formatVersion)"
        + (AddedDelay.nanoseconds > 0
          ? ", \(AddedDelay.nanoseconds) ns added to each commit for a test" : ""),
      accounting: .exact,
      never: .supported(by: "automatic compaction is switched off"),
      automatic: .supported(
        by: "moves blocks below a limit within commits once free space is more than twice the used "
          + "space and the file has 1 MiB, then cuts the file"),
      automaticPresets: [.documented, .realmCompatible, .eager, .idle],
      onLaunch: .supported(by: "a compacted copy, synced and renamed over the file"),
      otherProcesses: .supported(
        by: "a lock file with a reader table; a dead process's places are freed by the next commit"),
      otherOpenings: .supported(by: "as other processes: openings share nothing but the files"),
      savepoints: .supported(by: "a version kept by name in the commit record"),
      encryption: .supported(by: "AES-256-GCM over units of 2 KiB"))
    capabilities.automaticThresholds = .supported(by: "AutomaticCompaction, in every mode")
    capabilities.versionLimit = .supported(by: "maximumNumberOfActiveVersions")
    capabilities.addressLimit = .supported(by: "maximumMappedBytes")
    if usesObjects {
      capabilities.shapes = .supported(
        by: "links, lists, embedded objects and indexes of the object store")
    }
    capabilities.settings = EngineCapabilities.Setting.ofNative
    return capabilities
  }

  package func open(
    _ folder: FilePath, _ options: SessionOptions
  ) throws(EngineError) -> OpenedSession {
    try refuseLimits(options)
    var native = DatabaseOptions(reclamation: reclamation)
    native.durability =
      switch options.durability {
      case .full: .full
      case .none: .none
      }
    switch options.automaticPreset {
    case .realmCompatible?: native.takeRealmCompatible()
    case let preset?: native.automaticCompaction = AutomaticCompaction(preset)
    case nil: break
    }
    if let thresholds = options.automaticThresholds {
      native.automaticCompaction = native.automaticCompaction?.with(thresholds)
    }
    if options.automaticPreset == .idle, options.worksInBackground {
      native.idleCompaction = IdleCompaction()
    }
    native.maximumNumberOfActiveVersions = options.maximumVersions
    native.maximumMappedBytes = options.maximumMappedBytes
    native.encryptionKey = options.encryptionKey.map { EncryptionKey($0) }
    if !options.automaticCompaction { native.automaticCompaction = nil }
    do throws(StorageError) {
      let database = try Database.open(
        path: folder.appending(mainFile), options: native,
        compactOnLaunch: options.compactOnLaunch.map { wanted in
          { wanted(SpaceUsage($0.account)) }
        })
      let tables = usesObjects ? [] : try Self.openTables(options.tables, database)
      let plain = NativeSession(database, key: native.encryptionKey, tables: tables, engine: id)
      let session: any EngineSession =
        usesObjects
        ? ObjectSession(
          plain, database,
          try RowTables(
            database, name: mainFile, tables: options.tables, shapes: options.shapes,
            migrations: options.migrations.count),
          names: options.tables, migrations: options.migrations.count, engine: id)
        : plain
      return OpenedSession(session: session, launch: LaunchOutcome(database.launchOutcome))
    } catch {
      throw EngineError(engine: id, error)
    }
  }

  package func unsupportedReason(tables: [String], shapes: [RowShape?]) -> String? {
    usesObjects ? RowTables.unsupportedReason(tables, shapes) : nil
  }

  /// The tables by their index; those that are missing are made in one commit.
  private static func openTables(
    _ names: [String], _ database: Database
  ) throws(StorageError) -> [Table] {
    let snapshot = try database.beginSnapshot(label: "opening tables")
    let known = names.map { snapshot.table($0) }
    snapshot.end()
    if known.allSatisfy({ $0 != nil }) { return known.compactMap(\.self) }
    let transaction = try database.beginWrite()
    var tables: [Table] = []
    for name in names { tables.append(try transaction.table(name)) }
    try transaction.commit()
    return tables
  }
}
