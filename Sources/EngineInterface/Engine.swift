// The contract that every engine under test fulfills. It is about sessions and bytes; phases, clients and policies belong to
// other modules. EngineContractTests holds each adapter to it.
package import MetricModel
package import SystemIO

/// A storage engine that can be put under test.
package protocol Engine: Sendable {
  /// The name in scenarios, on the command line and in reports: `native`, `lmdb`.
  var id: String { get }
  var capabilities: EngineCapabilities { get }

  /// The name of the main file in the folder, or of a folder with all files but the log where the database has many: its
  /// bytes are `SpaceUsage.file`. Empty where the engine keeps none. Sampling asks for its size by path; nothing in the
  /// process may open it while a session has it.
  var mainFile: String { get }
  /// Names of files or folders beside it that hold data (a write-ahead log): their bytes are `SpaceUsage.sidecar`. Lock
  /// files and shared-memory indexes are not among them: they hold no data and can be made again.
  var sidecarFiles: [String] { get }

  /// Opens the database in `folder`, creating it where there is none. The folder exists and is the engine's alone.
  ///
  /// Where `options.compactOnLaunch` is given it is asked once, before anything else can see the database, with what
  /// this launch observes; `OpenedSession.launch` has the outcome.
  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession

  /// Returns why the engine cannot have these tables in one database; nil if it can. `shapes` are by the table's index, nil
  /// for rows of bytes. Opening would fail with the same reason.
  func unsupportedReason(tables: [String], shapes: [RowShape?]) -> String?
}

extension Engine {
  package func unsupportedReason(tables: [String], shapes: [RowShape?]) -> String? { nil }
}

/// The settings with which a session is opened.
package struct SessionOptions: Sendable {
  /// The tables the session will use, by name; a table's index here is its `TableIndex`.
  package var tables: [String]
  package var durability: Durability
  /// Whether the engine's own automatic compaction runs. Refused with an error by engines that have none.
  package var automaticCompaction: Bool
  /// The preset of automatic compaction; nil for the engine's default. Refused with an error by engines that do not have
  /// it.
  package var automaticPreset: AutomaticPreset?
  /// The thresholds of automatic compaction; nil for the engine's own. Refused with an error by engines where they are fixed.
  package var automaticThresholds: AutomaticThresholds?
  /// Under the preset `idle`: whether a thread of the engine compacts, or the caller by `compactWhileIdle`.
  package var worksInBackground: Bool
  /// The key of 64 bytes with which the file is encrypted; nil for a plain file. Refused with an error by engines that do
  /// not encrypt.
  package var encryptionKey: [UInt8]?
  /// The maximum number of readable versions; nil for no limit. Refused with an error by engines without such a limit.
  package var maximumVersions: Int?
  /// The maximum address space for the file, in bytes; nil for no limit but the process's. Refused by engines that map no
  /// file.
  package var maximumMappedBytes: Int?
  /// Settings of the log beside the file; nil for the engine's default. Refused by engines without a log.
  package var log: LogSettings?
  /// How the file grows and shrinks; nil for the engine's default. Refused by engines that offer no choice.
  package var geometry: FileGeometry?
  /// Whether the file has the layout that `shorten` requires. Refused by engines without such a layout.
  package var isShortenable: Bool = false
  /// The milliseconds for which a writer waits for the locks of others before it fails with `busy`; nil for the engine's
  /// default. Refused by engines whose writers wait without limit.
  package var busyTimeout: Int?
  /// What the rows of each table have besides their bytes, by the table's index; empty where no table has a shape. Refused by
  /// engines without objects of their own.
  package var shapes: [RowShape?] = []
  /// The migrations of the tables before this opening, oldest first. Of no effect on engines whose rows have no names.
  package var migrations: [RowMigration] = []
  /// Called on the thread of a commit after the checkpoint that it made, with the times of the machine's clock at which the
  /// checkpoint began and ended. Of no effect on engines whose commits make none.
  package var onCheckpoint: (@Sendable (_ begin: UInt64, _ end: UInt64) -> Void)?
  /// Called on the thread of a commit that the engine slowed or stopped because its own compaction or flushes were behind, with
  /// the times at which the commit began and ended. Of no effect on engines that do not.
  package var onStall: (@Sendable (_ begin: UInt64, _ end: UInt64) -> Void)?
  /// Called once while the database is opened; returns whether to compact it. The argument is the engine's own space
  /// account.
  package var compactOnLaunch: (@Sendable (SpaceUsage) -> Bool)?

  package init(
    tables: [String], durability: Durability = .none, automaticCompaction: Bool = false,
    automaticPreset: AutomaticPreset? = nil, worksInBackground: Bool = false,
    encryptionKey: [UInt8]? = nil,
    compactOnLaunch: (@Sendable (SpaceUsage) -> Bool)? = nil
  ) {
    self.tables = tables
    self.durability = durability
    self.automaticCompaction = automaticCompaction
    self.automaticPreset = automaticPreset
    self.worksInBackground = worksInBackground
    self.encryptionKey = encryptionKey
    self.compactOnLaunch = compactOnLaunch
  }
}

