// A session: the instances of one database, their users, and its end.
import EngineInterface
import FileFormats
import MetricModel
import SystemIO

/// One process's open Realm.
final class RealmCoreSession: EngineSession, VersionCounting, VersionHolding,
  AutomaticCompactionReporting, Rekeyable, Migrating, @unchecked Sendable
{
  private let file: FilePath

  /// Guards what follows.
  private let lifecycle = ThreadMutex()
  /// An instance that has the database open and reads nothing, so that it holds no version.
  private var keeper: RealmInstance?
  private var heldSnapshots = 0
  private var openWrites = 0
  private var history: RealmCompactionHistory
  private var configuration: RealmConfiguration
  private var currentTables: [RealmTable]

  /// Held during a write transaction: Realm Core's own write lock lets a waiting thread sleep for up to half a second
  /// (db.cpp).
  private let writing = ThreadMutex()

  /// `earlier` is what the file's books said before it was opened.
  init(
    _ configuration: RealmConfiguration, keeper: RealmInstance, tables: [RealmTable],
    earlier: RealmBooks?
  ) {
    self.configuration = configuration
    self.keeper = keeper
    currentTables = tables
    file = configuration.path
    history = RealmCompactionHistory(
      configuration.path, isSilent: !configuration.tellsBooks,
      earlier: earlier)
  }

  private var tables: [RealmTable] { lifecycle.withLock { currentTables } }

  private var key: [UInt8]? { lifecycle.withLock { configuration.options.encryptionKey } }

  private var tellsBooks: Bool { lifecycle.withLock { configuration.tellsBooks } }

  private func checkOpen() throws(EngineError) {
    if lifecycle.withLock({ keeper == nil }) { throw .realmClosed }
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    try beginSnapshot(isFrozen: false)
  }

  /// A frozen instance where that is asked for: unlike a live one it keeps no history of the changes since its version.
  func hold(_ holding: Holding, label: String) throws(EngineError) -> any EngineSnapshot {
    if case .frozen = holding { return try beginSnapshot(isFrozen: true) }
    return try beginSnapshot(isFrozen: false)
  }

  private func beginSnapshot(isFrozen: Bool) throws(EngineError) -> RealmCoreSnapshot {
    try lifecycle.withLock { () throws(EngineError) in
      if keeper == nil { throw .realmClosed }
      heldSnapshots += 1
    }
    do throws(EngineError) {
      return RealmCoreSnapshot(try reader(isFrozen: isFrozen), isFrozen: isFrozen, tables, self)
    } catch {
      snapshotEnded()
      throw error
    }
  }

  /// An instance at the newest version. Opening alone, or freezing, reads nothing, and would hold no version.
  func reader(isFrozen: Bool = false) throws(EngineError) -> RealmInstance {
    let live = try RealmInstance(lifecycle.withLock { configuration })
    try live.beginRead()
    if !isFrozen { return live }
    defer { live.close() }
    let frozen = try RealmInstance(frozen: live)
    try frozen.beginRead()
    return frozen
  }

  func snapshotEnded() { lifecycle.withLock { heldSnapshots -= 1 } }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    try lifecycle.withLock { () throws(EngineError) in
      if keeper == nil { throw .realmClosed }
      openWrites += 1
    }
    writing.lock()
    do throws(EngineError) {
      let instance = try RealmInstance(lifecycle.withLock { configuration })
      try instance.realm.check(
        instance.realm.call.beginWrite(instance.handle), "beginning a write transaction")
      return RealmCoreTransaction(instance, tables, self)
    } catch {
      writeEnded()
      throw error
    }
  }

  /// The transaction's instance is closed by now: it would stay at the version that it left, and hold that back.
  func writeEnded(notices: [RealmCoreNotice] = []) {
    happened(notices)
    writing.unlock()
    lifecycle.withLock { openWrites -= 1 }
  }

  func happened(_ notices: [RealmCoreNotice]) {
    lifecycle.withLock { history.happened(notices) }
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage {
    try checkOpen()
    do throws(SystemError) {
      let bytes = try FileSystem.size(of: file).bytes
      guard tellsBooks, let books = try RealmFile(file).books() else {
        return SpaceUsage(file: ByteCount(bytes))
      }
      let oldest = try versions(newest: books.version).min() ?? books.version
      var usage = books.usage(oldest: oldest)
      usage.tail = ByteCount(max(0, bytes - books.logicalSize))
      return usage
    } catch {
      throw EngineError(engine: realmCoreID, error, while: "measuring space")
    }
  }

  func liveVersions() throws(EngineError) -> Int? {
    try checkOpen()
    do throws(SystemError) {
      return try lockFile()?.versions()?.count
    } catch {
      throw EngineError(engine: realmCoreID, error, while: "counting versions")
    }
  }

  private func versions(newest: Int) throws(SystemError) -> Set<Int> {
    try lockFile()?.versions() ?? [newest]
  }

  private func lockFile() throws(SystemError) -> RealmLockFile? {
    try RealmLockFile(FilePath(file.string + ".lock"))
  }

  /// Realm Core counts nothing of what it writes.
  var bytesWritten: ByteCount? { nil }

  func drainEvents() -> [CompactionEvent] { lifecycle.withLock { history.drain() } }

  func automaticStage() throws(EngineError) -> AutomaticStage? {
    try checkOpen()
    return lifecycle.withLock { history.stage }
  }

  func automaticRefusal() throws(EngineError) -> String? {
    try checkOpen()
    if !tellsBooks { return nil }
    do throws(SystemError) {
      guard let books = try RealmFile(file).books() else { return nil }
      let oldest = try versions(newest: books.version).min() ?? books.version
      return books.refusal(oldest: oldest)
    } catch {
      throw EngineError(engine: realmCoreID, error, while: "looking after automatic compaction")
    }
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try writeCopy(to: path, key: key)
  }

  func writeCompactedCopy(to path: FilePath, underKey key: [UInt8]) throws(EngineError) {
    try writeCopy(to: path, key: key)
  }

  private func writeCopy(to path: FilePath, key: [UInt8]?) throws(EngineError) {
    try checkOpen()
    if FileSystem.exists(path) {
      throw .copyExists(path, of: realmCoreID)
    }
    let instance = try reader()
    defer { instance.close() }
    let draft = RealmDraft(FilePath(path.string + ".writing"))
    defer { try? draft.remove() }
    try instance.convert(to: draft, key: key)
    do throws(SystemError) {
      try FileSystem.inheritAccess(of: file, to: draft.path, as: .copy)
      try FileSystem.rename(draft.path, to: path)
    } catch {
      throw EngineError(engine: realmCoreID, error, while: "writing a compacted copy to \(path)")
    }
  }

  /// Why the open database is not compacted.
  private static func held(_ count: Int) -> String {
    count == 1 ? "1 snapshot is held" : "\(count) snapshots are held"
  }

  /// Compacts the open database without asking the launch callback, as a program may at any time. Skipped while another
  /// instance uses it.
  func compact() throws(EngineError) -> LaunchOutcome {
    let before = try spaceUsage()
    writing.lock()
    defer { writing.unlock() }
    let (did, held) = try lifecycle.withLock { () throws(EngineError) in
      if keeper == nil { throw .realmClosed }
      _ = RealmCoreLog.shared.take()
      let rights = try? FileAccessRights(of: file)
      let did = try RealmInstance(configuration).compact()
      if did, let rights { try giveBack(rights) }
      history.happened(RealmCoreLog.shared.take())
      return (did, heldSnapshots)
    }
    if !did {
      return .skipped(
        before,
        reason: held > 0 ? Self.held(held) : "another session or process has it open")
    }
    let after = try spaceUsage()
    return .compacted(before: before, after: after, rewritten: after.file)
  }

  /// Realm Core's compaction leaves a file that everyone may read.
  private func giveBack(_ rights: FileAccessRights) throws(EngineError) {
    do throws(SystemError) { try FileSystem.give(rights, to: file) } catch {
      throw EngineError(engine: realmCoreID, error, while: "compacting \(file)")
    }
  }

  func compact(underKey key: [UInt8]) throws(EngineError) -> LaunchOutcome {
    let before = try spaceUsage()
    writing.lock()
    defer { writing.unlock() }
    let refusal = try lifecycle.withLock { () throws(EngineError) -> String? in
      guard keeper != nil else { throw .realmClosed }
      if heldSnapshots > 0 { return Self.held(heldSnapshots) }
      let change = RealmKeyChange(configuration, key: key)
      let copied = try change.copy()
      // The next opening, in any process, begins anew: so it must not be open.
      keeper = nil
      let refusal: String?
      do throws(EngineError) {
        refusal = try change.replace(copied)
        if refusal == nil {
          configuration = try change.changed()
          history.isSilent = true
        }
      } catch {
        keeper = try RealmInstance(configuration)
        throw error
      }
      keeper = try RealmInstance(configuration)
      return refusal
    }
    if let refusal { return .skipped(before, reason: refusal) }
    let after = try spaceUsage()
    return .compacted(before: before, after: after, rewritten: after.file)
  }

  /// Opens the database anew with the next version of the schema, as an app's next version does.
  func migrate(_ migration: RowMigration) throws(EngineError) {
    writing.lock()
    defer { writing.unlock() }
    try lifecycle.withLock { () throws(EngineError) in
      guard keeper != nil else { throw .realmClosed }
      if heldSnapshots > 0 { throw .snapshotsHeld(heldSnapshots, of: realmCoreID) }
      var options = configuration.options
      let block = RealmMigration(
        configuration.realm, options.tables, migration, after: options.migrations.count)
      options.migrations.append(migration)
      keeper = nil
      do throws(EngineError) {
        _ = RealmCoreLog.shared.take()
        let migrating = try RealmConfiguration(
          configuration.realm, configuration.path, options, migration: block)
        try RealmInstance(migrating).close()
        history.happened(RealmCoreLog.shared.take())
        configuration = try RealmConfiguration(
          configuration.realm, configuration.path, options)
      } catch {
        keeper = try RealmInstance(configuration)
        throw block.failure ?? error
      }
      keeper = try RealmInstance(configuration)
      currentTables = try RealmInstance(configuration).tables(options)
    }
  }

  func close() throws(EngineError) {
    try lifecycle.withLock { () throws(EngineError) in
      if keeper == nil { return }
      if heldSnapshots > 0 {
        throw .snapshotsHeld(heldSnapshots, of: realmCoreID)
      }
      if openWrites > 0 {
        throw .writeUnderWay(of: realmCoreID)
      }
      // The database closes with the last of its instances.
      keeper = nil
    }
  }
}
