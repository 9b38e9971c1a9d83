// Where the bytes of a RocksDB database are: the lengths of its files, exactly, and of the live bytes in them an estimate from
// the rows. RocksDB's own estimate counts every file that no newer file covers as live as a whole.
import CRocksDB
import EngineInterface
import MetricModel
import SystemIO

/// The account of a session. Safe to use from many threads.
final class SpaceAccount: @unchecked Sendable {
  private let mutex = ThreadMutex()
  /// By table: the bytes of its newest rows, and the number of commits that had changed it when they were read. Reading is not
  /// repeated for a table that no commit changed.
  private var rows: [OpaquePointer: (commits: Int, bytes: Int)] = [:]

  /// The account of the newest version.
  ///
  /// `live` is the share that the newest rows have of the bytes of all entries, of the files that RocksDB reads and the
  /// memtables. The rest of these are older versions of rows, deleted rows and tombstones: the space that compaction frees.
  func usage(of database: RocksDBDatabase) throws(EngineError) -> SpaceUsage {
    let files: DatabaseFolder.Sizes
    do throws(SystemError) { files = try database.setup.files.sizes() } catch {
      throw EngineError(engine: rocksDBID, error, while: "measuring space")
    }
    let unflushed = database.unflushedBytes
    let read = min(files.tables, ByteCount(database.sum(of: "rocksdb.live-sst-files-size")))
    let retained = ByteCount(database.sum(of: "rocksdb.total-sst-files-size"))
    let pinned = min(files.tables - read, max(.zero, retained - read))
    let live = try liveBytes(database, read: read, unflushed: unflushed)
    return SpaceUsage(
      file: files.tables + files.others + unflushed, live: live, free: read + unflushed - live,
      pinned: pinned, overhead: files.others + (files.tables - read - pinned),
      sidecar: files.log)
  }

  private func liveBytes(
    _ database: RocksDBDatabase, read: ByteCount, unflushed: ByteCount
  ) throws(EngineError) -> ByteCount {
    let rows = ByteCount(try newestRows(database))
    let entries = database.texts(of: "rocksdb.aggregated-table-properties").reduce(0) {
      $0 + Self.entryBytes($1)
    }
    // What a file has beside its entries: index, checksums, and what the encoding adds.
    guard entries > 0 else { return min(rows, read + unflushed) }
    let scaled = Double(rows.bytes) * Double(read.bytes) / Double(entries)
    return min(ByteCount(Int(scaled)), read + unflushed)
  }

  /// The bytes of keys and values in all entries of files, from a text of RocksDB's: `…; raw key size=57120; …`.
  static func entryBytes(_ properties: String) -> Int {
    properties.split(separator: ";").reduce(0) { sum, part in
      for name in ["raw key size=", "raw value size="] {
        if let range = part.firstRange(of: name) {
          return sum + (Int(part[range.upperBound...]) ?? 0)
        }
      }
      return sum
    }
  }

  /// The bytes of keys and values of the newest version's rows, by reading all rows of the tables that were changed.
  private func newestRows(_ database: RocksDBDatabase) throws(EngineError) -> Int {
    try mutex.withLock { () throws(EngineError) in
      var bytes = 0
      for (index, family) in database.families.enumerated() {
        // Counted before the rows are read: what is committed meanwhile is read again the next time.
        let commits = database.changes.commitCount(of: index)
        if rows[family]?.commits != commits {
          rows[family] = (commits, try Self.readRows(of: family, in: database))
        }
        bytes += rows[family]?.bytes ?? 0
      }
      return bytes
    }
  }

  private static func readRows(
    of family: OpaquePointer, in database: RocksDBDatabase
  ) throws(EngineError) -> Int {
    let call = database.rocks.call
    guard let options = call.readOptionsCreate() else {
      preconditionFailure("RocksDB made no read options.")
    }
    defer { call.readOptionsDestroy(options) }
    // The cache is for the clients' reads.
    call.readOptionsSetFillCache(options, 0)
    var bytes = 0
    try database.forEachRow(of: family, options) { _, value in
      bytes += BatchWriter.keyBytes + value
    }
    return bytes
  }
}
