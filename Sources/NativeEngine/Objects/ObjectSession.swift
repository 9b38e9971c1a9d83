// The engine `native-objects`: the native engine through the object store. A row is an object, a change creates or deletes
// an object, and versions are held as programs hold them. Everything else is the native session.
import EngineInterface
import MetricModel
import ObjectStore
import StorageEngine
import SystemIO

/// One open database whose rows are objects.
final class ObjectSession: EngineSession, InstanceHolding, Migrating {
  private let inner: NativeSession
  private let database: Database
  private let names: [String]
  private let engine: String
  /// Guards what a migration changes.
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var current: RowTables
  private nonisolated(unsafe) var migrations: Int

  init(
    _ inner: NativeSession, _ database: Database, _ tables: RowTables, names: [String],
    migrations: Int, engine: String
  ) {
    self.inner = inner
    self.database = database
    current = tables
    self.names = names
    self.migrations = migrations
    self.engine = engine
  }

  private var tables: RowTables { lock.withLock { current } }

  func migrate(_ migration: RowMigration) throws(EngineError) {
    let held = try inner.pins().count
    if held > 0 { throw .snapshotsHeld(held, of: engine) }
    do throws(StorageError) {
      try lock.withLock { () throws(StorageError) in
        try RowTables.migrate(
          database, name: current.name, tables: names, after: migrations, migration)
        migrations += 1
        current = try RowTables(
          database, name: current.name, tables: names, migrations: migrations)
      }
    } catch { throw EngineError(engine: engine, error) }
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    do { return ObjectSnapshot(try tables.beginReading(label: label), engine) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func hold(_ holding: Holding, label: String) throws(EngineError) -> any EngineSnapshot {
    do throws(StorageError) {
      let snapshot: any RowSnapshot =
        switch holding {
        case .live: try LiveRows(tables, label: label)
        case .frozen: try FrozenRows(tables, label: label)
        case .block(let queue): try PooledRows(tables, queue)
        case .actor: try ActorRows(tables, label: label)
        }
      return ObjectSnapshot(snapshot, engine)
    } catch { throw EngineError(engine: engine, error) }
  }

  func observe(
    _ table: TableIndex, label: String
  ) throws(EngineError) -> any EngineObserver {
    do { return ObjectObserver(try RowObserver.observe(tables, table, label: label), engine) } catch
    {
      throw EngineError(engine: engine, error)
    }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    do { return ObjectTransaction(try tables.beginWriting(), engine) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try inner.spaceUsage() }
  var bytesWritten: ByteCount? { inner.bytesWritten }
  func drainEvents() -> [CompactionEvent] { inner.drainEvents() }
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try inner.writeCompactedCopy(to: path)
  }
  func close() throws(EngineError) { try inner.close() }

  func capability<Capability>(_ type: Capability.Type) -> Capability? {
    self as? Capability ?? inner.capability(type)
  }
}

final class ObjectSnapshot: EngineSnapshot, @unchecked Sendable {
  let rows: any RowSnapshot
  let engine: String

  init(_ rows: any RowSnapshot, _ engine: String) {
    self.rows = rows
    self.engine = engine
  }

  deinit { rows.end() }

  var pinLabel: String? { rows.label }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    do { return try rows.read(table, key, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    do { return try rows.scan(table, from: key, limit: limit, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    do { return try rows.count(table) } catch { throw EngineError(engine: engine, error) }
  }

  func refresh() throws(EngineError) {
    do { try rows.refresh() } catch { throw EngineError(engine: engine, error) }
  }

  func end() { rows.end() }
}

final class ObjectObserver: EngineObserver {
  private let observer: RowObserver
  private let engine: String

  init(_ observer: RowObserver, _ engine: String) {
    self.observer = observer
    self.engine = engine
  }

  var pinLabel: String { observer.label }

  func deliver() throws(EngineError) -> EngineDelivery {
    do throws(StorageError) {
      return switch try observer.deliver() {
      case .unchanged: .nothingNew
      case .moved: .moved
      case .called: .called
      }
    } catch { throw EngineError(engine: engine, error) }
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    do { return try observer.read(table, key, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func callbackReturns() throws(EngineError) {
    do { try observer.callbackReturns() } catch { throw EngineError(engine: engine, error) }
  }

  func end() { observer.end() }
}

final class ObjectTransaction: EngineTransaction {
  let writer: RowWriter
  let engine: String

  init(_ writer: RowWriter, _ engine: String) {
    self.writer = writer
    self.engine = engine
  }

  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    do { try writer.put(table, key, value) } catch { throw EngineError(engine: engine, error) }
  }

  func delete(_ table: TableIndex, _ key: Int64) throws(EngineError) -> Bool {
    do { return try writer.delete(table, key) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    do { return try writer.read(table, key, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func commit() throws(EngineError) {
    AddedDelay.wait()
    do { try writer.commit() } catch { throw EngineError(engine: engine, error) }
  }

  func rollBack() { writer.rollBack() }
}
