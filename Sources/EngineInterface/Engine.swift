// The contract that every engine under test fulfils. Engines know sessions and bytes; phases, clients and policies are
// other rooms' words. EngineContractTests holds each adapter to it.
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
  /// this launch observes; `OpenedSession.launch` tells what came of it.
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
  /// How the file may grow and be cut; nil for the engine's own way. Refused by an engine that lets nobody choose.
  package var geometry: FileGeometry?
  /// Whether the file is laid out so that `shorten` can cut it. Refused by an engine that has nothing to lay out for that.
  package var isShortenable: Bool = false
  /// Milliseconds that a writer waits for the locks of others before it gives up (`busy`); nil for the engine's own way.
  /// Refused by an engine whose writers wait however long.
  package var patience: Int?
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

  /// With what the session that is open now finds, since a compaction that puts a copy in the file's place knows what it
  /// wrote, and not what the file is.
  package func completed(by session: some EngineSession) throws(EngineError) -> LaunchOutcome {
    guard case .compacted(let before, _, let rewritten) = self else { return self }
    return .compacted(before: before, after: try session.spaceUsage(), rewritten: rewritten)
  }
}

package typealias TableIndex = Int

/// One process's open database. Safe to use from many threads unless a member says otherwise.
package protocol EngineSession: AnyObject, Sendable {
  /// Begins a read transaction on the newest committed version. `label` names the holder in diagnostics.
  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot

  /// Whether `hold` and `observe` do as programs of the engine's own API do. Otherwise holding is `beginSnapshot`, and
  /// there are no observers.
  var holdsByInstances: Bool { get }

  /// Holds the newest version in that way.
  func hold(_ holding: Holding, label: String) throws(EngineError) -> any EngineSnapshot

  /// An observer of the table, which holds the newest version from now on; nil where the engine has none.
  func observe(_ table: TableIndex, label: String) throws(EngineError) -> (any EngineObserver)?

  /// Begins the one write transaction, waiting for another to end. It must end on the thread that began it.
  func beginWrite() throws(EngineError) -> any EngineTransaction

  /// Where the bytes are now, as of the newest commit. Not within a write transaction of the calling thread.
  func spaceUsage() throws(EngineError) -> SpaceUsage

  /// Versions kept readable, the newest among them; nil where the engine cannot tell.
  func liveVersions() throws(EngineError) -> Int?

  /// Who keeps what from being used again, oldest version first; nil where the engine cannot tell.
  func pins() throws(EngineError) -> [EnginePin]?

  /// Looks for readers whose process is dead and frees their places; answers how many there were. nil where the engine
  /// never waits to be asked.
  func freeDeadReaders() throws(EngineError) -> Int?

  /// Keeps the newest version by name, over closing, until it is dropped. Refused (`unsupported`) where there is no such
  /// thing.
  func makeSavepoint(_ name: String) throws(EngineError)

  /// Lets go of the version kept by that name.
  func dropSavepoint(_ name: String) throws(EngineError)

  /// Moves what the log holds into the file, as far as `mode` goes, and waits for no reader. Not within a write
  /// transaction of the calling thread. Refused (`unsupported`) where there is no log.
  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome

  /// Bytes that the engine handed to the operating system since it was opened; nil where it cannot tell.
  var bytesWritten: ByteCount? { get }

  /// Compactions begun, ended, given up since the last call, oldest first. Launch compaction is not among them.
  func drainEvents() -> [CompactionEvent]

  /// Why automatic compaction is not at work now, with the values that decide; nil where it is, or was not asked for.
  func automaticRefusal() throws(EngineError) -> String?

  /// Nobody writes: goes on with automatic compaction until nothing is left to do or something stands in the way. Only
  /// called under the preset `idle`, in the thread that would write.
  func compactWhileIdle() throws(EngineError)

  /// Has the engine shorten the file now, by so much at most; nil for as much as it can. nil where it cannot be asked.
  /// Not within a write transaction of the calling thread.
  func shorten(by most: ByteCount?) throws(EngineError) -> Shortening?

  /// How full the pages of each table are.
  func pageStatistics() throws(EngineError) -> PageStatistics

  /// What automatic compaction is doing; nil where the engine has no states, or was not asked for it.
  func automaticStage() throws(EngineError) -> AutomaticStage?

  /// Writes a compacted copy to `path`, which must not exist; its size is a measure of the live data.
  func writeCompactedCopy(to path: FilePath) throws(EngineError)

  /// The same, encrypted under that key, whatever the database's is. Refused (`unsupported`) where nothing is encrypted.
  func writeCompactedCopy(to path: FilePath, underKey key: [UInt8]) throws(EngineError)

  /// Puts a compacted copy under that key in the place of the open file: from then on it is the database's key. Answers
  /// `compacted`, or `skipped` with the reason. Refused (`unsupported`) where nothing is encrypted.
  func compact(underKey key: [UInt8]) throws(EngineError) -> LaunchOutcome

  /// Ends the session. Snapshots still held are an error (`snapshotsHeld`) and the session stays open.
  func close() throws(EngineError)
}