package enum Durability: String, Sendable, Codable, CaseIterable {
  /// A commit is on disk when `commit` returns.
  case full
  /// Commits need not wait for the disk, and a power loss may lose the file. The layout of the file is as under `full`.
  /// Engines whose commits sync nevertheless declare it (`EngineCapabilities.undurableSyncs`).
  case none
}

package struct OpenedSession: Sendable {
  package var session: any EngineSession
  package var launch: LaunchOutcome
  /// The outcomes of `compactOnLaunch` in the other files of a database that is divided over several; the callback is
  /// called for each.
  package var launchOfOtherFiles: [LaunchOutcome] = []

  package init(session: any EngineSession, launch: LaunchOutcome) {
    self.session = session
    self.launch = launch
  }
}

/// The outcome of `compactOnLaunch`.
package enum LaunchOutcome: Sendable, Equatable {
  /// No callback was given.
  case notAsked
  /// A callback was given, and the engine did not call it for this reason (a new database, for example).
  case notCalled(reason: String)
  case declined(SpaceUsage)
  /// `rewritten` is what the compaction wrote.
  case compacted(before: SpaceUsage, after: SpaceUsage, rewritten: ByteCount)
  case skipped(SpaceUsage, reason: String)

  /// Returns the outcome with the space usage that the open session measures. A compaction that replaces the file by a copy
  /// has measured only what it wrote.
  package func completed(by session: some EngineSession) throws(EngineError) -> LaunchOutcome {
    guard case .compacted(let before, _, let rewritten) = self else { return self }
    return .compacted(before: before, after: try session.spaceUsage(), rewritten: rewritten)
  }
}

extension Engine {
  /// Returns the lock under which one process at a time opens the database in a folder.
  package func lockOpening(of folder: FilePath) throws(EngineError) -> FolderLock {
    do throws(SystemError) {
      return try FolderLock(folder)
    } catch {
      throw EngineError(engine: id, error, while: "opening \(folder)")
    }
  }

  /// Throws if the options contain limits, log settings or a way of automatic compaction that the engine does not support.
  package func refuseLimits(_ options: SessionOptions) throws(EngineError) {
    let presets = capabilities.automaticPresets
    if let preset = options.automaticPreset, !presets.contains(preset) {
      let others = presets.isEmpty ? "none" : presets.map(\.rawValue).joined(separator: ", ")
      throw EngineError(
        engine: id, code: .unsupported,
        message: "no automatic compaction is named \(preset.rawValue) here; name \(others)")
    }
    let wanted = [
      (options.automaticThresholds != nil, capabilities.automaticThresholds),
      (options.maximumVersions != nil, capabilities.versionLimit),
      (options.maximumMappedBytes != nil, capabilities.addressLimit),
      (options.log != nil, capabilities.log),
      (options.geometry != nil, capabilities.geometry),
      (options.isShortenable, capabilities.shortening),
      (options.busyTimeout != nil, capabilities.busyTimeout),
      (options.shapes.contains { $0 != nil }, capabilities.shapes),
    ]
    for case (true, .notApplicable(let reason)) in wanted {
      throw EngineError(engine: id, code: .unsupported, message: "cannot be opened so: \(reason)")
    }
  }

  /// Throws if the options contain a key. For engines that do not encrypt, so that no database is written in plain by
  /// mistake.
  package func refuseKey(_ options: SessionOptions) throws(EngineError) {
    guard options.encryptionKey == nil else {
      throw EngineError(
        engine: id, code: .unsupported,
        message: "this engine does not encrypt; leave the key out, or take another engine")
    }
  }
}
