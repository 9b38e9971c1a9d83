// Full compaction, at launch and of a copy. Both are RocksDB's CompactRange over all keys of all tables.
import CRocksDB
import EngineInterface
import MetricModel
import SystemIO

extension RocksDBDatabase {
  /// Merges all sorted runs of every table, the last level's too. Returns the bytes that were written for it. Error where the
  /// disk is full: RocksDB then refuses all writes until the database is opened again.
  func compactAll() throws(EngineError) -> ByteCount {
    let before = counters
    let failures = sum(of: "rocksdb.background-errors")
    try flushAll()
    guard let options = rocks.call.compactOptionsCreate() else {
      preconditionFailure("RocksDB made no options.")
    }
    defer { rocks.call.compactOptionsDestroy(options) }
    rocks.call.compactOptionsSetBottommost(options, UInt8(ROCKSDB_BOTTOMMOST_FORCE_OPTIMIZED))
    for family in families {
      rocks.call.compactRange(handle, family, options, nil, 0, nil, 0)
      // The function returns nothing; a failed one counts here.
      if sum(of: "rocksdb.background-errors") > failures { throw failedCompaction }
    }
    awaitRest()
    let after = counters
    return after.flushed - before.flushed + (after.compacted - before.compacted)
  }

  /// The reason that a compaction failed for, which RocksDB tells the next function that writes.
  private var failedCompaction: EngineError {
    do throws(EngineError) {
      try BatchWriter(self).writeBatch(while: "compacting")
    } catch { return error }
    return EngineError(
      engine: rocksDBID, code: .failed, message: "compacting: RocksDB reports a background error")
  }

  /// Makes a checkpoint of hard links, opens it as a database of its own, compacts it, and gives it its name.
  func writeCompactedCopy(to path: FilePath) throws(EngineError) {
    if FileSystem.exists(path) {
      throw .copyExists(path, of: rocksDBID)
    }
    let draft = DatabaseFolder(draft: FilePath(path.string + ".compacting"))
    do throws(EngineError) {
      try remove(draft)
      try makeCheckpoint(at: draft.data)
      try compact(draft)
      try files { () throws(SystemError) in
        for name in try FileSystem.list(draft.data) where name.hasSuffix(".log") {
          try FileSystem.removeFile(draft.data.appending(name))
        }
        try FileSystem.inheritAccess(of: setup.files.data, to: draft.data, as: .copy)
        try FileSystem.rename(draft.data, to: path)
        try FileSystem.syncFolder(path.removingLastComponent())
      }
      try remove(draft)
    } catch {
      // The partial copy is of no use. A failure to remove it is not the error to report.
      try? remove(draft)
      throw error
    }
  }

  private func makeCheckpoint(at path: FilePath) throws(EngineError) {
    let checkpoint = try rocks.check("making a checkpoint") {
      rocks.call.checkpointObjectCreate(handle, $0)
    }
    defer { rocks.call.checkpointObjectDestroy(checkpoint) }
    // The log is copied, however long it is: a flush would change this database.
    try rocks.check("making a checkpoint at \(path)") {
      rocks.call.checkpointCreate(checkpoint, path.string, .max, $0)
    }
  }

  /// Closes the copy before it returns.
  private func compact(_ draft: DatabaseFolder) throws(EngineError) {
    let copy = try RocksDBDatabase(
      DatabaseSetup(
        rocks: rocks, files: draft, tables: setup.tables, durability: .none,
        style: .none, worksInBackground: false),
      isNew: false)
    _ = try copy.compactAll()
  }

  private func remove(_ draft: DatabaseFolder) throws(EngineError) {
    try files { () throws(SystemError) in
      try FileSystem.removeTree(draft.data)
      try FileSystem.removeTree(draft.messages)
    }
  }

  private func files(_ body: () throws(SystemError) -> Void) throws(EngineError) {
    do throws(SystemError) { try body() } catch {
      throw EngineError(engine: rocksDBID, error, while: "making a compacted copy")
    }
  }
}