/// A read transaction: one version, pinned until `end`. Used by one thread at a time; may move between threads.
package protocol EngineSnapshot: EngineRows {
  /// Gives up to `limit` rows in key order from `key` on; answers how many there were.
  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int

  /// How many rows the table has in this version.
  func count(_ table: TableIndex) throws(EngineError) -> Int

  /// Moves to the newest version, as ending and beginning again would.
  func refresh() throws(EngineError)

  /// Ends the read transaction. Again is nothing.
  func end()

  /// What `pins()` calls it; nil for the label that it was begun with.
  var pinLabel: String? { get }
}

/// The write transaction. Used by the thread that began it.
package protocol EngineTransaction: AnyObject {
  /// Inserts the row or replaces it.
  func put(_ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer) throws(EngineError)

  /// Deletes the row; answers whether there was one.
  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool

  /// Ends the transaction with its changes visible, and durable under `Durability.full`. After an error it has ended
  /// without them.
  func commit() throws(EngineError)

  /// Ends the transaction without its changes. Again, or after `commit`, is nothing.
  func rollBack()
}

/// A pin and what is kept for it, exactly.
package struct EnginePin: Sendable, Equatable {
  /// What `beginSnapshot` was given, or the snapshot's `pinLabel`.
  package var label: String
  /// Kept for this pin: with others, and for it alone. Ending it frees the latter.
  package var retained: ByteCount
  package var exclusive: ByteCount

  package init(label: String, retained: ByteCount, exclusive: ByteCount) {
    self.label = label
    self.retained = retained
    self.exclusive = exclusive
  }
}

extension EngineSession {
  package func pins() throws(EngineError) -> [EnginePin]? { nil }
  package func freeDeadReaders() throws(EngineError) -> Int? { nil }

  package func makeSavepoint(_ name: String) throws(EngineError) { try refuseSavepoint(name) }
  package func dropSavepoint(_ name: String) throws(EngineError) { try refuseSavepoint(name) }

  private func refuseSavepoint(_ name: String) throws(EngineError) {
    throw EngineError(
      engine: "\(Self.self)", code: .unsupported,
      message: "savepoint \(name): this engine has no savepoints; leave them out, or take another")
  }

  package func writeCompactedCopy(to path: FilePath, underKey key: [UInt8]) throws(EngineError) {
    try refuseKeyChange()
  }

  package func compact(underKey key: [UInt8]) throws(EngineError) -> LaunchOutcome {
    try refuseKeyChange()
    return .notAsked
  }

  private func refuseKeyChange() throws(EngineError) {
    throw EngineError(
      engine: "\(Self.self)", code: .unsupported,
      message: "another key: this engine does not encrypt; leave it out, or take another")
  }

  package func automaticRefusal() throws(EngineError) -> String? { nil }
  package func automaticStage() throws(EngineError) -> AutomaticStage? { nil }
  package func compactWhileIdle() throws(EngineError) {}
}

extension Engine {
  /// Refuses limits that the engine does not keep to, and settings of a log that it does not have.
  package func refuseLimits(_ options: SessionOptions) throws(EngineError) {
    let wanted = [
      (options.maximumVersions != nil, capabilities.versionLimit),
      (options.maximumMappedBytes != nil, capabilities.addressLimit),
      (options.log != nil, capabilities.log),
      (options.geometry != nil, capabilities.geometry),
      (options.isShortenable, capabilities.shortening),
      (options.patience != nil, capabilities.patience),
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
