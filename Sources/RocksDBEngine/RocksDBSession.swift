// A session: one open database, its users, and its end.
import CRocksDB
import EngineInterface
import MetricModel
import SystemIO

/// One process's open RocksDB database.
final class RocksDBSession: EngineSession, VersionCounting, @unchecked Sendable {
  /// Held from the beginning of a write transaction to its end, on one thread.
  private let writing = ThreadMutex()
  /// Guards what follows.
  private let lifecycle = ThreadMutex()
  private var database: RocksDBDatabase?
  private var users = SessionUsers(of: rocksDBID)
  /// Read options of snapshots that have ended, for the next.
  private var spareReadOptions: [OpaquePointer] = []
  private var writer: BatchWriter?
  private let account = SpaceAccount()
  private let compactions: CompactionObserver
  private let rocks: RocksDBLibrary
  /// What an opening before this one wrote, for a compaction at launch.
  private let writtenBefore: ByteCount

  private static let maxSpareReadOptions = 64

  /// nil if stalls are not asked for.
  let stalls: StallObserver?

  init(
    _ database: RocksDBDatabase, writtenBefore: ByteCount, stalls: StallObserver?
  ) throws(EngineError) {
    self.writtenBefore = writtenBefore
    self.stalls = stalls
    rocks = database.rocks
    compactions = try CompactionObserver(database)
    writer = BatchWriter(database)
    self.database = database
  }

  deinit { for options in spareReadOptions { rocks.call.readOptionsDestroy(options) } }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let database else { throw .sessionClosed(of: rocksDBID) }
    let pinned = pin(database, spareReadOptions.popLast())
    let number = users.addSnapshot(label: label, version: pinned.version)
    return RocksDBSnapshot(pinned, session: self, pin: number)
  }

  /// Creates a snapshot, and again where a commit came in between: the sequence number is asked for before and after, since
  /// the C interface of 7.8 does not return that of a snapshot.
  private func pin(_ database: RocksDBDatabase, _ options: OpaquePointer?) -> PinnedVersion {
    let call = rocks.call
    guard let readOptions = options ?? call.readOptionsCreate() else {
      preconditionFailure("RocksDB made no read options.")
    }
    for attempt in 1... {
      let before = call.latestSequenceNumber(database.handle)
      guard let snapshot = call.createSnapshot(database.handle) else { break }
      if attempt < Self.maxAttempts, call.latestSequenceNumber(database.handle) != before {
        call.releaseSnapshot(database.handle, snapshot)
        continue
      }
      call.readOptionsSetSnapshot(readOptions, snapshot)
      return PinnedVersion(
        database: database, snapshot: snapshot, readOptions: readOptions, version: Int(before))
    }
    preconditionFailure("RocksDB made no snapshot.")
  }

  private static let maxAttempts = 100

  /// Moves a snapshot to the newest version.
  func renew(_ pinned: PinnedVersion, pin number: Int) throws(EngineError) -> PinnedVersion {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let database else { throw .sessionClosed(of: rocksDBID) }
    rocks.call.releaseSnapshot(database.handle, pinned.snapshot)
    database.snapshotEnded()
    let renewed = pin(database, pinned.readOptions)
    users.moveSnapshot(number, to: renewed.version)
    return renewed
  }

  func end(_ pinned: PinnedVersion, pin number: Int) {
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let database else { return }
    rocks.call.releaseSnapshot(database.handle, pinned.snapshot)
    database.snapshotEnded()
    if spareReadOptions.count < Self.maxSpareReadOptions {
      spareReadOptions.append(pinned.readOptions)
    } else {
      rocks.call.readOptionsDestroy(pinned.readOptions)
    }
    users.removeSnapshot(number)
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    writing.lock()
    lifecycle.lock()
    defer { lifecycle.unlock() }
    guard let writer else {
      writing.unlock()
      throw .sessionClosed(of: rocksDBID)
    }
    users.addWrite()
    return RocksDBTransaction(writer, session: self)
  }

  /// Called on the transaction's thread.
  func writeEnded(_ writer: BatchWriter) {
    writer.clear()
    lifecycle.withLock { users.removeWrite() }
    writing.unlock()
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage { try account.usage(of: openDatabase()) }

  func liveVersions() throws(EngineError) -> Int? {
    try lifecycle.withLock { () throws(EngineError) in
      guard let database else { throw .sessionClosed(of: rocksDBID) }
      let newest = Int(rocks.call.latestSequenceNumber(database.handle))
      return Set(users.versions.map(\.version)).union([newest]).count
    }
  }

  var bytesWritten: ByteCount? {
    (try? openDatabase()).map { writtenBefore + $0.counters.written }
  }

  func drainEvents() -> [CompactionEvent] {
    guard let database = try? openDatabase() else { return [] }
    return (try? compactions.drain(database)) ?? []
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try openDatabase().writeCompactedCopy(to: path)
  }

  /// Flushes all memtables, so that the data is in the files and the log is empty. What cannot be flushed stays in the log.
  func close() throws(EngineError) {
    let closing = try lifecycle.withLock { () throws(EngineError) -> RocksDBDatabase? in
      try users.checkNone()
      defer {
        database = nil
        writer = nil
      }
      return database
    }
    try? closing?.flushAll()
  }

  /// The database, for tests that ask RocksDB itself.
  func openDatabase() throws(EngineError) -> RocksDBDatabase {
    try lifecycle.withLock { () throws(EngineError) in
      guard let database else { throw .sessionClosed(of: rocksDBID) }
      return database
    }
  }
}
