// The contract that every engine under test fulfils. It is about sessions and bytes; phases, clients and policies belong to
// other modules. EngineContractTests holds each adapter to it.
package import MetricModel
package import SystemIO

/// A storage engine that can be put under test.
package protocol Engine: Sendable {
  /// The name in scenarios, on the command line and in reports: `native`, `lmdb`.
  var id: String { get }
  var capabilities: EngineCapabilities { get }

  /// The name of the main file in the folder: its bytes are `SpaceUsage.file`. Empty where the engine keeps none.
  /// Sampling asks for its size by path; nothing in the process may open it while a session has it.
  var mainFile: String { get }
  /// Names of files beside it that hold data (a write-ahead log): their bytes are `SpaceUsage.sidecar`. Lock files and
  /// shared-memory indexes are not among them: they hold no data and can be made again.
  var sidecarFiles: [String] { get }

  /// Opens the database in `folder`, creating it where there is none. The folder exists and is the engine's alone.
  ///
  /// Where `options.compactOnLaunch` is given it is asked once, before anything else can see the database, with what
  /// this launch observes; `OpenedSession.launch` has the outcome.
  func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError) -> OpenedSession
}

/// How a session is to behave.
package struct SessionOptions: Sendable {
  /// The tables the session will use, by name; a table's index here is its `TableIndex`.
  package var tables: [String]
  package var durability: Durability
  /// Whether the engine's own automatic compaction runs. Refused with an error where the engine has none.
  package var automaticCompaction: Bool
  /// In which of its ways; nil for its usual one. Refused with an error where the engine does not have it.
  package var automaticPreset: AutomaticPreset?
  /// Under the preset `idle`: whether a thread of the engine does the work, or the caller, by `compactWhileIdle`.
  package var worksInBackground: Bool
  /// 64 bytes with which the file is encrypted; nil for a plain one. Refused with an error by an engine that cannot.
  package var encryptionKey: [UInt8]?
  /// Versions that may be readable at once; nil for any number. Refused with an error by an engine without such a limit.
  package var maximumVersions: Int?
  /// Bytes of address space for the file; nil for what the process gets. Refused by an engine that maps no file.
  package var maximumMappedBytes: Int?
  /// How the log beside the file is kept; nil for the engine's own way. Refused by an engine without one.
  package var log: LogSettings?
  /// How the file may grow and be cut; nil for the engine's own way. Refused by an engine without the choice.
  package var geometry: FileGeometry?
  /// Whether the file is laid out so that `shorten` can cut it. Refused by an engine that has nothing to lay out for that.
  package var isShortenable: Bool = false
  /// Milliseconds that a writer waits for the locks of others before it gives up (`busy`); nil for the engine's own way.
  /// Refused by an engine whose writers wait however long.
  package var busyTimeout: Int?
  /// Asked at open whether to compact. The space is the engine's own account at that moment.
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
  /// A commit is on disk when it returns.
  case full
  /// No commit need wait for the disk; a power loss may lose the file. Bytes are laid out as under `full`. Engines that
  /// sync here as well declare it (`EngineCapabilities.undurableSyncs`).
  case none
}

package struct OpenedSession: Sendable {
  package var session: any EngineSession
  package var launch: LaunchOutcome
  /// Where a database is divided over several files, what came of it in those behind the first, each asked by itself.
  package var launchOfOtherFiles: [LaunchOutcome] = []

  package init(session: any EngineSession, launch: LaunchOutcome) {
    self.session = session
    self.launch = launch
  }
}

/// What came of `compactOnLaunch`.
package enum LaunchOutcome: Sendable, Equatable {
  /// No callback was given.
  case notAsked
  /// A callback was given and the engine had no reason to call it, with the reason (a new database, for example).
  case notCalled(reason: String)
  case declined(SpaceUsage)
  /// `rewritten` is what the compaction wrote.
  case compacted(before: SpaceUsage, after: SpaceUsage, rewritten: ByteCount)
  case skipped(SpaceUsage, reason: String)

  /// The outcome with the space usage that the open session measures: a compaction that replaces the file by a copy only
  /// has what it wrote.
  package func completed(by session: some EngineSession) throws(EngineError) -> LaunchOutcome {
    guard case .compacted(let before, _, let rewritten) = self else { return self }
    return .compacted(before: before, after: try session.spaceUsage(), rewritten: rewritten)
  }
}

extension Engine {
  /// The lock under which one process at a time opens the database in a folder.
  package func lockOpening(of folder: FilePath) throws(EngineError) -> FolderLock {
    do throws(SystemError) {
      return try FolderLock(folder)
    } catch {
      throw EngineError(engine: id, error, while: "opening \(folder)")
    }
  }

  /// Refuses limits that the engine does not keep to, and settings of a log that it does not have.
  package func refuseLimits(_ options: SessionOptions) throws(EngineError) {
    let wanted = [
      (options.maximumVersions != nil, capabilities.versionLimit),
      (options.maximumMappedBytes != nil, capabilities.addressLimit),
      (options.log != nil, capabilities.log),
      (options.geometry != nil, capabilities.geometry),
      (options.isShortenable, capabilities.shortening),
      (options.busyTimeout != nil, capabilities.busyTimeout),
    ]
    for case (true, .notApplicable(let reason)) in wanted {
      throw EngineError(engine: id, code: .unsupported, message: "cannot be opened so: \(reason)")
    }
  }

  /// Refuses a key, for engines that do not encrypt: a file that was to be secret is not made plain.
  package func refuseKey(_ options: SessionOptions) throws(EngineError) {
    guard options.encryptionKey == nil else {
      throw EngineError(
        engine: id, code: .unsupported,
        message: "this engine does not encrypt; leave the key out, or take another engine")
    }
  }
}
