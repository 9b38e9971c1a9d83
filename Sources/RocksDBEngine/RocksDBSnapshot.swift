// Read transactions. A snapshot of RocksDB retains row versions and no file; an iterator retains every file and memtable that
// it was created over.
import CRocksDB
import EngineInterface

/// One pinned version.
final class RocksDBSnapshot: EngineSnapshot, @unchecked Sendable {
  private let rocks: RocksDBLibrary
  private let session: RocksDBSession
  /// The session's number for it.
  private let pin: Int
  /// With the database, which must not stay open for a snapshot that has ended.
  private var pinned: PinnedVersion?
  /// By table: the iterator of the last scan, kept for the next as programs keep theirs.
  private var iterators: [TableIndex: OpaquePointer] = [:]

  init(_ pinned: PinnedVersion, session: RocksDBSession, pin: Int) {
    rocks = pinned.database.rocks
    self.session = session
    self.pin = pin
    self.pinned = pinned
  }

  deinit { end() }

  func read(
    _ table: TableIndex, _ key: Int64, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let pinned = open
    return try pinned.database.read(pinned.readOptions, table, key, body)
  }

  func scan(
    _ table: TableIndex, from key: Int64, limit: Int,
    _ body: (Int64, UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Int {
    let iterator = iterator(table)
    RowKey(key).withBytes { rocks.call.iteratorSeek(iterator, $0, RowKey.bytes) }
    var seen = 0
    while seen < limit, rocks.call.iteratorValid(iterator) != 0 {
      var bytes = 0
      guard let found = rocks.call.iteratorKey(iterator, &bytes) else { break }
      let value = rocks.call.iteratorValue(iterator, &bytes)
      body(RowKey.key(at: found), UnsafeRawBufferPointer(start: value, count: bytes))
      seen += 1
      if seen < limit { rocks.call.iteratorNext(iterator) }
    }
    try rocks.check("scanning") { rocks.call.iteratorError(iterator, $0) }
    return seen
  }

  /// RocksDB has an estimate of the number of rows, and counts them by reading all.
  func count(_ table: TableIndex) throws(EngineError) -> Int {
    var count = 0
    let database = open.database
    try database.forEachRow(of: database.tables[table], open.readOptions) { _, _ in count += 1 }
    return count
  }

  func refresh() throws(EngineError) {
    dropIterators()
    pinned = try session.renew(open, pin: pin)
  }

  func end() {
    guard let pinned else { return }
    dropIterators()
    self.pinned = nil
    session.end(pinned, pin: pin)
  }

  private var open: PinnedVersion {
    guard let pinned else { preconditionFailure("A snapshot was used after its end.") }
    return pinned
  }

  private func iterator(_ table: TableIndex) -> OpaquePointer {
    if let kept = iterators[table] { return kept }
    let database = open.database
    let made = database.makeIterator(database.tables[table], open.readOptions)
    iterators[table] = made
    return made
  }

  private func dropIterators() {
    for iterator in iterators.values { rocks.call.iteratorDestroy(iterator) }
    iterators = [:]
  }
}

/// A snapshot of RocksDB with the options by which it is read.
struct PinnedVersion {
  let database: RocksDBDatabase
  var snapshot: OpaquePointer
  var readOptions: OpaquePointer
  /// The number of the last change in it.
  var version: Int
}

extension RocksDBDatabase {
  /// A point read, the same in snapshots and write transactions.
  @inline(__always)
  func read(
    _ readOptions: OpaquePointer, _ table: TableIndex, _ key: Int64,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    let call = rocks.call
    let slice = try rocks.check("reading a row") { failure in
      RowKey(key).withBytes {
        call.getPinned(handle, readOptions, tables[table], $0, RowKey.bytes, failure)
      }
    }
    guard let slice else { return false }
    var bytes = 0
    let value = call.pinnedValue(slice, &bytes)
    body(UnsafeRawBufferPointer(start: value, count: bytes))
    call.pinnedDestroy(slice)
    return true
  }

  func makeIterator(_ family: OpaquePointer, _ readOptions: OpaquePointer) -> OpaquePointer {
    guard let iterator = rocks.call.createIterator(handle, readOptions, family) else {
      preconditionFailure("RocksDB made no iterator.")
    }
    return iterator
  }

  /// Calls `body` with the bytes of each row's key and value.
  func forEachRow(
    of family: OpaquePointer, _ readOptions: OpaquePointer, _ body: (Int, Int) -> Void
  ) throws(EngineError) {
    let iterator = makeIterator(family, readOptions)
    defer { rocks.call.iteratorDestroy(iterator) }
    rocks.call.iteratorSeekToFirst(iterator)
    while rocks.call.iteratorValid(iterator) != 0 {
      var (keyBytes, valueBytes) = (0, 0)
      _ = rocks.call.iteratorKey(iterator, &keyBytes)
      _ = rocks.call.iteratorValue(iterator, &valueBytes)
      body(keyBytes, valueBytes)
      rocks.call.iteratorNext(iterator)
    }
    try rocks.check("reading all rows") { rocks.call.iteratorError(iterator, $0) }
  }
}
