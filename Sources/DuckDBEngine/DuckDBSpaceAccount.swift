// Where the bytes of a DuckDB file are: blocks, exactly, and of the live bytes in them an estimate from the rows. DuckDB counts
// a block as used as long as one row in it is, deleted or not.
import CDuckDB
import EngineInterface
import MetricModel
import SystemIO

/// The account of a session, and the connection that measures. Safe to use from many threads.
final class SpaceAccount: @unchecked Sendable {
  private let files: DatabaseFiles
  private let mutex = ThreadMutex()
  /// nil once the session is closed.
  private var meter: Meter?
  /// The bytes of the newest rows; nil after a commit, until they are asked for.
  private var rowBytes: Int?
  private let counting = ThreadMutex()
  private var commitCount = 0
  private var countedCommit = -1

  /// The connection with its statements.
  private struct Meter {
    let connection: Connection
    let blocks: Statement
    let metadata: Statement
    let rows: [Statement]
  }

  /// What a row has beside its value in a file: key, the offset of its value, and its entry in the index.
  static let bytesBesideValue = 8 + 4 + 9

  init(
    _ instance: DuckDBInstance, _ files: DatabaseFiles, tables: [String]
  ) throws(EngineError) {
    self.files = files
    let connection = try Connection(instance)
    let catalog = sqlText(DatabaseSetup.catalog)
    var rows: [Statement] = []
    for table in tables.map(sqlName) {
      rows.append(
        try connection.prepare(
          "SELECT count(*), coalesce(sum(octet_length(value)), 0)::BIGINT FROM \(table)"))
    }
    meter = Meter(
      connection: connection,
      blocks: try connection.prepare(
        "SELECT used_blocks FROM pragma_database_size() WHERE database_name = \(catalog)"),
      metadata: try connection.prepare("SELECT count(*) FROM pragma_metadata_info(\(catalog))"),
      rows: rows)
  }

  /// Notes that there are other rows than those that were counted.
  func committed() { counting.withLock { commitCount += 1 } }

  func close() { mutex.withLock { meter = nil } }

  func withConnection<Result>(
    _ body: (Connection) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try mutex.withLock { () throws(EngineError) in
      guard let meter else { throw .sessionClosed(of: duckDBID) }
      return try body(meter.connection)
    }
  }

  /// The account of the newest version. Rows that are only in the log are live too, as far as there are used blocks: the next
  /// checkpoint moves them there.
  func usage() throws(EngineError) -> SpaceUsage {
    try mutex.withLock { () throws(EngineError) in
      guard let meter else { throw .sessionClosed(of: duckDBID) }
      let file = try files.fileBytes()
      let used = ByteCount(try meter.blocks.numbers(1)[0] * DatabaseSetup.blockSize)
      let metadata = ByteCount(try meter.metadata.numbers(1)[0] * DatabaseSetup.blockSize)
      let overhead = min(file, ByteCount(DatabaseSetup.headerBytes) + metadata)
      let rows = ByteCount(try newestRows(meter))
      let live = min(rows, max(.zero, used - metadata), file - overhead)
      return SpaceUsage(
        file: file, live: live, free: file - overhead - live, overhead: overhead,
        sidecar: try files.sidecarBytes())
    }
  }

  /// The bytes of the newest rows, by reading all of them where there was a commit.
  private func newestRows(_ meter: Meter) throws(EngineError) -> Int {
    let commit = counting.withLock { commitCount }
    if let rowBytes, commit == countedCommit { return rowBytes }
    var bytes = 0
    for statement in meter.rows {
      let numbers = try statement.numbers(2)
      bytes += numbers[0] * Self.bytesBesideValue + numbers[1]
    }
    (rowBytes, countedCommit) = (bytes, commit)
    return bytes
  }
}
