// A session and what it hands out. Thin on purpose: what is measured through it should be the engine.
import EngineInterface
import MetricModel
import StorageEngine
import SystemIO

/// One open database of ours.
final class NativeSession: EngineSession, VersionCounting, PinInspecting, SavepointStoring,
  AutomaticCompactionReporting, IdleCompacting, Rekeyable
{
  private let database: Database
  private let tables: [Table]
  private let engine: String
  /// What a copy is encrypted with: as the database is. Under the lock, since a compaction may change it.
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var key: EncryptionKey?

  init(_ database: Database, key: EncryptionKey?, tables: [Table], engine: String) {
    self.database = database
    self.key = key
    self.tables = tables
    self.engine = engine
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    do {
      return NativeSnapshot(
        try database.beginSnapshot(label: label), tables: tables, engine: engine)
    } catch { throw EngineError(engine: engine, error) }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    do {
      return NativeTransaction(try database.beginWrite(), tables: tables, engine: engine)
    } catch { throw EngineError(engine: engine, error) }
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage {
    try checkOpen()
    var usage = SpaceUsage(database.usage())
    usage.tail = ByteCount(database.tailBytes)
    return usage
  }

  func liveVersions() throws(EngineError) -> Int? {
    try checkOpen()
    return database.versions
  }

  func pins() throws(EngineError) -> [EnginePin] {
    try checkOpen()
    return database.oldestPins().map {
      EnginePin(
        label: $0.label, retained: ByteCount($0.retained), exclusive: ByteCount($0.exclusive))
    }
  }

  func makeSavepoint(_ name: String) throws(EngineError) {
    do { _ = try database.makeSavepoint(name) } catch { throw EngineError(engine: engine, error) }
  }

  func dropSavepoint(_ name: String) throws(EngineError) {
    do { try database.dropSavepoint(name) } catch { throw EngineError(engine: engine, error) }
  }

  private func checkOpen() throws(EngineError) {
    guard !database.isOpen else { return }
    throw EngineError(engine: engine, code: .failed, message: "the session is closed")
  }

  var bytesWritten: ByteCount? { ByteCount(database.bytesWritten) }

  func drainEvents() -> [CompactionEvent] { database.drainEvents().map { CompactionEvent($0) } }

  func compactWhileIdle() throws(EngineError) {
    do { _ = try database.reclaimWhileIdle() } catch { throw EngineError(engine: engine, error) }
  }

  func automaticRefusal() throws(EngineError) -> String? {
    try checkOpen()
    do {
      let state = try database.automaticState
      switch state.condition {
      case .switchedOff: return nil
      case _ where state.stage == .evacuating || state.stage == .waiting: return nil
      default: return state.condition.reportWords
      }
    } catch { throw EngineError(engine: engine, error) }
  }

  func automaticStage() throws(EngineError) -> AutomaticStage? {
    try checkOpen()
    do {
      let state = try database.automaticState
      return state.condition == .switchedOff ? nil : AutomaticStage(state.stage)
    } catch { throw EngineError(engine: engine, error) }
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    let current = lock.withLock { self.key }
    do { try database.writeCopy(to: path, encryptionKey: current) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func writeCompactedCopy(to path: FilePath, underKey key: [UInt8]) throws(EngineError) {
    do { try database.writeCopy(to: path, encryptionKey: EncryptionKey(key)) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func compact(underKey key: [UInt8]) throws(EngineError) -> LaunchOutcome {
    let key = EncryptionKey(key)
    let outcome: CompactionOutcome
    do { outcome = try database.compact(encryption: .key(key)) } catch {
      throw EngineError(engine: engine, error)
    }
    switch outcome {
    case .compacted(let before, let after, let rewritten):
      lock.withLock { self.key = key }
      return .compacted(
        before: SpaceUsage(before), after: SpaceUsage(after), rewritten: ByteCount(rewritten))
    case .skipped(let skip):
      return .skipped(SpaceUsage(database.usage()), reason: skip.description)
    }
  }

  func close() throws(EngineError) {
    do { try database.close() } catch { throw EngineError(engine: engine, error) }
  }
}

final class NativeSnapshot: EngineSnapshot, @unchecked Sendable {
  private let snapshot: Snapshot
  private let tables: [Table]
  private let engine: String

  init(_ snapshot: Snapshot, tables: [Table], engine: String) {
    self.snapshot = snapshot
    self.tables = tables
    self.engine = engine
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    do { return try snapshot.get(tables[table], key, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    do { return try snapshot.scan(tables[table], from: key, limit: limit, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    do { return try snapshot.count(tables[table]) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func refresh() throws(EngineError) {
    do { try snapshot.refresh() } catch { throw EngineError(engine: engine, error) }
  }

  func end() { snapshot.end() }
}

final class NativeTransaction: EngineTransaction {
  private let transaction: WriteTransaction
  private let tables: [Table]
  private let engine: String

  init(_ transaction: WriteTransaction, tables: [Table], engine: String) {
    self.transaction = transaction
    self.tables = tables
    self.engine = engine
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    do { try transaction.put(tables[table], key, value) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    do { return try transaction.delete(tables[table], key) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    do { return try transaction.get(tables[table], key, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func commit() throws(EngineError) {
    AddedDelay.wait()
    do { try transaction.commit() } catch { throw EngineError(engine: engine, error) }
  }

  func rollBack() { transaction.rollBack() }
}
