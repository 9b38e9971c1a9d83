// The same engine through the object store: `native-objects`. A snapshot is a live instance, a row an object, a change an
// object that is made or deleted; everything else is the engine's own session.
import EngineInterface
import MetricModel
import ObjectStore
import StorageEngine
import SystemIO

/// One open database whose rows are objects.
final class ObjectSession: EngineSession {
  private let inner: NativeSession
  private let rows: RowObjects
  private let engine: String

  init(_ inner: NativeSession, _ rows: RowObjects, engine: String) {
    self.inner = inner
    self.rows = rows
    self.engine = engine
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    do { return ObjectSnapshot(try rows.beginReading(label: label), engine) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    do { return ObjectTransaction(try rows.beginWriting(), engine) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try inner.spaceUsage() }
  func liveVersions() throws(EngineError) -> Int? { try inner.liveVersions() }
  func pins() throws(EngineError) -> [EnginePin]? { try inner.pins() }
  func makeSavepoint(_ name: String) throws(EngineError) { try inner.makeSavepoint(name) }
  func dropSavepoint(_ name: String) throws(EngineError) { try inner.dropSavepoint(name) }
  func checkpoint(_ mode: CheckpointMode) throws(EngineError) -> CheckpointOutcome {
    try inner.checkpoint(mode)
  }
  var bytesWritten: ByteCount? { inner.bytesWritten }
  func drainEvents() -> [CompactionEvent] { inner.drainEvents() }
  func compactWhileIdle() throws(EngineError) { try inner.compactWhileIdle() }
  func automaticRefusal() throws(EngineError) -> String? { try inner.automaticRefusal() }
  func automaticStage() throws(EngineError) -> AutomaticStage? { try inner.automaticStage() }
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try inner.writeCompactedCopy(to: path)
  }
  func writeCompactedCopy(to path: FilePath, underKey key: [UInt8]) throws(EngineError) {
    try inner.writeCompactedCopy(to: path, underKey: key)
  }
  func compact(underKey key: [UInt8]) throws(EngineError) -> LaunchOutcome {
    try inner.compact(underKey: key)
  }
  func close() throws(EngineError) { try inner.close() }
}

final class ObjectSnapshot: EngineSnapshot, @unchecked Sendable {
  private let reader: RowReader
  private let engine: String

  init(_ reader: RowReader, _ engine: String) {
    self.reader = reader
    self.engine = engine
  }

  deinit { reader.end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    do { return try reader.read(table, key, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    do { return try reader.scan(table, from: key, limit: limit, body) } catch {
      throw EngineError(engine: engine, error)
    }
  }

  func count(_ table: TableIndex) throws(EngineError) -> Int {
    do { return try reader.count(table) } catch { throw EngineError(engine: engine, error) }
  }

  func refresh() throws(EngineError) {
    do { try reader.refresh() } catch { throw EngineError(engine: engine, error) }
  }

  func end() { reader.end() }
}

final class ObjectTransaction: EngineTransaction {
  private let writer: RowWriter
  private let engine: String

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
