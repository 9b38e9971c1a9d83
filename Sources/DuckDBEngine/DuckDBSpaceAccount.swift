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
    let rows: [Statement]
  }

  /// What a row has beside its value in a file: key, the offset of its value, and its entry in the index.
  private static let bytesBesideValue = 8 + 4 + 9
  /// Values up to this length are in the blocks of their column, and none is divided over two of them.
  private static let maxValueInColumn = 4096

  init(
    _ instance: DuckDBInstance, _ files: DatabaseFiles, tables: [String]
  ) throws(EngineError) {
    self.files = files
    try open(instance, tables: tables)
  }

  /// Measures in that instance from now on.
  func open(_ instance: DuckDBInstance, tables: [String]) throws(EngineError) {
    let connection = try Connection(instance)
    let maxSize = Self.maxValueInColumn
    var rows: [Statement] = []
    for table in tables.map(sqlName) {
      rows.append(
        try connection.prepare(
          """
          SELECT count(*), coalesce(sum(size), 0)::BIGINT, count(*) FILTER (size < \(maxSize)),
            coalesce(sum(size) FILTER (size < \(maxSize)), 0)::BIGINT
          FROM (SELECT octet_length(value) AS size FROM \(table))
          """))
    }
    mutex.withLock { meter = Meter(connection: connection, rows: rows) }
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
      let (used, metadata) = try Self.blockBytes(meter.connection)
      let overhead = min(file, ByteCount(DatabaseSetup.headerBytes) + metadata)
      let rows = ByteCount(try newestRows(meter))
      let live = min(rows, max(.zero, used - metadata), file - overhead)
      return SpaceUsage(
        file: file, live: live, free: file - overhead - live, overhead: overhead,
        sidecar: try files.sidecarBytes())
    }
  }

  /// The bytes of used blocks, and of those that have metadata. Prepared for one use: DuckDB finds the figures when it prepares
  /// the statement.
  private static func blockBytes(
    _ connection: Connection
  ) throws(EngineError) -> (used: ByteCount, metadata: ByteCount) {
    let catalog = sqlText(DatabaseSetup.catalog)
    let blocks = try connection.once(
      """
      SELECT used_blocks, (SELECT count(*) FROM pragma_metadata_info(\(catalog)))
      FROM pragma_database_size() WHERE database_name = \(catalog)
      """
    ) { statement throws(EngineError) in try statement.numbers(2) }
    return (
      ByteCount(blocks[0] * DatabaseSetup.blockSize), ByteCount(blocks[1] * DatabaseSetup.blockSize)
    )
  }

  /// The bytes that a table takes in a file without deleted rows, from the count and bytes of its rows, and those of the rows
  /// whose values are in the column. A block ends before a value that no longer fits, half a value on average; and the last
  /// blocks of keys, values and index are half full.
  private static func estimate(_ rows: [Int]) -> Int {
    if rows[0] == 0 { return 0 }
    let block = DatabaseSetup.blockSize
    let bytes = rows[0] * bytesBesideValue + rows[1]
    let halfValue = rows[2] > 0 ? rows[3] / rows[2] / 2 : 0
    let inColumn = rows[3] * halfValue / (block - halfValue)
    return bytes + inColumn + 3 * block / 2
  }

  /// The bytes of the newest rows, by reading all of them where there was a commit.
  private func newestRows(_ meter: Meter) throws(EngineError) -> Int {
    let commit = counting.withLock { commitCount }
    if let rowBytes, commit == countedCommit { return rowBytes }
    var bytes = 0
    for statement in meter.rows {
      bytes += Self.estimate(try statement.numbers(4))
    }
    (rowBytes, countedCommit) = (bytes, commit)
    return bytes
  }
}
