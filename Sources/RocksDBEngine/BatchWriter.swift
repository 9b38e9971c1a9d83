// The writer of a session: one write batch, used by one transaction after the other, with an index of its changes.
import CRocksDB
import EngineInterface
import MetricModel

/// Collects the changes of a transaction and writes them as one batch. Used by the thread that holds the session's writer
/// lock.
final class BatchWriter {
  private let rocks: RocksDBLibrary
  private let database: RocksDBDatabase
  private let batch: OpaquePointer
  private let writeOptions: OpaquePointer
  /// Reads the newest version.
  private let readOptions: OpaquePointer
  private var changes: [Change] = []
  /// The last change of each row, for the first so many changes.
  private var lastChanges: [Row: Int] = [:]
  private var indexedCount = 0
  /// The bytes that the transaction adds to each table's memtable.
  private var bytes: [Int]

  private struct Row: Hashable {
    var table: TableIndex
    var key: Int64
  }

  private struct Change {
    var row: Row
    /// Where the value ends in the batch, and its bytes; -1 bytes for a deletion.
    var end: Int
    var count: Int
  }

  /// The key's bytes in a file: its own and RocksDB's trailer of sequence number and kind.
  static let keyBytes = RowKey.bytes + 8
  /// As many changes are searched one by one.
  private static let maxSearched = 8

  init(_ database: RocksDBDatabase) {
    self.database = database
    rocks = database.rocks
    guard let batch = rocks.call.batchCreate(), let write = rocks.call.writeOptionsCreate(),
      let read = rocks.call.readOptionsCreate()
    else { preconditionFailure("RocksDB made no write batch.") }
    rocks.call.writeOptionsSetSync(write, database.setup.durability == .full ? 1 : 0)
    (self.batch, writeOptions, readOptions) = (batch, write, read)
    bytes = Array(repeating: 0, count: database.tables.count)
  }

  deinit {
    rocks.call.batchDestroy(batch)
    rocks.call.writeOptionsDestroy(writeOptions)
    rocks.call.readOptionsDestroy(readOptions)
  }

  @inline(__always)
  func put(
    _ table: TableIndex, _ key: Int64, _ value: UnsafeRawBufferPointer
  ) {
    let family = database.tables[table]
    RowKey(key).withBytes {
      rocks.call.batchPut(
        batch, family, $0, RowKey.bytes, value.baseAddress?.assumingMemoryBound(to: CChar.self),
        value.count)
    }
    note(Row(table: table, key: key), count: value.count)
  }

  func delete(_ table: TableIndex, _ key: Int64) {
    let family = database.tables[table]
    RowKey(key).withBytes { rocks.call.batchDelete(batch, family, $0, RowKey.bytes) }
    note(Row(table: table, key: key), count: -1)
  }

  @inline(__always)
  private func note(_ row: Row, count: Int) {
    var end = 0
    _ = rocks.call.batchData(batch, &end)
    changes.append(Change(row: row, end: end, count: count))
    bytes[row.table] += Self.keyBytes + max(0, count)
  }

  /// What the transaction did to a row.
  enum Finding {
    case unchanged
    case deleted
    /// The bytes are valid until the next change.
    case written(UnsafeRawBufferPointer)
  }

  func find(_ table: TableIndex, _ key: Int64) -> Finding {
    guard let index = lastChange(of: Row(table: table, key: key)) else { return .unchanged }
    let change = changes[index]
    if change.count < 0 { return .deleted }
    var size = 0
    let data = rocks.call.batchData(batch, &size)
    // The value is the last part of a change in the batch.
    return .written(
      UnsafeRawBufferPointer(
        start: data.map { UnsafeRawPointer($0) + change.end - change.count }, count: change.count))
  }

  /// Reads a row of the newest version.
  func readCommitted(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    try database.read(readOptions, table, key, body)
  }

  private func lastChange(of row: Row) -> Int? {
    if changes.count <= Self.maxSearched { return changes.lastIndex { $0.row == row } }
    while indexedCount < changes.count {
      lastChanges[changes[indexedCount].row] = indexedCount
      indexedCount += 1
    }
    return lastChanges[row]
  }

  /// Writes the changes, and flushes what is full by then. The changes are committed if an error comes of a flush, so that
  /// such an error is not thrown: the next commit fails.
  func write() throws(EngineError) {
    if changes.isEmpty { return }
    // Of a commit that fails it is not known whether its rows are there.
    defer { database.changes.committed(bytes: bytes) }
    try writeBatch(while: "committing")
    try? database.committed(bytes: bytes)
  }

  /// Writes the batch as it is. An empty one changes nothing, and throws the error for which RocksDB refuses writes.
  func writeBatch(while action: String) throws(EngineError) {
    try rocks.check(action) { rocks.call.write(database.handle, writeOptions, batch, $0) }
  }

  /// Forgets all changes.
  func clear() {
    if changes.isEmpty { return }
    rocks.call.batchClear(batch)
    changes.removeAll(keepingCapacity: true)
    if indexedCount > 0 {
      lastChanges.removeAll(keepingCapacity: true)
      indexedCount = 0
    }
    for table in bytes.indices { bytes[table] = 0 }
  }
}
