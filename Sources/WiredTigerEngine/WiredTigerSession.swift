// A session of the contract: one open database, its users, and its end.
import EngineInterface
import MetricModel
import SystemIO

/// One process's open WiredTiger database.
final class WiredTigerSession: EngineSession, VersionCounting, @unchecked Sendable {
  /// Held from the beginning of a write transaction to its end, on one thread.
  private let writing = ThreadMutex()
  /// Guards what follows.
  private let lifecycle = ThreadMutex()
  private var database: WiredTigerDatabase?
  private var users = SessionUsers(of: wiredTigerID)
  /// Sessions of snapshots that have ended, for the next.
  private var spareReaders: [TableCursors] = []
  private var writer: TableCursors?
  /// WiredTiger numbers transactions and not versions: the commits since the database was opened.
  private var version = 0
  private var events: [CompactionEvent] = []
  /// What was reported last, for the time after an error for lack of disk space.
  private var lastUsage: SpaceUsage?
  private var lastWritten: ByteCount?
  /// Of compaction by WiredTiger's thread there is no sign but the length of the files.
  private let shrinks: ShrinkObserver
  private let onCheckpoint: (@Sendable (_ begin: UInt64, _ end: UInt64) -> Void)?

  init(
    _ database: WiredTigerDatabase,
    onCheckpoint: (@Sendable (_ begin: UInt64, _ end: UInt64) -> Void)?
  ) throws(EngineError) {
    self.database = database
    self.onCheckpoint = onCheckpoint
    writer = try TableCursors(database.connection, tables: database.setup.tables)
    shrinks = ShrinkObserver(length: try database.length, mayHaveMoved: true) { _ in
      "blocks were moved from the ends of files to free blocks before them"
    }
  }

  func beginSnapshot(label: String) throws(EngineError) -> any EngineSnapshot {
    try lifecycle.withLock { () throws(EngineError) in
      guard let database else { throw .sessionClosed(of: wiredTigerID) }
      let reader = try takeReader(database)
      try reader.begin()
      let number = users.addSnapshot(label: label, version: version)
      return WiredTigerSnapshot(reader, session: self, pin: number)
    }
  }

  private func takeReader(_ database: WiredTigerDatabase) throws(EngineError) -> TableCursors {
    if let spare = spareReaders.popLast() { return spare }
    return try TableCursors(database.connection, tables: database.setup.tables)
  }

  /// Moves a snapshot to the newest version.
  func renew(_ reader: TableCursors, pin number: Int) throws(EngineError) {
    try lifecycle.withLock { () throws(EngineError) in
      reader.rollBack()
      try reader.begin()
      users.moveSnapshot(number, to: version)
    }
  }

  func end(_ reader: TableCursors, pin number: Int) {
    lifecycle.withLock {
      reader.rollBack()
      spareReaders.append(reader)
      users.removeSnapshot(number)
    }
  }

  func beginWrite() throws(EngineError) -> any EngineTransaction {
    writing.lock()
    do throws(EngineError) {
      return try lifecycle.withLock { () throws(EngineError) in
        guard let writer, let database else { throw .sessionClosed(of: wiredTigerID) }
        try writer.begin()
        users.addWrite()
        return WiredTigerTransaction(
          writer, session: self, recordsRows: !database.setup.worksInBackground)
      }
    } catch {
      writing.unlock()
      throw error
    }
  }

  /// Called after a commit, before `writeEnded`. An error of the checkpoint is not thrown, since the transaction is committed:
  /// its rows are in the log, and the next commit tries again.
  func committed(bytes: Int, rows: [RowAddress]) {
    let database = lifecycle.withLock {
      version += 1
      return self.database
    }
    guard let database else { return }
    let begin = Clock.monotonicNanoseconds()
    guard (try? database.committed(bytes: bytes, rows: rows)) == true else { return }
    onCheckpoint?(begin, Clock.monotonicNanoseconds())
    guard database.setup.compactsAutomatically else { return }
    if let event = try? database.compactAutomatically() {
      lifecycle.withLock { events.append(event) }
    }
  }

  /// Called on the transaction's thread.
  func writeEnded() {
    lifecycle.withLock { users.removeWrite() }
    writing.unlock()
  }

  func spaceUsage() throws(EngineError) -> SpaceUsage {
    let isHistoryRead = lifecycle.withLock { users.versions.contains { $0.version < version } }
    let database = try openDatabase()
    do throws(EngineError) {
      let usage = try database.usage(isHistoryRead: isHistoryRead)
      lifecycle.withLock { lastUsage = usage }
      return usage
    } catch  where error.code == .outOfSpace {
      // WiredTiger reports nothing after such an error, and makes no checkpoint that could change the parts.
      var usage = lifecycle.withLock { lastUsage } ?? SpaceUsage(file: .zero)
      (usage.file, usage.sidecar) = (try database.length, try database.logLength)
      return usage
    }
  }

  func liveVersions() throws(EngineError) -> Int? {
    _ = try openDatabase()
    return lifecycle.withLock { Set(users.versions.map(\.version)).union([version]).count }
  }

  var bytesWritten: ByteCount? {
    let written = (try? openDatabase().written).map { $0.toFiles + $0.toLog }
    return lifecycle.withLock {
      if let written { lastWritten = written }
      return lastWritten
    }
  }

  func drainEvents() -> [CompactionEvent] {
    guard let database = try? openDatabase() else { return [] }
    let setup = database.setup
    if setup.worksInBackground, setup.compactsAutomatically, let length = try? database.length {
      shrinks.committed(length: length)
    }
    return lifecycle.withLock {
      defer { events = [] }
      return events
    } + shrinks.drain()
  }

  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    try openDatabase().writeCompactedCopy(to: path)
  }

  /// Makes a checkpoint, so that the data is in the files. Where the disk has no space for it, it stays in the log.
  func close() throws(EngineError) {
    let closing = try lifecycle.withLock { () throws(EngineError) -> WiredTigerDatabase? in
      try users.checkNone()
      defer {
        database = nil
        writer = nil
        spareReaders = []
      }
      return database
    }
    do throws(EngineError) { try closing?.close() } catch  where error.code == .outOfSpace {}
  }

  /// The database, for tests that ask WiredTiger itself.
  func openDatabase() throws(EngineError) -> WiredTigerDatabase {
    try lifecycle.withLock { () throws(EngineError) in
      guard let database else { throw .sessionClosed(of: wiredTigerID) }
      return database
    }
  }
}

extension WiredTigerSession: SavepointStoring {
  /// A checkpoint that is stored by name.
  func makeSavepoint(_ name: String) throws(EngineError) {
    try openDatabase().checkpoint("name=\"\(name)\"")
  }

  func dropSavepoint(_ name: String) throws(EngineError) {
    try openDatabase().checkpoint("drop=(\"\(name)\")")
  }
}
